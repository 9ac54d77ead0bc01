# To be sourced in the project's folder: how the tests, and the program that scripts try, are built.
# Optimized, with assertions: the tests take half the time, and the compiler less than it takes for an optimized debug build.
# The folder is separate from other builds.
build=(-c release --scratch-path .build/tests -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug)
export LOADERVID_QUICK_BUILD=1
# shellcheck disable=SC2034
program=.build/tests/release/loadervid
