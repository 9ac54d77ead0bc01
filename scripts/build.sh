# shellcheck shell=bash disable=SC2034
#
# Source this file in the root of the project. It sets `build`, the options of `swift build` and
# `swift test` for tests, and `program`, the path of the loadervid that they build.
#
# Optimization halves the time of the tests, and this build takes the compiler less time than an
# optimized debug build. Assertions stay enabled. The build directory is separate, so that other
# builds stay valid.
build=(-c release --scratch-path .build/tests -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug)
export LOADERVID_QUICK_BUILD=all
program=.build/tests/release/loadervid
