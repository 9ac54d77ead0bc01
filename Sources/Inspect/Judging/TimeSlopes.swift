import Animations
import Core

extension TimeFindings {
    /// The squared correlation with time above which a drift is another speed.
    private static let minCorrelation = 0.75
    /// The maximum number of stretches between jumps and standstills in a stepwise recording.
    private static let maxStretches = 5
    /// The maximum difference of a lead from the median of its stretch, in frames.
    private static let maxLeadSpread = 0.6
    /// The minimum share of frames within that difference.
    private static let minSteadyShare = 0.9
    /// The minimum duration in seconds of a standstill if the timing function differs, because its
    /// slow ends look like shorter ones.
    private static let minEasedFreeze = 0.25
    /// The model time that may pass in a frame of such a standstill, relative to its duration.
    private static let maxEasedAdvance = 0.1
    /// The rms deviation in time that another speed may leave, relative to that of the fitted one,
    /// to be the only explanation. Beside another timing function, it leaves most of it.
    private static let maxSpeedResidual = 0.3
    /// The number of pairs of frames one period apart that measure a speed.
    private static let minPeriodicPairs = 8
    /// The maximum interval of two frames, and the maximum change of the lead from one to the next,
    /// both in frames, without a jump between them: missing frames in a longer interval could hide
    /// one, and a missing frame changes the lead by a whole frame.
    private static let steadyPair = (interval: 3, change: 0.6)
    /// The number of certain frames on each side whose median is the usual lead, and the maximum
    /// difference from it in frames. A frame that differs by more shows another instant that looks
    /// alike.
    private static let leadReach = 3
    private static let maxLeadError = 2.0

    /// Returns the deviations in time.
    ///
    /// - Parameter rests: the instants at which the loader stops or starts moving, as returned by
    ///   `FrameAligner.rests`.
    func deviations(_ writer: DeviationWriter, rests: [Double] = []) -> [Deviation] {
        let easing = EasingFinding(samples, loader, options.tolerance, rests: rests)
        let slopes = slopeDeviations(easing, writer)
        // Another timing function moves parts of a scene by different times, which look like jumps.
        let isEased = slopes.contains { $0.kind == .easing }
        guard isEased else {
            // The direction comes first: all other findings are relative to it.
            let isBackwards = slopes.contains { $0.kind == .backwards }
            // A phase of another duration explains the standstill of an element that rests in it.
            let isPaced = slopes.contains { $0.kind == .phaseDuration }
            let stops = isPaced ? standstills.filter { !isRest($0) } : standstills
            let found = freezes(stops) + jumps + swaps()
            let events = found + flashDeviations(besides: found)
            let all = isBackwards ? slopes + events : events + slopes
            return all.isEmpty ? [easing.unexplained].compactMap { $0.map(easing.deviation) } : all
        }
        let stops = freezes(standstills.filter(isFreezeOfEasedMotion))
        return slopes + stops + flashDeviations(besides: stops)
    }

    /// Returns true if a standstill is not just a slow end of another timing function.
    private func isFreezeOfEasedMotion(_ range: Range<Int>) -> Bool {
        let advances = range.map { abs(frames[$0].modelTime - frames[$0 - 1].modelTime) }
        return time(range.upperBound - 1) - time(range.lowerBound - 1) >= Self.minEasedFreeze
            && advances.median ?? 0 < Self.maxEasedAdvance * step * abs(speed)
    }

    /// True if there are successive frames with certain times without a standstill or jump between
    /// them.
    private var hasSteadyPair: Bool {
        let certain = certain
        return zip(certain, certain.dropFirst()).contains { a, b in
            b - a <= Self.steadyPair.interval && !(a + 1...b).contains { evidence.isStill[$0] }
                && abs(lead(b) - lead(a)) < Self.steadyPair.change * step * Double(b - a)
        }
    }

