/// A closed group of pictures (GOP), which has its own encoder.
package struct Segment: Sendable, Hashable {
    /// The index among the unique segments.
    package let index: Int
    /// The first frame of the segment's first use.
    package let firstFrame: Int
    /// The number of frames, at least one.
    package let frameCount: Int

    /// Returns the segment with additional frames before and after it.
    func widened(by context: (before: Int, after: Int)) -> Segment {
        Segment(
            index: index, firstFrame: firstFrame - context.before,
            frameCount: context.before + frameCount + context.after)
    }
}

/// The unique segments of a clip and the order in which the output plays them: a number of whole
/// cycles, then the start of another one.
struct SegmentSchedule: Sendable {
    /// The unique segments, in the order of their first use.
    private(set) var segments: [Segment] = []
    /// The number of segments that the output plays, including repeats.
    private(set) var count = 0
    /// The number of frames after which the clip repeats.
    let cycleFrames: Int
    /// The segments of a cycle and their first frames in it.
    private var cycle: [(index: Int, start: Int)] = []
    /// The last segment of the clip; nil if the clip ends at the end of a segment of the cycle.
    private var remainder: Segment?
    private let interval: Int

    /// True for each segment whose packets are kept for replaying.
    private var isKept: [Bool] = []
    /// The indices of the segments to encode in the first cycle.
    private var firstWork: [Int] = []
    /// The indices of the segments to encode in each later cycle.
    private var laterWork: [Int] = []
    /// The total number of segments to encode.
    private(set) var workCount = 0

    /// Cuts `frameCount` frames into segments of at most `interval` frames, such that repeated
    /// frames share segments.
    ///
    /// - Parameter budget: the maximum number of frames whose packets are kept. Further segments
    ///   are encoded again in each cycle.
    init(frameCount: Int, interval: Int, repetition: Repetition = Repetition(), keeping budget: Int = .max) {
        self.interval = interval
        cycleFrames = min(repetition.cycleFrames ?? frameCount, frameCount)
        let (cycles, rest) = frameCount.quotientAndRemainder(dividingBy: cycleFrames)
        let cuts = SegmentSchedule.cutsCycle(at: rest, interval: interval, cycles: cycles) ? [rest] : []
        for (start, end) in zip([0] + cuts, cuts + [cycleFrames]) {
            add(start..<end, stills: repetition.stills.map { $0.clamped(to: start..<end) }, isPart: !cuts.isEmpty)
        }
        let whole = cycle.prefix { $0.start + segments[$0.index].frameCount <= rest }
        let remaining = rest - (whole.last.map { $0.start + segments[$0.index].frameCount } ?? 0)
        count = cycles * cycle.count + whole.count + (remaining > 0 ? 1 : 0)
        if remaining > 0 {
            let segment = Segment(index: segments.count, firstFrame: frameCount - remaining, frameCount: remaining)
            segments.append(segment)
            remainder = segment
        }
        keepRepeated(budget)
    }

    private mutating func keepRepeated(_ budget: Int) {
        var kept = 0
        let playCounts = playCounts
        isKept = zip(segments, playCounts).map { segment, plays in
            guard plays > 1, kept + segment.frameCount <= budget else { return false }
            kept += segment.frameCount
            return true
        }
        workCount = zip(isKept, playCounts).reduce(0) { $0 + ($1.0 ? 1 : $1.1) }
        for entry in cycle where !isKept[entry.index] || entry.start == segments[entry.index].firstFrame {
            firstWork.append(entry.index)
        }
        laterWork = cycle.map(\.index).filter { !isKept[$0] }
    }

    /// Returns true if each cycle is cut where the last, partial one ends, so that the partial one
    /// is replayed instead of encoded. The additional keyframe per cycle is worth that for up to
    /// three cycles, and if more than a quarter of an interval would be encoded again.
    private static func cutsCycle(at rest: Int, interval: Int, cycles: Int) -> Bool {
        cycles <= 3 && rest % interval > interval / 4
    }

    private mutating func add(_ range: Range<Int>, stills: [Range<Int>], isPart: Bool) {
        var next = range.lowerBound
        for still in stills where still.count >= max(2, interval) {
            addMoving(next..<still.lowerBound, isPart: isPart)
            // Pieces of equal length share one segment. Leftover frames join the following ones.
            let pieces = max(2, (still.count + interval - 1) / interval)
            let length = still.count / pieces
            let index = addSegment(still.lowerBound, count: length)
            for piece in 1..<pieces { cycle.append((index, still.lowerBound + piece * length)) }
            next = still.lowerBound + pieces * length
        }
        addMoving(next..<range.upperBound, isPart: isPart)
    }

