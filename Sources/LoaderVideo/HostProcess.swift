import Media

/// The process that uses the library.
public enum HostProcess {
    /// Lets encoders change two settings of the whole process when they need them:
    ///
    /// - HEVC makes malloc fill new allocations (glibc's `M_PERTURB`), because x265 reads
    ///   uninitialized memory. Without that, HEVC's bytes can differ between runs.
    /// - AV1 sets the environment variable `SVT_LOG`, unless it is set. Without that, SVT-AV1
    ///   writes to standard error.
    ///
    /// Call it before the first clip if your program owns its process, as the command line does.
    public static func allowChanges() { ProcessSettings.allowChanges() }
}
