import Core
import Synchronization

/// Settings of the whole process that some encoders need. A library does not change them unless the
/// program allows it.
package enum ProcessSettings {
    private static let mayChange = Atomic(false)

    /// True if encoders may change settings of the process.
    static var canChange: Bool { mayChange.load(ordering: .sequentiallyConsistent) }

    /// Allows encoders to change settings of the process. Thread-safe; call it before the first
    /// encoder is opened.
    package static func allowChanges() { mayChange.store(true, ordering: .sequentiallyConsistent) }

    /// Costs time, so only encoders whose output depends on uninitialized memory evaluate it.
    private static let fillMemory: Void = Malloc.fillFreshMemory()

    /// Variables of all encoders at once, since `setenv` is not safe while other threads read the
    /// environment. Variables that are set already are kept.
    private static let silenceLibraries: Void = {
        for (name, value) in EncoderTraits.table.values.flatMap(\.quietVariables) { setenv(name, value, 0) }
    }()

    /// Prepares the process for an encoder, if the program allows it.
    static func prepare(for traits: EncoderTraits) {
        guard canChange else { return }
        if traits.readsUninitializedMemory { fillMemory }
        if !traits.quietVariables.isEmpty { silenceLibraries }
    }
}
