import CSystem

/// How malloc is to behave. Where its settings are not glibc's it is left as it is, which costs time, not pictures.
package enum Malloc {
    /// Keeps what is freed: encoders come and go with segments, and asking the kernel anew for their memory took a tenth of
    /// a clip's time. Only the largest pictures are given back, by which malloc's arenas would grow for a while.
    ///
    /// - Parameter isLimited: whether memory is limited: what malloc reserves in advance, or for each thread, would then be
    ///   missing elsewhere.
    package static func keepsFreedMemory(isLimited: Bool) {
        #if canImport(Glibc)
            mallopt(M_MMAP_THRESHOLD, 12 << 20)
            mallopt(M_TRIM_THRESHOLD, 1 << 30)
            if isLimited { mallopt(M_ARENA_MAX, 2) } else { mallopt(M_TOP_PAD, 64 << 20) }
        #endif
    }

    /// Makes fresh memory the same in every run, for libraries that read what nobody wrote.
    package static func settlesFreshMemory() {
        #if canImport(Glibc)
            mallopt(M_PERTURB, 0x55)
        #endif
    }

    /// Gives back to the kernel what is kept.
    package static func givesBack() {
        #if canImport(Glibc)
            malloc_trim(0)
        #else
            malloc_zone_pressure_relief(nil, 0)
        #endif
    }
}
