import Synchronization

/// How far a clip is. Workers count; whoever shows it reads, from any thread.
public final class RenderProgress: Sendable {
    private let encoded = Atomic<Int>(0)

    /// Nothing done yet.
    public init() {}

    /// Frames drawn and encoded so far.
    public var framesEncoded: Int { encoded.load(ordering: .relaxed) }

    func countFrame() { encoded.add(1, ordering: .relaxed) }
}

/// A wish to stop, from any thread.
public final class CancellationToken: Sendable {
    private let flag = Atomic<Bool>(false)

    /// No wish to stop yet.
    public init() {}

    /// Asks for the work to stop soon.
    public func cancel() { flag.store(true, ordering: .relaxed) }

    /// Whether stopping was asked for.
    public var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Throws `RenderError` of kind `interrupted` if stopping was asked for.
    public func check() throws {
        if isCancelled { throw RenderError(.interrupted, "interrupted before the output was complete") }
    }
}
