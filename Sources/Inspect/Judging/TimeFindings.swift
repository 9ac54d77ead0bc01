import Animations
import Core

/// The findings of a curve of model time against recorded time.
struct TimeFindings {
    let frames: [AlignedFrame]
    let loader: any Loader
    let options: JudgeOptions
    /// The frames between a late start and an early end.
    let body: Range<Int>
    /// True for each frame that shows the same as the previous one although the loader moves.
    let isStill: [Bool]
    /// True for each frame that determines its model time.
    let isCertain: [Bool]
    /// The median interval of frames in seconds.
    let step: Double

    /// The change of a frame, relative to that of the moving loader, below which it stands still.
    private static let stillShare = 0.12
    /// The shortest standstill in seconds. Recorders repeat two or three frames under load.
    private static let minFreeze = 0.075
    /// The smallest relative change of the speed. Alignment of single frames leaves 0.1%.
    private static let minSpeedChange = 0.004
    /// The squared correlation with time from which a drift is another speed.
    private static let minCorrelation = 0.75
    /// The model time that may pass in a standstill, relative to its duration.
    private static let maxAdvance = 0.35
    /// The energy that remains after alignment, relative to the drawing's, above which a frame
    /// shows something else.
    private static let poorFit = 0.05

    init(_ frames: [AlignedFrame], _ loader: any Loader, _ speed: Double, _ options: JudgeOptions) {
        self.frames = frames
        self.loader = loader
        self.options = options
        let times = frames.map(\.time)
        step = ClipSurvey.medianStep(times)
        let floor = frames.map(\.alignedEnergy).sorted()[frames.count / 2]
        let drawing = frames.map(\.drawing).sorted()[frames.count / 2]
        let limit = options.tolerance.milliseconds / 1000
        isCertain = frames.map { frame in
            frame.sensitivity * limit * limit > 0.25 * floor
                && frame.alignedEnergy < max(3 * floor, Self.poorFit * frame.drawing)
                && frame.drawing > 0.15 * drawing
        }
        let noise = frames.map(\.change).sorted()[frames.count / 10]
        isStill = frames.indices.map { index in
            guard index > 0 else { return false }
            let seconds = speed * (times[index] - times[index - 1])
            let moved = frames[index].sensitivity * seconds * seconds
            return moved > 3 * noise && frames[index].change < Self.stillShare * moved + min(noise, 0.1 * moved)
        }
        let isBlank = frames.map { $0.drawing < 0.1 * drawing }
        var first = 0
        while first < frames.count - 1, isBlank[first] { first += 1 }
        while first < frames.count - 1, isStill[first + 1] { first += 1 }
        var last = frames.count
        while last > first + 1, isBlank[last - 1] { last -= 1 }
        while last > first + 1, isStill[last - 1] { last -= 1 }
        body = first..<last
    }

    /// The time of a frame.
    private func time(_ index: Int) -> Double { frames[index].time }

    /// The notes about what precedes and follows the animation.
    var notes: [Deviation] {
        var notes: [Deviation] = []
        if body.lowerBound > 1 {
            let time = time(body.lowerBound)
            notes.append(
                Deviation(
                    kind: .lateStart, time: 0...time, size: time, unit: "s",
                    text: "the animation starts \(DeviationWriter.seconds(time)) after the recording"))
        }
        if body.upperBound < frames.count - 1, let last = frames.last {
            let time = time(body.upperBound - 1)
            notes.append(
                Deviation(
                    kind: .earlyEnd, time: time...max(time, last.time), size: last.time - time, unit: "s",
                    text: "the animation ends \(DeviationWriter.seconds(last.time - time)) before the recording"))
        }
        return notes
    }

    // MARK: Standstills

    /// The standstills within the animation, as ranges of frames that repeat the one before them.
    var standstills: [Range<Int>] {
        var result: [Range<Int>] = []
        var index = body.lowerBound + 1
        while index < body.upperBound {
            guard isStill[index] else {
                index += 1
                continue
            }
            var end = index + 1
            while end < body.upperBound, isStill[end] { end += 1 }
            let duration = time(end - 1) - time(index - 1)
            // A slow motion changes little, too, but it goes on.
            let advance = abs(frames[end - 1].modelTime - frames[index - 1].modelTime)
            if end - index >= 2, duration >= Self.minFreeze, advance < Self.maxAdvance * duration * abs(options.speed) {
                result.append(index..<end)
            }
            index = end
        }
        return result
    }

