import Core

/// The alignment of a clip's frames with the times of the built-in loader that it shows, which
/// finds frames that are missing, repeated, or show something else.
struct LoaderAlignmentCheck {
    /// The shift of each frame from `line`, in instants; empty before the alignment.
    private(set) var path: [Int] = []
    /// The faults within the clip; nil if the loader with a few faults does not explain it.
    private(set) var faults: [Finding]?
    /// True if the last frame is followed by the first one in the loader's time; nil if unknown.
    private(set) var isSeamRight: Bool?
    /// The fault at the seam; nil if there is none.
    private(set) var seamFault: Finding?

    let samples: [LoaderTimeline.Sample]
    let model: LoaderInstants
    /// The difference of each frame from each instant, a row per frame, minus the smallest
    /// difference of that frame and minus the tolerance `betweenInstants`; at least 0.
    private let excesses: [Float]
    /// The index of the instant that each frame shows if nothing is wrong.
    let line: [Int]
    /// The smallest difference of each frame from any instant, minus the tolerance
    /// `betweenInstants`; at least 0.
    private let smallest: [Float]
    /// The usual difference between a frame and its instant: the noise of encoding.
    private let noise: Float
    /// The mean difference between a frame and the next one.
    let motion: Float
    /// The median interval between frames, in instants.
    let interval: Double

    /// The maximum number of faults. More are the clip's own design, such as a converted frame rate
    /// or another order of playback.
    private static let maxFaults = 3
    /// The maximum share of the frames that may show something else.
    private static let maxWrongPart = 0.15
    /// The cost of a change of the alignment, in frames that show another instant.
    private static let changeCost: Float = 3
    /// The cost of a drift by one instant, which occurs if a clip's frame rate is rounded.
    private static let driftCost: Float = 2
    /// The excess at which a frame costs as much as one that shows another instant, relative to the
    /// noise and to the mean motion; the larger one counts. Frames lie between instants, which adds
    /// up to a quarter of the motion at 60 frames per second.
    private static let costNoise: Float = 1
    private static let costMotion: Float = 0.3
    /// The maximum difference of a frame from the instant that it shows, relative to the noise and
    /// to the mean motion. Encoders repeat parts of frames where little moves.
    private static let maxNoise: Float = 5
    private static let maxMotion: Float = 0.8
    /// The minimum difference, relative to the loader's variation, of a frame that shows no
    /// instant.
    private static let minForeign: Float = 0.01
    /// The minimum of `limit` and `fullCost`, relative to the loader's variation.
    private static let minVariation: Float = 0.0002
    /// The minimum difference of a frame that shows no instant, relative to the median difference
    /// of its neighbours.
    private static let maxNoiseAround: Float = 4
    /// The part of the change between two instants by which a frame between them may differ from
    /// the nearest one. If the loader moves evenly, it is a quarter; where it changes suddenly, it
    /// is larger.
    private static let betweenInstants: Float = 0.5
    /// The minimum change of the alignment in frames.
    private static let minShift = 0.6
    /// The maximum distances, in frames, of the first frames from their instants. Programs that
    /// convert the frame rate keep the first frames, and round the times of the others: 50 frames
    /// per second become 25 with the frames 0, 1, 2, 3, 5, 7 and so on.
    private static let maxFirstShifts = [1.6, 1.1]
    /// The playback speeds to try, in order. Most clips have normal speed, so it comes first: with
    /// a long fault, another speed may seem to fit as well.
    private static let speeds = [1, 0.5, 1 / 3.0, 0.25, 0.2, 1 / 6.0, 0.125, 0.1, 2, 3, 4, 1.5, 0.75]

    /// Returns the alignment of a clip at the speed with the fewest faults; nil if it shows no
    /// loader or has too many faults at all speeds.
    ///
    /// - Parameters:
    ///   - lastSeconds: the duration of the last frame in seconds.
    ///   - loops: true to examine the seam, too.
    static func best(_ timeline: LoaderTimeline, lastSeconds: Double, loops: Bool) -> LoaderAlignmentCheck? {
        guard let model = timeline.loaderInstants() else { return nil }
        let count = model.frames.count
        let table = timeline.samples.flatMap { sample in
            model.frames.map { Float(SmallFrames.difference(sample.pixels, $0)) }
        }
        let rows = (0..<timeline.samples.count).map { table[$0 * count..<($0 + 1) * count].map(Double.init) }
        let timing = CoarseTiming(table: rows, times: timeline.samples.map(\.time), period: model.period)
        var best: LoaderAlignmentCheck?
        for speed in speeds {
            var check = LoaderAlignmentCheck(timeline.samples, model, table, timing.best(speed: speed))
            guard check.interval > 0 else { return nil }
            let path = check.bestPath()
            check.path = path
            check.faults = check.findings(path)
            guard let faults = check.faults, faults.count < best?.faults?.count ?? .max else { continue }
            if loops { check.examineSeam(path, lastInstants: lastSeconds * speed / model.period * Double(count)) }
            best = check
            if faults.isEmpty { break }
        }
        return best
    }

