import Core

/// An alignment of two clips in time, which finds frames that are missing, repeated, or shown later
/// or earlier than in the other clip.
struct TimeAlignment {
    /// A pair of frames for the alignment.
    struct Entry {
        let signature: PairSignature
        let frame: Int
        let time: Double
        let isDifferent: Bool
    }

    /// Consecutive pairs whose actual frames are `shift` pairs late.
    struct Run {
        var pairs: Range<Int>
        let shift: Int
    }

    private let entries: [Entry]
    /// False for clips without times, whose changes are described by their frames alone.
    private let hasTimes: Bool
    /// The runs in order.
    let runs: [Run]

    /// The maximum number of pairs. The signatures of more would need more than 80 MB.
    static let maxPairs = 10_000
    /// The weight of a wrong time of one pair: it concerns the whole frame, so it outweighs changes
    /// of objects.
    static let weightPerPair = 1e9
    /// The largest shift in frames: half a second at 60 frames per second.
    private static let maxShift = 30
    /// The cost of a change of the shift, in multiples of the noise of a frame. A moving ball of 60
    /// pixels costs more in a single frame that is shown at the wrong time.
    private static let changeCost: Float = 12
    /// The cost of a repeated frame, which is more frequent than other changes.
    private static let holdCost: Float = 4
    /// The maximum cost of a frame, so that a changed object does not look like a shift.
    private static let maxCost: Float = 40
    /// The cost of a frame whose counterpart lies beyond the other clip's ends: more than that of
    /// coding noise, less than that of motion.
    private static let unknownCost: Float = 4
    /// The distance of two signatures that coding noise alone may cause.
    static let minNoise: Float = 0.004
    /// The factor by which a shift or another change of playback must bring frames closer to
    /// explain their difference.
    static let minGain: Float = 4

    init(_ entries: [Entry], hasTimes: Bool = true) {
        self.entries = entries
        self.hasTimes = hasTimes
        let distances = Self.distances(entries)
        let alike = entries.indices.filter { !entries[$0].isDifferent }
            .compactMap { distances[$0][Self.maxShift] }
        let noise = max(Self.minNoise, 2 * (alike.median ?? 0))
        let path = Self.bestPath(
            distances.map { row in row.map { $0.map { min(Self.maxCost, $0 / noise) } ?? Self.unknownCost } })
        var runs: [Run] = []
        for (index, shift) in path.enumerated() {
            if runs.last?.shift == shift {
                runs[runs.count - 1].pairs = runs[runs.count - 1].pairs.lowerBound..<index + 1
            } else {
                runs.append(Run(pairs: index..<index + 1, shift: shift))
            }
        }
        // A clip that jumps ahead and back again is an object that moved and came back.
        let isForward = zip(runs, runs.dropFirst()).allSatisfy { before, run in
            run.shift <= before.shift + 1 || run.shift != 0 && run.pairs.upperBound == entries.count
        }
        // A shift that does not bring frames closer explains nothing.
        let isExplained =
            isForward
            && runs.allSatisfy { run in
                guard run.shift != 0 else { return true }
                let column = run.shift + Self.maxShift
                var (shifted, unshifted): (Float, Float) = (0, 0)
                for pair in run.pairs {
                    guard let distance = distances[pair][column] else { continue }
                    shifted += distance
                    unshifted += distances[pair][Self.maxShift] ?? 0
                }
                return unshifted > Self.minGain * shifted + noise
            }
        self.runs = isExplained ? runs : [Run(pairs: entries.indices, shift: 0)]
    }

    /// Returns for each pair the distances of its actual frame from expected frames at all shifts;
    /// nil where the other clip has no frame.
    private static func distances(_ entries: [Entry]) -> [[Float?]] {
        entries.indices.map { index in
            (-maxShift...maxShift).map { shift in
                let other = index - shift
                guard entries.indices.contains(other) else { return nil }
                return entries[index].signature.actual.distance(to: entries[other].signature.expected)
            }
        }
    }

    /// Returns the shift of each pair with the least total cost (the Viterbi algorithm).
    private static func bestPath(_ costs: [[Float]]) -> [Int] {
        guard let first = costs.first else { return [] }
        // At the beginning no shift is the likeliest.
        var totals = first.indices.map { first[$0] + ($0 == maxShift ? 0 : changeCost) }
        var previous: [[Int]] = []
        for row in costs.dropFirst() {
            let best = totals.indices.min { (totals[$0], abs($0 - maxShift)) < (totals[$1], abs($1 - maxShift)) } ?? 0
            var origins: [Int] = []
            var next: [Float] = []
            for shift in row.indices {
                var origin = (shift: shift, total: totals[shift])
                if shift > 0, totals[shift - 1] + holdCost < origin.total {
                    origin = (shift - 1, totals[shift - 1] + holdCost)
                }
                if totals[best] + changeCost < origin.total { origin = (best, totals[best] + changeCost) }
                origins.append(origin.shift)
                next.append(row[shift] + origin.total)
            }
            previous.append(origins)
            totals = next
        }
        var shift = totals.indices.min { (totals[$0], abs($0 - maxShift)) < (totals[$1], abs($1 - maxShift)) } ?? 0
        var path = [shift - maxShift]
        for origins in previous.reversed() {
            shift = origins[shift]
            path.append(shift - maxShift)
        }
        return path.reversed()
    }

    /// Returns true if a pair is explained by a shift.
    func isShifted(_ pair: Int) -> Bool { runs.contains { $0.shift != 0 && $0.pairs.contains(pair) } }

    /// The changes of time.
    var changes: [ClipChange] {
        var changes: [ClipChange] = []
        for (index, run) in runs.enumerated() where index > 0 || run.shift != 0 {
            let before = index > 0 ? runs[index - 1].shift : 0
            // The expected frames between the last one shown and the next one.
            let skipped =
                run.pairs.lowerBound
                - before..<max(
                    run.pairs.lowerBound - before, run.pairs.lowerBound - run.shift)
            let missing = skipped.clamped(to: entries.indices)
            if index > 0, !missing.isEmpty { changes.append(missingChange(missing)) }
            guard run.shift != 0, index == runs.count - 1, run.pairs.count > 1 || before == 0 else { continue }
            changes.append(shiftChange(run))
        }
        return changes
    }

    private func missingChange(_ missing: Range<Int>) -> ClipChange {
        let first = entries[missing.lowerBound]
        let last = entries[missing.upperBound - 1]
        let words =
            missing.count == 1 ? "frame \(first.frame) is missing" : "frames \(first.frame)-\(last.frame) are missing"
        let time = hasTimes ? "at \(decimal(first.time)) s " : ""
        return change(time + words, first, last, missing.count)
    }

    private func shiftChange(_ run: Run) -> ClipChange {
        let first = entries[run.pairs.lowerBound]
        let last = entries[run.pairs.upperBound - 1]
        let amount = abs(run.shift) == 1 ? "1 frame" : "\(abs(run.shift)) frames"
        let direction = run.shift > 0 ? "later" : "earlier"
        let time = hasTimes ? "after \(decimal(first.time)) s " : "from frame \(first.frame) "
        let start = run.pairs.lowerBound == 0 ? "" : time
        return change("everything \(start)is \(amount) \(direction)", first, last, run.pairs.count)
    }

    private func change(_ text: String, _ first: Entry, _ last: Entry, _ count: Int) -> ClipChange {
        ClipChange(
            kind: .time, text: text, from: first.time.roundedToMillionths, to: last.time.roundedToMillionths,
            firstFrame: first.frame,
            lastFrame: last.frame, box: [], weight: Self.weightPerPair * Double(count))
    }
}
