// The C library for all modules: POSIX and the math functions. Each system has its own module for
// them.
#if canImport(Glibc)
    @_exported import Glibc
#elseif canImport(Darwin)
    @_exported import Darwin
#else
    #error("unsupported system: import its C library here")
#endif