    private init(
        _ samples: [LoaderTimeline.Sample], _ model: LoaderInstants, _ table: [Float], _ timing: CoarseTiming.Line
    ) {
        let count = model.frames.count
        self.samples = samples
        self.model = model
        func lowest(_ table: [Float]) -> [Float] {
            samples.indices.map { table[$0 * count..<($0 + 1) * count].min() ?? 0 }
        }
        let nearest = lowest(table)
        noise = Float(nearest.map(Double.init).median ?? 0)
        let between = model.changes.map { Self.betweenInstants * Float($0) }
        let rest = table.indices.map { max(0, table[$0] - between[$0 % count]) }
        smallest = lowest(rest)
        excesses = rest.indices.map { max(0, rest[$0] - nearest[$0 / count]) }
        let changes = zip(samples.dropFirst(), samples).map { SmallFrames.difference($0.pixels, $1.pixels) }
        motion = Float(changes.reduce(0, +) / Double(max(1, changes.count)))
        let perSecond = timing.speed / model.period * Double(count)
        let first = timing.start / model.period * Double(count)
        line = samples.map { Self.wrapped(Int((first + perSecond * $0.time).rounded()), count) }
        let steps = zip(samples.dropFirst(), samples).map { $0.time - $1.time }
        interval = (steps.median ?? 0) * perSecond
    }

    static func wrapped(_ index: Int, _ count: Int) -> Int { ((index % count) + count) % count }

    /// Returns a shift of less than half a period, forward or backward.
    private func signed(_ shift: Int) -> Int {
        let count = model.frames.count
        let index = Self.wrapped(shift, count)
        return index > count / 2 ? index - count : index
    }

    /// The difference above which a frame does not show an instant.
    private var limit: Float { max(Self.maxNoise * noise, Self.maxMotion * motion, minDifference) }

    /// The difference that has the full cost.
    private var fullCost: Float { max(Self.costNoise * noise, Self.costMotion * motion, minDifference) }
    private var minDifference: Float { Self.minVariation * Float(model.variation) }

    /// Returns true if a frame shows no instant of the loader.
    private func isForeign(_ index: Int) -> Bool {
        let around = (max(0, index - 4)...min(samples.count - 1, index + 4)).map { Double(smallest[$0]) }
        return smallest[index] > max(limit, Self.minForeign * Float(model.variation))
            && smallest[index] > Self.maxNoiseAround * Float(around.median ?? 0)
    }

    /// Returns the value of `excesses` for a frame at a shift from `line`.
    private func excess(_ index: Int, shift: Int) -> Float {
        let count = model.frames.count
        return excesses[index * count + Self.wrapped(line[index] + shift, count)]
    }

    /// Returns true if a frame shows another instant than those around a shift from the line.
    private func isMisplaced(_ index: Int, shift: Int) -> Bool {
        let isFirst = Self.maxFirstShifts.indices.contains(index)
        let reach = max(2, Int((isFirst ? Self.maxFirstShifts[index] : Self.minShift) * interval))
        return (shift - reach...shift + reach).allSatisfy { excess(index, shift: $0) > limit }
    }

    /// Returns the shift of each frame with the lowest sum of all costs.
    private func bestPath() -> [Int] {
        let count = model.frames.count
        var costs = [Float](repeating: 0, count: count)
        var sources: [[Int32]] = []
        let full = fullCost
        for index in samples.indices {
            let isForeign = isForeign(index)
            let lowest = costs.indices.min { costs[$0] < costs[$1] } ?? 0
            var next = costs
            var source = (0..<count).map(Int32.init)
            for shift in 0..<count {
                for neighbor in [(shift + 1) % count, (shift + count - 1) % count]
                where costs[neighbor] + Self.driftCost < next[shift] {
                    next[shift] = costs[neighbor] + Self.driftCost
                    source[shift] = Int32(neighbor)
                }
                if costs[lowest] + Self.changeCost < next[shift] {
                    next[shift] = costs[lowest] + Self.changeCost
                    source[shift] = Int32(lowest)
                }
                if !isForeign { next[shift] += min(1, excess(index, shift: shift) / full) }
            }
            costs = next
            sources.append(source)
        }
        var shift = costs.indices.min { costs[$0] < costs[$1] } ?? 0
        var path: [Int] = []
        for source in sources.reversed() {
            path.append(shift)
            shift = Int(source[shift])
        }
        return path.reversed()
    }

