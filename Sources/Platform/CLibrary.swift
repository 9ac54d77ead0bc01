// The C library, for all modules: POSIX and the functions of mathematics, under whatever name this system has them.
#if canImport(Glibc)
    @_exported import Glibc
#elseif canImport(Darwin)
    @_exported import Darwin
#else
    #error("this system's C library is not known: import it here")
#endif