    private func freezes() -> [Deviation] {
        standstills.map { range in
            let from = time(range.lowerBound - 1)
            let until = time(range.upperBound - 1)
            return Deviation(
                kind: .frozen, time: from...until, size: until - from, unit: "s",
                text: "frozen from \(DeviationWriter.decimal(from)) to \(DeviationWriter.decimal(until)) s")
        }
    }

    // MARK: Jumps

    /// The difference of a frame's model time from the design.
    private func lead(_ index: Int) -> Double { frames[index].modelTime - frames[index].expected }

    /// The frames in order whose time is certain.
    private var certain: [Int] { body.filter { isCertain[$0] } }

    private func jumps(_ speed: Double) -> [Deviation] {
        let certain = certain
        let standstills = standstills
        var result: [Deviation] = []
        let reach = 4
        guard certain.count > 2 * reach else { return [] }
        var position = reach
        while position <= certain.count - reach {
            let index = certain[position]
            let before = certain[position - reach..<position].map(lead).sorted()[reach / 2]
            let after = certain[position..<position + reach].map(lead).sorted()[reach / 2]
            let here = lead(index) - lead(certain[position - 1])
            let isNearFreeze = standstills.contains { $0.lowerBound - 2...$0.upperBound + 1 ~= index }
            let interval = speed * (time(index) - time(certain[position - 1]))
            let isJump = abs(here) > 0.7 * abs(speed) * step && abs(after - before) > 0.7 * abs(here)
            if isJump, here * speed > 0, !isNearFreeze, interval < 3 * abs(speed) * step,
                abs(here) > 1.2 * options.tolerance.milliseconds / 1000
            {
                result.append(missing(index, here / speed))
                position += reach
            } else {
                position += 1
            }
        }
        return result
    }

    private func missing(_ index: Int, _ gap: Double) -> Deviation {
        let count = Int((gap / step).rounded())
        let at = time(index)
        return Deviation(
            kind: .missingFrames, time: at...at, size: Double(count), unit: "frames",
            text:
                "\(count) frame\(count == 1 ? "" : "s") missing at \(DeviationWriter.decimal(at)) s: the motion skips "
                + DeviationWriter.seconds(gap))
    }

    /// Frames whose order was exchanged: single ones that lead or lag by a frame or more.
    private func swaps(_ speed: Double) -> [Deviation] {
        let limit = 0.6 * abs(speed) * step
        let certain = certain
        var result: [Deviation] = []
        var position = 1
        while position + 2 < certain.count {
            let times = (position - 1...position + 2).map { frames[certain[$0]].modelTime / (speed < 0 ? -1 : 1) }
            let isSwapped = times[1] - times[2] > limit && times[2] - times[0] > -limit && times[3] - times[1] > -limit
            if isSwapped {
                let at = time(certain[position])
                result.append(
                    Deviation(
                        kind: .swappedFrames, time: at...time(certain[position + 1]), size: 1, unit: "frames",
                        text: "frames swapped at \(DeviationWriter.decimal(at)) s"))
                position += 3
            } else {
                position += 1
            }
        }
        return result
    }

    // MARK: Slopes

    /// Returns the deviations in time.
    func deviations(_ speed: Double) -> [Deviation] {
        let slopes = slopeDeviations(speed)
        // Another timing function moves parts of a scene by different times, which look like jumps.
        let isEased = slopes.contains { $0.kind == .easing }
        return freezes() + (isEased ? [] : jumps(speed)) + swaps(speed) + slopes
    }

    /// The pairs of successive certain frames without an event between them.
    private var steadyPairs: [(Int, Int)] {
        let certain = certain
        return zip(certain, certain.dropFirst()).filter { a, b in
            b - a <= 3 && !(a + 1...b).contains { isStill[$0] }
                && abs(lead(b) - lead(a)) < 0.6 * step * Double(b - a)
        }
    }

