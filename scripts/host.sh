# shellcheck shell=bash
#
# Source this file for functions that make Debian systems in root directories, and give them this
# machine's Swift toolchain.

# Prints the directory of the toolchain, which contains bin/swift.
swift_toolchain() {
    local folder
    folder=$(swift -print-target-info | sed -n 's|.*"runtimeResourcePath": *"\(.*\)/lib/swift".*|\1|p')
    [ -x "$folder/bin/swift" ] || return 1
    echo "$folder"
}

# Copies git's insteadOf rules, which replace URLs with mirrors, to the configuration file $1.
# Prints the mirrors that are directories of this machine: a root directory must mount them.
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

# Prints the path of the cached archive of a minimal Debian release: `debian_tar CODENAME`.
debian_tar() {
    echo "${XDG_CACHE_HOME:-$HOME/.cache}/loadervid/debian-$1.tar"
}

# Makes this archive if it is missing or older than 30 days: `make_debian_tar CODENAME`. An older
# archive would need many updates.
make_debian_tar() (
    tar=$(debian_tar "$1")
    [ -z "$(find "$tar" -mtime -30 2>/dev/null)" ] || exit 0
    made=$(mktemp -d "${TMPDIR:-/var/tmp}/loadervid-debian.XXXXXX")
    trap 'rm -rf --one-file-system "$made"' EXIT
    debootstrap --variant=minbase --include=ca-certificates "$1" "$made" || exit 1
    # Adds updates from the mirror that debootstrap chose.
    mirror=$(awk '$1 == "deb" { print $2; exit }' "$made/etc/apt/sources.list")
    printf "deb ${mirror%/}%s main\n" " $1" " $1-updates" "-security $1-security" >"$made/etc/apt/sources.list"
    chmod 755 "$made"
    mkdir -p "$(dirname "$tar")" &&
        tar --create --one-file-system --numeric-owner --directory "$made" --file "$tar.part" . && mv "$tar.part" "$tar"
)

# Runs a shell command in a root directory, with mounts that end with it:
# `in_root ROOT COMMAND [DIRECTORY:MOUNT_POINT...]`. The PATH includes /opt/toolchain/bin.
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
