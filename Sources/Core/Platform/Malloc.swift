import CSystem

/// Settings of malloc. Only glibc has them; without them clips take longer but have the same
/// content.
package enum Malloc {
    /// Keeps freed memory for later allocations. Encoders are created and freed with each segment,
    /// and requesting their memory from the kernel again took a tenth of a clip's time. Only the
    /// largest bitmaps are returned at once, since they would make malloc's arenas grow for a
    /// while.
    ///
    /// - Parameter isLimited: true if the process has a memory limit. Memory that malloc reserves
    ///   in advance or per thread would then be missing elsewhere.
    package static func keepFreedMemory(isLimited: Bool) {
        #if canImport(Glibc)
            mallopt(M_MMAP_THRESHOLD, 12 << 20)
            mallopt(M_TRIM_THRESHOLD, 1 << 30)
            if isLimited { mallopt(M_ARENA_MAX, 2) } else { mallopt(M_TOP_PAD, 64 << 20) }
        #endif
    }

    /// Fills new allocations with a fixed byte, since some libraries read memory before they write
    /// it. The output would otherwise differ between runs.
    package static func fillFreshMemory() {
        #if canImport(Glibc)
            mallopt(M_PERTURB, 0x55)
        #endif
    }

    /// Returns free memory to the kernel.
    package static func trim() {
        #if canImport(Glibc)
            malloc_trim(0)
        #else
            malloc_zone_pressure_relief(nil, 0)
        #endif
    }
}