    private func slopeDeviations(_ speed: Double) -> [Deviation] {
        let pairs = steadyPairs
        let duration = pairs.reduce(0) { $0 + time($1.1) - time($1.0) }
        guard duration > 0 else { return [] }
        let measured = speed + trend(pairs, speed)
        let easing = EasingFinding(loader: loader, tolerance: options.tolerance).deviations(progress)
        let phases = easing.isEmpty ? phaseDeviations(pairs, measured) : []
        if !phases.isEmpty { return phases }
        let drift = abs(measured - options.speed) * duration
        let isOther = abs(measured / options.speed - 1) > Self.minSpeedChange
        guard drift > options.tolerance.milliseconds / 1000, isOther else { return easing }
        return [DeviationWriter.speed(measured, options)] + easing
    }

    /// The progress within phases of all certain frames.
    private var progress: [EasingFinding.Sample] {
        let phases = loader.phases
        let period = loader.period.double
        return certain.compactMap { index in
            let expected = frames[index].expected
            let phase = loader.phase(atSeconds: expected)
            let start = (expected / period).rounded(.down) * period + phases[phase].start.double
            let duration = phases[phase].duration.double
            let shown = (frames[index].modelTime - start) / duration
            guard (-0.1...1.1).contains(shown) else { return nil }
            return EasingFinding.Sample(phase: phase, shown: shown, expected: (expected - start) / duration)
        }
    }

    /// Returns the model time per second by which the frames gain on the design; 0 if they do not
    /// gain evenly.
    private func trend(_ pairs: [(Int, Int)], _ speed: Double) -> Double {
        // Jumps and standstills are no drift, so only the steps between them are added up. Without
        // any, the lead itself is exact, and errors of steps do not add up.
        let isSteady = standstills.isEmpty && jumps(speed).isEmpty
        var sum = 0.0
        let points = pairs.map { a, b in
            sum += lead(b) - lead(a)
            return Point(time(b), isSteady ? lead(b) : sum)
        }
        let count = Double(max(1, points.count))
        let mean = points.reduce(Point.zero, +) * (1 / count)
        var (square, cross, total) = (0.0, 0.0, 0.0)
        for point in points {
            let offset = point - mean
            square += offset.x * offset.x
            cross += offset.x * offset.y
            total += offset.y * offset.y
        }
        guard square > 0, total > 0, cross * cross / (square * total) > Self.minCorrelation else { return 0 }
        return cross / square
    }

    /// Returns the phases that last longer or shorter than the others do on average.
    private func phaseDeviations(_ pairs: [(Int, Int)], _ measured: Double) -> [Deviation] {
        let phases = loader.phases
        guard phases.count > 1, measured > 0 else { return [] }
        var sums = phases.map { _ in (recorded: 0.0, model: 0.0) }
        for (a, b) in pairs {
            let phase = loader.phase(atSeconds: frames[a].modelTime)
            guard phase == loader.phase(atSeconds: frames[b].modelTime) else { continue }
            sums[phase].recorded += time(b) - time(a)
            sums[phase].model += frames[b].modelTime - frames[a].modelTime
        }
        let rates = zip(phases, sums).compactMap { phase, sum -> (Phase, Double)? in
            guard sum.model > 0.4 * phase.duration.double else { return nil }
            return (phase, sum.model / sum.recorded / options.speed)
        }
        guard rates.count > 1 else { return [] }
        let odd = rates.filter { phase, rate in
            abs(1 / rate - 1) * phase.duration.double > 2 * options.tolerance.milliseconds / 1000
                && abs(1 / rate - 1) > 0.04
        }
        // If all phases have one speed, the loader has another speed.
        guard !odd.isEmpty, odd.count <= rates.count / 2 else { return [] }
        return odd.map { phase, rate in
            let nominal = phase.duration.double / options.speed
            let actual = nominal / rate
            let text =
                "phase \(phase.name.english) lasts \(DeviationWriter.decimal(actual)) s instead of "
                + DeviationWriter.decimal(nominal)
            return Deviation(
                kind: .phaseDuration, phase: phase.name.english, size: abs(actual - nominal), unit: "s",
                expected: DeviationWriter.decimal(nominal, 4), actual: DeviationWriter.decimal(actual, 4), text: text)
        }
    }
}
