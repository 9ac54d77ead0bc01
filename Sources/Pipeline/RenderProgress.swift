import Synchronization

/// How far a clip is. Workers count; whoever shows it reads, from any thread.
public final class RenderProgress: Sendable {
    private let encoded = Atomic<Int>(0)

    /// Nothing done yet.
    public init() {}

    /// Frames drawn and encoded so far.
    public var framesEncoded: Int { encoded.load(ordering: .relaxed) }

    /// Begins anew, since the clip is rendered another time.
    func restart() { encoded.store(0, ordering: .relaxed) }

    func countFrame() { encoded.add(1, ordering: .relaxed) }
}

/// A wish to stop, from any thread.
public final class CancellationToken: Sendable {
    private let flag = Atomic<Bool>(false)
    private let isWanted: @Sendable () -> Bool

    /// No wish to stop yet.
    ///
    /// - Parameter isWanted: whether somebody who cannot call `cancel`, such as a signal's handler, has the wish.
    public init(or isWanted: @escaping @Sendable () -> Bool = { false }) { self.isWanted = isWanted }

    /// Asks for the work to stop soon.
    public func cancel() { flag.store(true, ordering: .relaxed) }

    /// Whether stopping was asked for.
    public var isCancelled: Bool { flag.load(ordering: .relaxed) || isWanted() }

    /// Throws `RenderError` of kind `interrupted` if stopping was asked for.
    public func check() throws {
        if isCancelled { throw RenderError(.interrupted, "interrupted before the output was complete") }
    }
}
