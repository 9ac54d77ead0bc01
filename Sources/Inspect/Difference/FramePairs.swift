import Media
import Render

/// The frames of two clips, paired by time, so that one long frame equals several equal ones. Holds
/// two frames of each clip.
final class FramePairs {
    /// Two frames that are shown at the same time.
    struct Pair: Sendable {
        let expected: TimedFrame
        let actual: TimedFrame
        let time: Double
    }

    private let (a, b): (ClipSide, ClipSide)
    private var (shownA, shownB): (TimedFrame?, TimedFrame?)
    private var (nextA, nextB): (TimedFrame?, TimedFrame?)
    private var isStarted = false
    /// The difference in seconds below which times are equal.
    private let tolerance: Double
    /// The times at which frames are compared; nil for all times.
    private let commonTimes: CommonTimes?
    private let cancellation: CancellationToken

    init(_ a: ClipSide, _ b: ClipSide, _ commonTimes: CommonTimes? = nil, _ cancellation: CancellationToken) {
        self.a = a
        self.b = b
        self.commonTimes = commonTimes
        self.cancellation = cancellation
        let steps = [a.step, b.step].filter { $0 > 0 }
        let precision = 1.01 * max(a.precision, b.precision)
        // The bound keeps two frames of one clip apart.
        tolerance = steps.min().map { max(0.3 * $0, min(precision, 0.6 * $0)) } ?? precision
    }

    /// Returns the next pair. At the end of either clip, reads both to their ends and returns nil.
    func next() throws -> Pair? {
        while true {
            let isCommon = isNextCommon
            guard let pair = try nextOfAll() else { return nil }
            if isCommon { return pair }
            try cancellation.check()
        }
    }

    /// True if the frames of the next pair are to be compared.
    private var isNextCommon: Bool {
        guard let commonTimes, isStarted else { return true }
        guard let time = nextA?.time, time <= nextB?.time ?? .infinity else {
            return nextB.map { commonTimes.contains($0.time, ofFirst: false) } ?? true
        }
        return commonTimes.contains(time, ofFirst: true)
    }

    /// Returns the next pair, whose frames may be at different times.
    private func nextOfAll() throws -> Pair? {
        if !isStarted {
            nextA = try a.next()
            nextB = try b.next()
            isStarted = true
        }
        guard nextA != nil || nextB != nil else { return nil }
        let timeA = nextA?.time ?? .infinity
        let timeB = nextB?.time ?? .infinity
        let time = min(timeA, timeB)
        if timeA <= time + tolerance, nextA != nil { (shownA, nextA) = (nextA, try a.next()) }
        if timeB <= time + tolerance, nextB != nil { (shownB, nextB) = (nextB, try b.next()) }
        guard let shownA, let shownB else { return nil }
        // Past the end of the shorter clip there is nothing to compare.
        for (side, next, shown, other) in [(a, nextA, shownA, b), (b, nextB, shownB, a)]
        where next == nil && side.side.duration > 0 && time >= side.side.duration - tolerance
            && shown.time < time - tolerance
        {
            try other.readToEnd(cancellation)
            return nil
        }
        return Pair(expected: shownA, actual: shownB, time: time)
    }
}
