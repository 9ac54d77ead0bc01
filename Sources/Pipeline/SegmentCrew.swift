import Platform

/// Workers that take segments in order, each with tools of its own, and whoever collects what they make.
final class SegmentCrew<Result: Sendable>: Sendable {
    /// Makes something of a segment; what it is given throws when work shall end.
    typealias Work = (Segment, () throws -> Void) throws -> Result

    private let queue: SegmentQueue<Result>
    private let threads = ThreadGroup()
    private let shares: [CoreShare]
    /// Who has to be told to work, if there may be no thread at all.
    private let mate: SegmentWorker<Result>?

    /// Starts as many workers as there may be threads.
    ///
    /// - Parameters:
    ///   - cores: what pipelines that run at the same time share; nil if there is only this one.
    ///   - tools: makes a worker's tools, on its thread, when it has its first segment; told whether it has no thread of its own.
    init(
        _ order: PlayOrder, workers: Int, cores: CoreBudget?, coresPerWorker: Int, _ cancellation: CancellationToken,
        tools: @escaping @Sendable (_ isAlone: Bool) throws -> Work
    ) {
        let queue = SegmentQueue<Result>(
            count: order.workCount, capacity: 2 * workers, cancellation: cancellation)
        let shares = (0..<workers).map { _ in CoreShare(of: cores, count: coresPerWorker) }
        var mate: SegmentWorker<Result>?
        for (number, share) in shares.enumerated() {
            let isStarted = threads.start {
                SegmentWorker(order, share) { try tools(false) }.work(on: queue)
            }
            guard !isStarted else { continue }
            if number == 0 { mate = SegmentWorker(order, share) { try tools(true) } }
            break
        }
        (self.queue, self.shares, self.mate) = (queue, shares, mate)
    }

    /// What was made of the next segment in order. Throws the first failure.
    func collect() throws -> Result {
        mate?.work(on: queue, once: true)
        return try queue.collect { shares.contains(where: \.isTaken) }
    }

    /// Ends the work, finished or not.
    func end() {
        queue.stop()
        // Who never comes back must not keep what others wait for.
        if queue.isStalled { shares.forEach { $0.giveBack() } } else { threads.wait() }
    }
}

/// Takes segments until there are none. For one thread.
///
/// Sendable: it stays where it was made, or on the thread that collects.
private final class SegmentWorker<Result: Sendable>: @unchecked Sendable {
    private let order: PlayOrder
    private let share: CoreShare
    private let makeTools: () throws -> SegmentCrew<Result>.Work
    private var tools: SegmentCrew<Result>.Work?

    init(_ order: PlayOrder, _ share: CoreShare, _ makeTools: @escaping () throws -> SegmentCrew<Result>.Work) {
        (self.order, self.share, self.makeTools) = (order, share, makeTools)
    }

    /// Works until there is nothing left, or on one segment only.
    func work(on queue: SegmentQueue<Result>, once: Bool = false) {
        while let number = queue.take() {
            queue.deliver(of: number) {
                share.take()
                defer { share.giveBack() }
                let tools = try tools ?? makeTools()
                self.tools = tools
                return try tools(order.work(number), queue.check)
            }
            if once { return }
        }
    }
}