    // MARK: Findings

    /// Returns the faults of an alignment, or nil if there are too many.
    private func findings(_ path: [Int]) -> [Finding]? {
        var faults: [Finding] = []
        var wrongCount = 0
        var index = 0
        while index < samples.count {
            let start = index
            while index < samples.count, isWrong(index, path) { index += 1 }
            let wrong = start..<index
            wrongCount += wrong.count
            let shift = index < samples.count && start > 0 ? signed(path[index] - path[start - 1]) : 0
            let frames = Double(shift) / interval
            let isShifted = abs(frames) >= Self.minShift && abs(shift) > 1
            if isShifted || !wrong.isEmpty { faults.append(fault(wrong, frames: isShifted ? frames : 0, at: start)) }
            index += 1
        }
        guard faults.count <= Self.maxFaults, Double(wrongCount) <= max(8, Self.maxWrongPart * Double(samples.count))
        else { return nil }
        return faults
    }

    private func isWrong(_ index: Int, _ path: [Int]) -> Bool {
        isForeign(index) || isMisplaced(index, shift: path[index])
    }

    /// Describes wrong frames, followed by a change of the alignment by a number of frames.
    private func fault(_ wrong: Range<Int>, frames: Double, at index: Int) -> Finding {
        let before = samples[max(0, index - 1)]
        let count = Int(abs(frames).rounded())
        if frames > 0 {
            return Finding(
                .pictureMissing, .error, time: before.time, frame: before.frame,
                "\(count == 1 ? "1 frame is" : "\(count) frames are") missing after this one, compared with "
                    + "\(model.name); render the clip again")
        }
        let repeated = wrong.prefix { index in
            index > 0
                && SmallFrames.difference(samples[index].pixels, samples[wrong.lowerBound - 1].pixels)
                    < Double(limit)
        }
        if frames < 0 || !wrong.isEmpty && repeated.count == wrong.count {
            let number = max(count, wrong.count)
            return Finding(
                .pictureFrozen, .error, time: before.time, frame: before.frame,
                "\(number == 1 ? "the next frame repeats an earlier one" : "the next \(number) frames repeat earlier ones"), compared "
                    + "with \(model.name); render the clip again")
        }
        let first = samples[wrong.lowerBound]
        let isForeign = wrong.contains(where: isForeign)
        return Finding(
            .pictureJumps, .error, time: first.time, frame: first.frame,
            (wrong.count == 1 ? "the frame shows " : "\(wrong.count) frames from here show ")
                + (isForeign ? "something other than \(model.name)" : "another instant of \(model.name)")
                + "; render the clip again")
    }

    // MARK: Seam

    /// The maximum number of frames that are missing or repeated at the seam of a loop. A clip with
    /// a larger difference is a part of a cycle, not a loop.
    private static let maxSeamFrames = 8.0

    /// Compares the loader's time after the last frame with that of the first one.
    private mutating func examineSeam(_ path: [Int], lastInstants: Double) {
        guard let last = samples.last, let firstShift = path.first, let lastShift = path.last,
            !isWrong(0, path), !isWrong(samples.count - 1, path)
        else { return }
        let count = model.frames.count
        let expected = Self.wrapped(line[samples.count - 1] + lastShift + Int(lastInstants.rounded()), count)
        let first = Self.wrapped(line[0] + firstShift, count)
        let shift = signed(first - expected)
        let frames = Double(shift) / interval
        guard abs(frames) >= Self.minShift, abs(shift) > 1 else {
            // In slow motion, a frame is less than an instant, so a missing one is not seen.
            isSeamRight = interval >= Self.minInterval ? true : nil
            return
        }
        // The first frame looks like the expected instant where the loader rests.
        guard excess(0, shift: expected - line[0]) > limit, abs(frames) <= Self.maxSeamFrames else { return }
        let number = max(1, Int(abs(frames).rounded()))
        seamFault =
            frames > 0
            ? Finding(
                .seamDropped, .error, time: last.time, frame: last.frame,
                "if looped, \(number == 1 ? "1 frame is" : "\(number) frames are") missing at the restart, compared "
                    + "with \(model.name); render to the end of the cycle")
            : Finding(
                .seamDoubled, .error, time: last.time, frame: last.frame,
                "if looped, \(number == 1 ? "a frame is" : "\(number) frames are") repeated at the restart, compared "
                    + "with \(model.name); remove the last \(number == 1 ? "frame" : "\(number) frames")")
    }
}