    /// Returns the frames with certain times of each stretch between standstills and jumps, without
    /// those whose time is far from that of their neighbours.
    func stretches(between jumps: [Deviation]) -> [[Int]] {
        let jumps = jumps.compactMap(\.time?.lowerBound)
        let certain = certain.filter { index in !standstills.contains { $0.contains(index) } }
        var result: [Int: [Int]] = [:]
        for (position, index) in certain.enumerated() {
            let positions = position - Self.leadReach..<position + Self.leadReach + 1
            let near = certain[positions.clamped(to: certain.indices)].map(lead)
            guard abs(lead(index) - (near.median ?? 0)) < Self.maxLeadError * step * abs(speed) else { continue }
            let number =
                standstills.count { $0.upperBound <= index } + jumps.count { $0 <= time(index) }
            result[number, default: []].append(index)
        }
        return result.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The speed measured between frames that show the same instant of successive periods, which
    /// does not depend on timing functions; nil if there are too few.
    private var periodicSpeed: Double? {
        let certain = certain
        // A pair with a jump or standstill in between would show it as a change of the speed.
        var stretch = [Int](repeating: -1, count: frames.count)
        for (number, indices) in stretches.enumerated() {
            for index in indices { stretch[index] = number }
        }
        let period = loader.period.double
        var speeds: [Double] = []
        var next = 0
        for index in certain {
            let target = frames[index].modelTime + period
            while next < certain.count, frames[certain[next]].modelTime < target { next += 1 }
            guard next < certain.count, certain[next] > index else { continue }
            let gap = frames[certain[next]].modelTime - frames[index].modelTime
            // The frame at the same instant is at most a frame later.
            guard gap < period + step, time(certain[next]) > time(index), stretch[index] >= 0,
                stretch[index] == stretch[certain[next]]
            else { continue }
            speeds.append(gap / (time(certain[next]) - time(index)))
        }
        guard speeds.count >= Self.minPeriodicPairs else { return nil }
        return speeds.median
    }

    /// Returns the deviations that change the slope of the curve: phases with other durations,
    /// another timing function or another speed.
    private func slopeDeviations(
        _ easing: EasingFinding, _ writer: DeviationWriter
    ) -> [Deviation] {
        guard hasSteadyPair else { return [] }
        let durations = durations
        let phases = durations.changedPhases
        let isStepwise = isStepwise(stretches)
        let named = isStepwise ? nil : easing.named()
        let periodicSpeed = periodicSpeed
        let measured = periodicSpeed ?? speed + trend
        // Both residuals are in seconds of model time, like those of timing functions.
        let phaseResidual = options.speed * durations.residual(phases, at: options.speed)
        let speedResidual = options.speed * durations.residual([], at: measured)
        let otherResidual = min(named?.residual ?? .infinity, speedResidual)
        if !phases.isEmpty, phaseResidual < otherResidual { return phases.map(deviation) }
        if let other = writer.speed(measured), speedResidual < Self.maxSpeedResidual * easing.plainResidual,
            speedResidual < named?.residual ?? .infinity
        {
            return [other]
        }
        // Missing frames shift the times in a part of a phase, as an unknown timing function would.
        // Where jumps were found, they are the explanation.
        guard let fit = named ?? (isStepwise || !jumps.isEmpty ? nil : easing.unnamed()) else {
            return [writer.speed(measured)].compactMap { $0 }
        }
        // Another timing function makes parts of a phase faster, but not the whole period.
        return [easing.deviation(fit), periodicSpeed.flatMap(writer.speed)].compactMap { $0 }
    }

    /// Returns true if the frames lead or lag by constant times between a few jumps and
    /// standstills, which another timing function does not do.
    func isStepwise(_ stretches: [[Int]]) -> Bool {
        guard stretches.count > 1, stretches.count <= Self.maxStretches else { return false }
        let steady = stretches.reduce(0) { sum, stretch in
            let leads = stretch.map(lead)
            let middle = leads.median ?? 0
            return sum + leads.count { abs($0 - middle) < Self.maxLeadSpread * step * abs(speed) }
        }
        return Double(steady) > Self.minSteadyShare * Double(stretches.joined().count)
    }

    /// The median lead of each stretch for the frames in it, nil for the others; nil if there are
    /// no standstills and jumps, or too many.
    var stepLeads: [Double?]? {
        guard stretches.count > 1, stretches.count <= Self.maxStretches else { return nil }
        var result = [Double?](repeating: nil, count: frames.count)
        for stretch in stretches {
            let middle = stretch.map(lead).median
            for index in stretch { result[index] = middle }
        }
        return result
    }

    /// The model times of all certain frames, except single frames whose time is far from that of
    /// their neighbours.
    private var samples: [EasingFinding.Sample] {
        stretches.joined().map {
            EasingFinding.Sample(shown: frames[$0].modelTime, expected: frames[$0].expected)
        }
    }

    /// The model time per second by which the frames gain on the fitted pose; 0 if they do not gain
    /// evenly and the fitted speed is the designed one.
    private var trend: Double {
        // Jumps and standstills are not drift, so each stretch between them has its own offset.
        // Single repeated frames belong to a stretch: without them, it would seem faster.
        var square = 0.0
        var cross = 0.0
        var total = 0.0
        for stretch in stretches {
            let points = stretch.map { Point(time($0), lead($0)) }
            let mean = points.reduce(Point.zero, +) * (1 / Double(max(1, points.count)))
            for point in points {
                let offset = point - mean
                square += offset.x * offset.x
                cross += offset.x * offset.y
                total += offset.y * offset.y
            }
        }
        guard square > 0, total > 0 else { return 0 }
        // A speed that is known to differ is corrected by any trend.
        let isOther = speed != options.speed
        guard isOther || cross * cross / (square * total) > Self.minCorrelation else { return 0 }
        return cross / square
    }

    /// The durations of the loader's phases.
    var durations: PhaseDurations {
        let samples = stretches.enumerated().flatMap { number, indices in
            indices.map { index in
                PhaseDurations.Sample(
                    time: time(index), shown: frames[index].modelTime, sensitivity: frames[index].sensitivity,
                    stretch: number)
            }
        }
        return PhaseDurations(samples, loader, options)
    }

    private func deviation(_ changed: PhaseDurations.Rate) -> Deviation {
        let name = changed.phase.name.english
        let nominal = changed.phase.duration.double / options.speed
        let actual = nominal / changed.rate
        return Deviation(
            kind: .phaseDuration, phase: name, size: abs(actual - nominal), unit: "s",
            expected: DeviationWriter.decimal(nominal, 4), actual: DeviationWriter.decimal(actual, 4),
            text: "phase \(name) lasts \(DeviationWriter.decimal(actual)) s instead of "
                + DeviationWriter.decimal(nominal))
    }
}
