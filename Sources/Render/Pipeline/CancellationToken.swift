import Synchronization

/// A request to stop the work. Thread-safe.
public final class CancellationToken: Sendable {
    private let flag = Atomic<Bool>(false)
    private let isRequested: @Sendable () -> Bool

    /// A token that is not cancelled.
    ///
    /// - Parameter isRequested: returns true if cancellation is requested by other means than
    ///   `cancel`, such as a signal handler.
    public init(or isRequested: @escaping @Sendable () -> Bool = { false }) { self.isRequested = isRequested }

    /// Requests that the work stops soon.
    public func cancel() { flag.store(true, ordering: .relaxed) }

    /// True if cancellation was requested.
    public var isCancelled: Bool { flag.load(ordering: .relaxed) || isRequested() }

    /// Throws `LoadervidError` of kind `interrupted` if cancellation was requested.
    public func check() throws {
        if isCancelled { throw LoadervidError(.interrupted, "interrupted before the output was complete") }
    }
}
