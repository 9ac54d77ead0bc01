# To be sourced: Debians in roots of their own, and what they need of this machine to build with its Swift.

# Prints the folder with bin/swift of the toolchain.
swift_toolchain() {
    local folder
    folder=$(swift -print-target-info | sed -n 's|.*"runtimeResourcePath": *"\(.*\)/lib/swift".*|\1|p')
    [ -x "$folder/bin/swift" ] || return 1
    echo "$folder"
}

# Where git takes repositories from folders of this machine instead of from the network, writes that into the file $1 as
# git's configuration, and prints the folders.
git_mounts() {
    local key value base
    touch "$1"
    git config --get-regexp '^url\..*\.insteadof$' | while read -r key value; do
        base=${key#url.}
        base=${base%.insteadof}
        git config --file "$1" --add "url.$base.insteadOf" "$value"
        base=${base#file://}
        [ ! -d "$base" ] || echo "$base"
    done | sort --unique
}

# Where a minimal Debian is kept: `debian_tar SYSTEM`.
debian_tar() {
    echo "${XDG_CACHE_HOME:-$HOME/.cache}/loadervid/debian-$1.tar"
}

# Makes it, unless it is younger than a month, after which its updates have grown many: `make_debian_tar SYSTEM`.
make_debian_tar() (
    tar=$(debian_tar "$1")
    [ -z "$(find "$tar" -mtime -30 2>/dev/null)" ] || exit 0
    made=$(mktemp -d "${TMPDIR:-/var/tmp}/loadervid-debian.XXXXXX")
    trap 'rm -rf --one-file-system "$made"' EXIT
    debootstrap --variant=minbase --include=ca-certificates "$1" "$made" || exit 1
    # The mirror that debootstrap takes by itself, with its updates.
    mirror=$(awk '$1 == "deb" { print $2; exit }' "$made/etc/apt/sources.list")
    printf "deb ${mirror%/}%s main\n" " $1" " $1-updates" "-security $1-security" >"$made/etc/apt/sources.list"
    chmod 755 "$made"
    mkdir -p "$(dirname "$tar")" &&
        tar --create --one-file-system --numeric-owner --directory "$made" --file "$tar.part" . && mv "$tar.part" "$tar"
)

# Runs a shell command in a root, with mounts that go away with it: `in_root ROOT COMMAND [FOLDER:WHERE...]`. Programs of a
# folder that is mounted as /opt/toolchain are found.
in_root() {
    local root=$1 command=$2
    shift 2
    ROOT=$root COMMAND=$command unshare --mount --pid --fork --kill-child bash -euc '
        mount -t proc proc "$ROOT/proc"
        mount --rbind /dev "$ROOT/dev"
        for mount in "$@"; do
            mkdir -p "$ROOT/${mount#*:}"
            mount --bind "${mount%%:*}" "$ROOT/${mount#*:}"
        done
        exec chroot "$ROOT" env --ignore-environment HOME=/root LANG=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/toolchain/bin bash -c "$COMMAND"' \
        in_root "$@"
}