    /// Adds segments of whole intervals. The last two are made equal if otherwise one of two
    /// workers would finish long before the other. A part of a cycle becomes an even number of
    /// equal segments.
    private mutating func addMoving(_ range: Range<Int>, isPart: Bool) {
        let pieces = (range.count + interval - 1) / interval
        guard !isPart else { return addEqual(range, pieces: min(range.count, pieces + pieces % 2)) }
        let rest = range.count - max(0, pieces - 1) * interval
        // With an even number of pieces, a short last one is merged with its neighbour and both are
        // cut in half; with an odd number, a long last one is cut in half.
        let isShared = pieces > 1 && pieces % 2 == 0 && rest < interval * 3 / 4
        let isHalved = pieces > 1 && pieces % 2 == 1 && rest > max(1, interval / 2)
        let last = range.upperBound - rest - (isShared ? interval : 0)
        for start in stride(from: range.lowerBound, to: last, by: interval) { addSegment(start, count: interval) }
        addEqual(last..<range.upperBound, pieces: isShared || isHalved ? 2 : min(pieces, 1))
    }

    private mutating func addEqual(_ range: Range<Int>, pieces: Int) {
        for piece in 0..<pieces {
            let start = range.lowerBound + range.count * piece / pieces
            addSegment(start, count: range.lowerBound + range.count * (piece + 1) / pieces - start)
        }
    }

    @discardableResult
    private mutating func addSegment(_ firstFrame: Int, count: Int) -> Int {
        cycle.append((segments.count, firstFrame))
        segments.append(Segment(index: segments.count, firstFrame: firstFrame, frameCount: count))
        return segments.count - 1
    }

    // MARK: Playing

    /// A segment at a position of the output.
    struct ScheduledSegment {
        let segment: Segment
        /// The output frame at which it begins.
        let firstFrame: Int
        /// True if it replays packets of an earlier position.
        let isReplay: Bool
        /// True if its packets are kept for later positions.
        let isKept: Bool
    }

    /// Returns the segment at a position of the output, counted from 0.
    func segment(at position: Int) -> ScheduledSegment {
        if let remainder, position == count - 1 {
            return ScheduledSegment(
                segment: remainder, firstFrame: remainder.firstFrame, isReplay: false, isKept: false)
        }
        let (pass, entry) = position.quotientAndRemainder(dividingBy: cycle.count)
        let segment = segments[cycle[entry].index]
        let firstFrame = pass * cycleFrames + cycle[entry].start
        let isKept = self.isKept[segment.index]
        let isReplay = isKept && firstFrame != segment.firstFrame
        return ScheduledSegment(segment: segment, firstFrame: firstFrame, isReplay: isReplay, isKept: isKept)
    }

    /// Returns the indices of the segments that are done at every position of the output. `isDone`
    /// gets the frames at a position.
    func segments(where isDone: (Range<Int>) -> Bool) -> Set<Int> {
        var done = Set(segments.map(\.index))
        for position in 0..<count {
            let scheduled = segment(at: position)
            guard done.contains(scheduled.segment.index) else { continue }
            let frames = scheduled.firstFrame..<scheduled.firstFrame + scheduled.segment.frameCount
            if !isDone(frames) { done.remove(scheduled.segment.index) }
        }
        return done
    }

    // MARK: Encoding

    /// The total number of frames to encode.
    var framesToEncode: Int {
        zip(segments, zip(isKept, playCounts)).reduce(0) { $0 + $1.0.frameCount * ($1.1.0 ? 1 : $1.1.1) }
    }

    /// Returns the segment to encode at an index of the work, which is in the order of the output.
    func work(_ number: Int) -> Segment {
        if let remainder, number == workCount - 1 { return remainder }
        if number < firstWork.count { return segments[firstWork[number]] }
        return segments[laterWork[(number - firstWork.count) % laterWork.count]]
    }

    /// The number of times that the output plays each segment.
    private var playCounts: [Int] {
        var counts = [Int](repeating: 0, count: segments.count)
        let plays = count - (remainder == nil ? 0 : 1)
        let (cycles, rest) = plays.quotientAndRemainder(dividingBy: cycle.count)
        for (number, entry) in cycle.enumerated() { counts[entry.index] += cycles + (number < rest ? 1 : 0) }
        if let remainder { counts[remainder.index] += 1 }
        return counts
    }
}
