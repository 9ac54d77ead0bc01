/// A closed group of pictures with an encoder of its own.
public struct Segment: Sendable, Hashable {
    /// Position among the unique segments.
    public let index: Int
    /// Its first frame where it is played first.
    public let firstFrame: Int
    /// How many frames it has, at least one.
    public let frameCount: Int

    /// The segment with frames before and after it.
    func widened(by sides: (before: Int, after: Int)) -> Segment {
        Segment(
            index: index, firstFrame: firstFrame - sides.before, frameCount: sides.before + frameCount + sides.after)
    }
}

/// The unique segments of a clip, and the order in which the output plays them: a cycle so many times, and then the
/// beginning of another.
struct PlayOrder: Sendable {
    /// The unique segments, in the order in which they are played first.
    private(set) var segments: [Segment] = []
    /// How many segments the output plays, repeats included.
    private(set) var count = 0
    /// Frames after which all is played again.
    let cycleFrames: Int
    /// The segments of a cycle and the frames at which they begin.
    private var cycle: [(index: Int, start: Int)] = []
    /// The last piece of the clip, if no segment of the cycle ends where it does.
    private var remainder: Segment?
    private let interval: Int

    /// Which segments' packets are kept to be played again.
    private var isKept: [Bool] = []
    /// What is encoded in the first cycle, and in each later one.
    private var firstWork: [Int] = []
    private var laterWork: [Int] = []

    /// Cuts `frameCount` frames into segments of at most `interval` frames, so that what repeats coincides.
    ///
    /// - Parameter budget: of how many frames packets may be kept; segments beyond are encoded again.
    init(frameCount: Int, interval: Int, repetition: Repetition = Repetition(), keeping budget: Int = .max) {
        self.interval = interval
        cycleFrames = min(repetition.cycleFrames ?? frameCount, frameCount)
        let (cycles, rest) = frameCount.quotientAndRemainder(dividingBy: cycleFrames)
        let cuts = PlayOrder.cutsCycle(at: rest, interval: interval, cycles: cycles) ? [rest] : []
        for (start, end) in zip([0] + cuts, cuts + [cycleFrames]) {
            add(start..<end, stills: repetition.stills.map { $0.clamped(to: start..<end) }, isPart: !cuts.isEmpty)
        }
        let whole = cycle.prefix { $0.start + segments[$0.index].frameCount <= rest }
        let left = rest - (whole.last.map { $0.start + segments[$0.index].frameCount } ?? 0)
        count = cycles * cycle.count + whole.count + (left > 0 ? 1 : 0)
        if left > 0 {
            let segment = Segment(index: segments.count, firstFrame: frameCount - left, frameCount: left)
            segments.append(segment)
            remainder = segment
        }
        keepRepeated(budget)
    }

    private mutating func keepRepeated(_ budget: Int) {
        var kept = 0
        isKept = zip(segments, playCounts).map { segment, plays in
            guard plays > 1, kept + segment.frameCount <= budget else { return false }
            kept += segment.frameCount
            return true
        }
        for play in cycle where !isKept[play.index] || play.start == segments[play.index].firstFrame {
            firstWork.append(play.index)
        }
        laterWork = cycle.map(\.index).filter { !isKept[$0] }
    }

    /// Whether a cycle is cut where the clip will end, so that nothing of its beginning is encoded again: worth a key
    /// frame more in each of a few cycles, but not in each of many.
    private static func cutsCycle(at rest: Int, interval: Int, cycles: Int) -> Bool {
        cycles <= 3 && rest % interval > interval / 4
    }

    private mutating func add(_ range: Range<Int>, stills: [Range<Int>], isPart: Bool) {
        var next = range.lowerBound
        for still in stills where still.count >= max(2, interval) {
            addMoving(next..<still.lowerBound, isPart: isPart)
            // Pieces of one length are one segment; what is left over goes with what follows.
            let pieces = max(2, (still.count + interval - 1) / interval)
            let length = still.count / pieces
            let index = addSegment(still.lowerBound, count: length)
            for piece in 1..<pieces { cycle.append((index, still.lowerBound + piece * length)) }
            next = still.lowerBound + pieces * length
        }
        addMoving(next..<range.upperBound, isPart: isPart)
    }

    /// Whole intervals, the last ones made equal where one of two workers would else end long before the other. A part of
    /// a cycle has no rhythm to keep: it is cut into an even number of equal pieces.
    private mutating func addMoving(_ range: Range<Int>, isPart: Bool) {
        let pieces = (range.count + interval - 1) / interval
        guard !isPart else { return addEqual(range, pieces: min(range.count, pieces + pieces % 2)) }
        let rest = range.count - max(0, pieces - 1) * interval
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

    // MARK: What is played when

    /// A segment at its place in the output: whether its packets are there from before, and whether they are kept.
    struct Play {
        let segment: Segment
        let firstFrame: Int
        let isReplay: Bool
        let isKept: Bool
    }

    /// The segment that the output plays as its `position`th, and the frame at which it begins.
    func played(at position: Int) -> Play {
        if let remainder, position == count - 1 {
            return Play(segment: remainder, firstFrame: remainder.firstFrame, isReplay: false, isKept: false)
        }
        let (pass, entry) = position.quotientAndRemainder(dividingBy: cycle.count)
        let segment = segments[cycle[entry].index]
        let (firstFrame, isKept) = (pass * cycleFrames + cycle[entry].start, isKept[segment.index])
        let isReplay = isKept && firstFrame != segment.firstFrame
        return Play(segment: segment, firstFrame: firstFrame, isReplay: isReplay, isKept: isKept)
    }

    // MARK: What is encoded

    /// How many segments are encoded in all.
    var workCount: Int { zip(isKept, playCounts).reduce(0) { $0 + ($1.0 ? 1 : $1.1) } }

    /// How many frames are encoded in all.
    var framesToEncode: Int {
        zip(segments, zip(isKept, playCounts)).reduce(0) { $0 + $1.0.frameCount * ($1.1.0 ? 1 : $1.1.1) }
    }

    /// The segment that is encoded as the `number`th: in the order in which the output plays them.
    func work(_ number: Int) -> Segment {
        if let remainder, number == workCount - 1 { return remainder }
        if number < firstWork.count { return segments[firstWork[number]] }
        return segments[laterWork[(number - firstWork.count) % laterWork.count]]
    }

    /// How often each segment is played.
    private var playCounts: [Int] {
        var counts = [Int](repeating: 0, count: segments.count)
        let plays = count - (remainder == nil ? 0 : 1)
        let (cycles, rest) = plays.quotientAndRemainder(dividingBy: cycle.count)
        for (entry, play) in cycle.enumerated() { counts[play.index] += cycles + (entry < rest ? 1 : 0) }
        if let remainder { counts[remainder.index] += 1 }
        return counts
    }
}
