extension BatchRun {
    /// The resources and policies of a batch.
    package struct Options: Sendable {
        /// The number of cores to use, at least 1.
        package var cores: Int
        /// The approximate memory for encoders in bytes.
        package var memory: Int
        /// True to render everything again and replace any existing file.
        package var force = false
        /// True to stop at the first failure.
        package var failFast = false
        /// Checks a complete file before it gets its name. If it throws, the output fails.
        package var check: (@Sendable (PresetOutput, _ path: String) throws -> Void)?

        /// Options that render outdated outputs only and continue after failures.
        package init(cores: Int, memory: Int) {
            self.cores = cores
            self.memory = memory
        }
    }
}
