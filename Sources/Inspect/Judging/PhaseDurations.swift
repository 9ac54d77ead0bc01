import Animations
import Core

/// The durations of a loader's phases, fitted to the times of frames by least squares.
///
/// The recorded time is a piecewise linear function of the model time, with a slope for each phase.
/// So the duration of a phase without motion follows from the frames before and after it, and slow
/// ends of a motion, which determine the time imprecisely, have a small weight.
struct PhaseDurations {
    /// A frame with a known model time.
    struct Sample {
        /// Seconds from the recording's first frame.
        var time: Double
        /// The model time that the frame shows, in seconds.
        var shown: Double
        /// The frame's evidence of its model time, in any unit.
        var sensitivity: Double
        /// The number of the stretch between standstills and jumps, each with an offset of its own.
        var stretch: Int
    }

    /// A phase and the speed at which the recording passes through it.
    struct Rate {
        var phase: Phase
        /// The speed relative to the designed one; less than 1 if the phase lasts longer.
        var rate: Double
    }

    private let phases: [Phase]
    private let period: Double
    /// The designed speed.
    private let speed: Double
    private let tolerance: Double
    private let samples: [Sample]
    private let weights: [Double]

    /// The smallest relative change of a duration: for a phase of one second 40 ms, more than twice
    /// the default tolerance.
    private static let minChange = 0.04
    /// The part of a phase that must be shown to measure it. More than half of a phase that is
    /// shown for less would be extrapolated.
    private static let minShown = 0.4
    /// The rms deviation that other durations may leave, relative to that of the design or, for two
    /// phases, of the better one alone.
    private static let maxResidualShare = 0.4
    /// The smallest number of samples.
    private static let minSamples = 8
    /// The smallest weight of a frame relative to that of the median one.
    private static let minWeight = 1e-3

    init(_ samples: [Sample], _ loader: any Loader, _ options: JudgeOptions) {
        self.samples = samples
        phases = loader.phases
        period = loader.period.double
        speed = options.speed
        tolerance = options.tolerance.milliseconds / 1000
        let median = samples.map(\.sensitivity).median ?? 0
        weights = samples.map { min(1, max(Self.minWeight, $0.sensitivity / max(1e-9, median))) }
    }

    /// The phases, at most two, whose durations differ from the design; empty if they explain too
    /// little of the deviation.
    var changedPhases: [Rate] {
        // If both phases of a loader with two change, the speed changes.
        guard phases.count > 1, samples.count >= Self.minSamples else { return [] }
        let deviations = centred(samples.map { $0.time - $0.shown / speed })
        let plain = rms(deviations)
        let limit = Self.maxResidualShare * plain
        let usable = phases.filter(isShown)
        let single = usable.compactMap { fit([$0], deviations) }.min { $0.residual < $1.residual }
        let isEnough = single.map { $0.residual < limit } ?? false
        if let single, isEnough, single.residual < tolerance / 2 || phases.count == 2 { return single.rates }
        let pairs = usable.flatMap { first in
            usable.filter { $0.index > first.index }.compactMap { fit([first, $0], deviations) }
        }
        if phases.count > 2, let pair = pairs.min(by: { $0.residual < $1.residual }),
            pair.residual < Self.maxResidualShare * min(plain, single?.residual ?? plain)
        {
            return pair.rates
        }
        return isEnough ? single?.rates ?? [] : []
    }

    /// Returns true if enough of a phase is between the samples to measure it.
    private func isShown(_ phase: Phase) -> Bool {
        let column = passed(phase)
        return (column.max() ?? 0) - (column.min() ?? 0) > Self.minShown * phase.duration.double
    }

    /// Returns the durations of some phases that fit deviations from the design best, and the rms
    /// of what remains; nil unless all of them differ visibly from the design.
    private func fit(_ chosen: [Phase], _ deviations: [Double]) -> (rates: [Rate], residual: Double)? {
        let basis = chosen.map { centred(passed($0)) }
        guard let slopes = slopes(basis, deviations) else { return nil }
        var rest = deviations
        var rates: [Rate] = []
        for ((phase, slope), column) in zip(zip(chosen, slopes), basis) {
            let change = slope * speed
            guard abs(change) > Self.minChange, abs(change) * phase.duration.double > 2 * tolerance, change > -1 else {
                return nil
            }
            rates.append(Rate(phase: phase, rate: 1 / (1 + change)))
            for index in rest.indices { rest[index] -= slope * column[index] }
        }
        return (rates, rms(rest))
    }

    /// Returns the rms deviation of the samples from a rate, in seconds, if some phases have other
    /// durations.
    ///
    /// - Parameters:
    ///   - changedPhases: the phases with other durations. Their rates are relative to the design.
    ///   - rate: the speed of the others, in seconds of model time per second.
    func residual(_ changedPhases: [Rate], at rate: Double) -> Double {
        var needed = samples.map { $0.shown / rate }
        for changed in changedPhases {
            let column = passed(changed.phase)
            for index in needed.indices { needed[index] += column[index] * (1 / changed.rate - 1) / rate }
        }
        return rms(centred(zip(samples, needed).map { $0.time - $1 }))
    }

    /// Returns the model time that has passed in a phase up to each sample, over all cycles.
    private func passed(_ phase: Phase) -> [Double] {
        let start = phase.start.double
        let duration = phase.duration.double
        return samples.map { sample in
            let cycle = (sample.shown / period).rounded(.down)
            return cycle * duration + min(duration, max(0, sample.shown - cycle * period - start))
        }
    }

    /// Returns values of the samples without their mean in each stretch.
    private func centred(_ values: [Double]) -> [Double] {
        var sums: [Int: (weight: Double, value: Double)] = [:]
        for (index, sample) in samples.enumerated() {
            sums[sample.stretch, default: (0, 0)].weight += weights[index]
            sums[sample.stretch, default: (0, 0)].value += weights[index] * values[index]
        }
        return samples.indices.map { index in
            let sum = sums[samples[index].stretch] ?? (1, 0)
            return values[index] - sum.value / sum.weight
        }
    }

    /// Returns the factors of one or two columns whose sum is nearest to some values; nil if the
    /// columns are zero or alike.
    private func slopes(_ basis: [[Double]], _ values: [Double]) -> [Double]? {
        func product(_ a: [Double], _ b: [Double]) -> Double {
            weights.indices.reduce(0) { $0 + weights[$1] * a[$1] * b[$1] }
        }
        guard let first = basis.first else { return nil }
        let square = product(first, first)
        let right = product(first, values)
        guard square > 1e-9 else { return nil }
        guard basis.count > 1 else { return [right / square] }
        let other = product(basis[1], basis[1])
        let cross = product(first, basis[1])
        let otherRight = product(basis[1], values)
        let determinant = square * other - cross * cross
        guard determinant > 1e-3 * square * other else { return nil }
        return [
            (right * other - otherRight * cross) / determinant, (otherRight * square - right * cross) / determinant,
        ]
    }

    private func rms(_ values: [Double]) -> Double {
        let squares = weights.indices.reduce(0) { $0 + weights[$1] * values[$1] * values[$1] }
        return (squares / max(1e-9, weights.reduce(0, +))).squareRoot()
    }
}
