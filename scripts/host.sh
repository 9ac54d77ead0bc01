# To be sourced: what a container or a root needs of this machine to build with its Swift.

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
