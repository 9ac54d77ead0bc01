import Animations
import Core

extension TimeFindings {
    /// The squared correlation with time from which a drift is another speed.
    private static let minCorrelation = 0.75
    /// The maximum number of stretches between jumps and standstills in a stepwise recording.
    private static let maxStretches = 5
    /// The maximum difference of a lead from the median of its stretch, in frames.
    private static let maxLeadSpread = 0.6
    /// The minimum share of frames within that difference.
    private static let minSteadyShare = 0.9
    /// The shortest standstill in seconds beside another timing function, whose slow ends look like
    /// shorter ones.
    private static let minEasedFreeze = 0.25
    /// The number of pairs of frames one period apart that measure a speed.
    private static let minPeriodicPairs = 8

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
            // All other findings are relative to the direction.
            let isBackwards = slopes.contains { $0.kind == .backwards }
            let events = freezes() + jumps + swaps()
            let found = isBackwards ? slopes + events : events + slopes
            return found.isEmpty ? [easing.unexplained].compactMap { $0.map(easing.deviation) } : found
        }
        return freezes().filter { $0.size ?? 0 >= Self.minEasedFreeze } + slopes
    }

    /// The pairs of successive frames with certain times, without a standstill or jump between
    /// them.
    private var steadyPairs: [(Int, Int)] {
        let certain = certain
        return zip(certain, certain.dropFirst()).filter { a, b in
            b - a <= 3 && !(a + 1...b).contains { isStill[$0] }
                && abs(lead(b) - lead(a)) < 0.6 * step * Double(b - a)
        }
    }

    /// Returns the frames with certain times of each stretch between standstills and jumps, without
    /// those whose time is far from that of their neighbours.
    func stretches(between jumps: [Deviation]) -> [[Int]] {
        let jumps = jumps.compactMap(\.time?.lowerBound)
        let certain = certain.filter { index in !standstills.contains { $0.contains(index) } }
        var result: [Int: [Int]] = [:]
        for (position, index) in certain.enumerated() {
            let near = certain[max(0, position - 3)..<min(certain.count, position + 4)].map(lead)
            guard abs(lead(index) - (near.median ?? 0)) < 2 * step * abs(speed) else { continue }
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
        // Pairs on both sides of a jump or standstill would count it as a change of the speed.
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
        let pairs = steadyPairs
        let duration = pairs.reduce(0) { $0 + time($1.1) - time($1.0) }
        guard duration > 0 else { return [] }
        let phases = oddPhases
        let isStepwise = isStepwise(stretches)
        let named = isStepwise ? nil : easing.named()
        let periodicSpeed = periodicSpeed
        let measured = periodicSpeed ?? speed + trend
        let phaseResidual = residual(phases, at: options.speed)
        if !phases.isEmpty, phaseResidual < named?.residual ?? .infinity, phaseResidual < residual([], at: measured) {
            return phases.map(deviation)
        }
        // Missing frames shift the times in a part of a phase, as an unknown timing function would.
        // Where jumps were found, they are the explanation.
        guard let fit = named ?? (isStepwise || !jumps.isEmpty ? nil : easing.unnamed()) else {
            return [writer.speed(measured)].compactMap { $0 }
        }
        // Another timing function makes parts of a phase faster, but not the whole period.
        return [easing.deviation(fit), periodicSpeed.flatMap(writer.speed)].compactMap { $0 }
    }

    /// True if the frames lead or lag by constant times between a few jumps and standstills, which
    /// another timing function does not do.
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

    /// The model times of all certain frames but single ones far from their neighbours'.
    private var samples: [EasingFinding.Sample] {
        stretches.joined().map {
            EasingFinding.Sample(shown: frames[$0].modelTime, expected: frames[$0].expected)
        }
    }

    /// The model time per second by which the frames gain on the fitted pose; 0 if they do not gain
    /// evenly and the fitted speed is the designed one.
    private var trend: Double {
        // Jumps and standstills are no drift, so each stretch between them has its own offset.
        // Single repeated frames belong to a stretch: without them, it would seem faster.
        var (square, cross, total) = (0.0, 0.0, 0.0)
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

    /// True unless the measured period shows that the phases without motion have another length,
    /// too: then the whole loader has another speed.
    private func isPeriodExplained(by phases: [PhaseRate]) -> Bool {
        guard let periodicSpeed else { return true }
        let designed = loader.period.double / options.speed
        let recorded = loader.period.double / periodicSpeed
        let explained = phases.reduce(designed) { $0 + $1.phase.duration.double / options.speed * (1 / $1.rate - 1) }
        return abs(recorded - explained) < 0.5 * max(abs(recorded - designed), abs(explained - designed))
    }

    /// A phase and the speed at which the recording passes through it.
    struct PhaseRate {
        var phase: Phase
        /// The speed relative to the designed one; less than 1 if the phase lasts longer.
        var rate: Double
    }

    /// The phases whose duration differs from the design; empty if another speed of the whole
    /// loader explains them.
    var oddPhases: [PhaseRate] {
        let phases = loader.phases
        guard phases.count > 1 else { return [] }
        var sums = phases.map { _ in (recorded: 0.0, model: 0.0) }
        for (a, b) in steadyPairs {
            let phase = loader.phase(atSeconds: frames[a].modelTime)
            guard phase == loader.phase(atSeconds: frames[b].modelTime) else { continue }
            sums[phase].recorded += time(b) - time(a)
            sums[phase].model += frames[b].modelTime - frames[a].modelTime
        }
        let rates = zip(phases, sums).compactMap { phase, sum -> PhaseRate? in
            guard sum.model > 0.4 * phase.duration.double else { return nil }
            return PhaseRate(phase: phase, rate: sum.model / sum.recorded / options.speed)
        }
        let all = rates + stillPhases(except: Set(rates.map(\.phase.index)))
        guard all.count > 1 else { return [] }
        let odd = all.filter { odd in
            abs(1 / odd.rate - 1) * odd.phase.duration.double > 2 * options.tolerance.milliseconds / 1000
                && abs(1 / odd.rate - 1) > 0.04
        }
        // If all phases have one speed, the loader has another speed.
        guard odd.count <= all.count / 2, isPeriodExplained(by: odd) else { return [] }
        return odd
    }

    /// The phases in which no frame tells its time, with the rates at which the frames around them
    /// say that they pass.
    private func stillPhases(except moving: Set<Int>) -> [PhaseRate] {
        let certain = certain.filter { !isStill[$0] }
        var passages: [Int: [Double]] = [:]
        for (a, b) in zip(certain, certain.dropFirst()) where b - a > 3 {
            let (first, last) = (frames[a].modelTime, frames[b].modelTime)
            let skipped = loader.phases.filter { phase in
                let middle = phase.start.double + phase.duration.double / 2
                let period = loader.period.double
                let next = middle + ((first - middle) / period).rounded(.up) * period
                return !moving.contains(phase.index) && next < last
            }
            guard skipped.count == 1, let phase = skipped.first else { continue }
            let extra = (time(b) - time(a)) * options.speed - (last - first)
            passages[phase.index, default: []].append(extra)
        }
        return passages.sorted { $0.key < $1.key }.compactMap { index, extras in
            let phase = loader.phases[index]
            let duration = phase.duration.double + (extras.median ?? 0)
            return duration > 0.1 * phase.duration.double
                ? PhaseRate(phase: phase, rate: phase.duration.double / duration) : nil
        }
    }

    /// Returns the rms residual in seconds, without the mean, of the frames' times if phases have
    /// other durations.
    ///
    /// - Parameters:
    ///   - odd: the phases with other durations. Their rates are relative to the design.
    ///   - rate: the speed of the others, in seconds of model time per second.
    private func residual(_ odd: [PhaseRate], at rate: Double) -> Double {
        let period = loader.period.double
        let durations = loader.phases.map { phase in
            phase.duration.double / (odd.first { $0.phase.index == phase.index }?.rate ?? 1)
        }
        let errors = stretches.joined().map { index -> Double in
            let shown = frames[index].modelTime
            let cycle = (shown / period).rounded(.down)
            let phase = loader.phase(atSeconds: shown)
            let start = loader.phases[phase].start.double
            let scale = durations[phase] / loader.phases[phase].duration.double
            let needed = cycle * durations.reduce(0, +) + durations[..<phase].reduce(0, +)
            return (needed + scale * (shown - cycle * period - start)) / rate - time(index)
        }
        let mean = errors.reduce(0, +) / Double(max(1, errors.count))
        let squares = errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (squares / Double(max(1, errors.count))).squareRoot()
    }

    private func deviation(_ odd: PhaseRate) -> Deviation {
        let name = odd.phase.name.english
        let nominal = odd.phase.duration.double / options.speed
        let actual = nominal / odd.rate
        return Deviation(
            kind: .phaseDuration, phase: name, size: abs(actual - nominal), unit: "s",
            expected: DeviationWriter.decimal(nominal, 4), actual: DeviationWriter.decimal(actual, 4),
            text: "phase \(name) lasts \(DeviationWriter.decimal(actual)) s instead of "
                + DeviationWriter.decimal(nominal))
    }
}
