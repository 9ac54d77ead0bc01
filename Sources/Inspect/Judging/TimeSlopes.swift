import Animations
import Core

extension TimeFindings {
    /// The squared correlation with time from which a drift is another speed.
    private static let minCorrelation = 0.75
    /// The maximum number of stretches between jumps and standstills of which each has one offset,
    /// the part of a frame by which the frames of one differ from it, and the part of all frames
    /// that must.
    private static let maxSteps = 5
    private static let maxStepChange = 0.6
    private static let minSteady = 0.9
    /// The shortest standstill in seconds beside another timing function, whose slow ends look like
    /// shorter ones.
    private static let minEasedFreeze = 0.25
    /// The number of pairs of frames one period apart that measure a speed.
    private static let minPeriodicPairs = 8

    /// Returns the deviations in time.
    func deviations(_ speed: Double, _ writer: DeviationWriter) -> [Deviation] {
        let jumps = jumps(speed)
        let slopes = slopeDeviations(speed, writer)
        // Another timing function moves parts of a scene by different times, which look like jumps.
        let isEased = slopes.contains { $0.kind == .easing }
        guard isEased else { return freezes() + jumps + swaps(speed) + slopes }
        return freezes().filter { $0.size ?? 0 >= Self.minEasedFreeze } + slopes
    }

    /// The pairs of successive certain frames without an event between them.
    private var steadyPairs: [(Int, Int)] {
        let certain = certain
        return zip(certain, certain.dropFirst()).filter { a, b in
            b - a <= 3 && !(a + 1...b).contains { isStill[$0] }
                && abs(lead(b) - lead(a)) < 0.6 * step * Double(b - a)
        }
    }

    /// The certain frames of each stretch between standstills and jumps, without frames whose time
    /// is far from that of their neighbours.
    private func stretches(_ speed: Double) -> [[Int]] {
        let standstills = standstills
        let jumps = jumps(speed).compactMap(\.time?.lowerBound)
        let certain = certain.filter { index in !standstills.contains { $0.contains(index) } }
        var result: [Int: [Int]] = [:]
        for (position, index) in certain.enumerated() {
            let near = certain[max(0, position - 3)..<min(certain.count, position + 4)].map(lead).sorted()
            guard abs(lead(index) - near[near.count / 2]) < 2 * step * abs(speed) else { continue }
            let number =
                standstills.count { $0.upperBound <= index } + jumps.count { $0 <= time(index) }
            result[number, default: []].append(index)
        }
        return result.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Returns the speed measured between frames that show the same instant of successive periods,
    /// which does not depend on timing functions; nil if there are too few.
    private var periodicSpeed: Double? {
        let certain = certain
        let period = loader.period.double
        var speeds: [Double] = []
        var next = 0
        for index in certain {
            let target = frames[index].modelTime + period
            while next < certain.count, frames[certain[next]].modelTime < target { next += 1 }
            guard next < certain.count, certain[next] > index else { continue }
            let gap = frames[certain[next]].modelTime - frames[index].modelTime
            guard gap < period + step, time(certain[next]) > time(index) else { continue }
            speeds.append(gap / (time(certain[next]) - time(index)))
        }
        guard speeds.count >= Self.minPeriodicPairs else { return nil }
        return speeds.sorted()[speeds.count / 2]
    }

    private func slopeDeviations(_ speed: Double, _ writer: DeviationWriter) -> [Deviation] {
        let pairs = steadyPairs
        let duration = pairs.reduce(0) { $0 + time($1.1) - time($1.0) }
        guard duration > 0 else { return [] }
        let easing =
            isStepwise(speed)
            ? [] : EasingFinding(loader: loader, tolerance: options.tolerance).deviations(progress)
        // Another timing function makes parts of a phase faster, but not the whole period.
        let measured = (easing.isEmpty ? nil : periodicSpeed) ?? (speed + trend(speed))
        let phases = easing.isEmpty ? phaseDeviations(pairs, measured) : []
        if !phases.isEmpty { return phases }
        return easing + [writer.speed(measured)].compactMap { $0 }
    }

    /// True if the frames lead or lag by constant times between a few jumps and standstills, which
    /// another timing function does not do.
    private func isStepwise(_ speed: Double) -> Bool {
        let stretches = stretches(speed)
        guard stretches.count > 1, stretches.count <= Self.maxSteps else { return false }
        let steady = stretches.reduce(0) { sum, stretch in
            let leads = stretch.map(lead)
            let middle = leads.sorted()[leads.count / 2]
            return sum + leads.count { abs($0 - middle) < Self.maxStepChange * step * abs(speed) }
        }
        return Double(steady) > Self.minSteady * Double(stretches.joined().count)
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
    private func trend(_ speed: Double) -> Double {
        // Jumps and standstills are no drift, so each stretch between them has its own offset.
        // Single repeated frames belong to a stretch: without them, it would seem faster.
        var (square, cross, total) = (0.0, 0.0, 0.0)
        for stretch in stretches(speed) {
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
    private func isPeriodExplained(by phases: [(Phase, Double)]) -> Bool {
        guard let periodicSpeed else { return true }
        let designed = loader.period.double / options.speed
        let recorded = loader.period.double / periodicSpeed
        let explained = phases.reduce(designed) { $0 + $1.0.duration.double / options.speed * (1 / $1.1 - 1) }
        return abs(recorded - explained) < 0.5 * max(abs(recorded - designed), abs(explained - designed))
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
        guard !odd.isEmpty, odd.count <= rates.count / 2, isPeriodExplained(by: odd) else { return [] }
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
