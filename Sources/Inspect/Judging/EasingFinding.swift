import Animations
import Core

/// A comparison of the times that frames show with those of phases under another timing function.
struct EasingFinding {
    /// The model time that a frame shows and the one that it has by design, in seconds.
    struct Sample {
        var shown: Double
        var expected: Double
    }

    /// A pair of named timing functions that explains samples, or the phases that have a timing
    /// function without a name.
    struct Fit {
        /// The designed and the shown function; nil if the phases keep theirs.
        var names: (from: String, to: String)?
        /// The indices of the phases with another function.
        var phases: [Int]
        /// The rms difference that remains, in seconds.
        var residual: Double
    }

    /// The share of the deviation that a pair of timing functions may leave. With more, it is not
    /// named: the phases have another function without a name, or another speed.
    private static let maxResidualShare = 0.4
    /// The share of a phase's squared deviation that a pair may leave in it. With more, the phase
    /// keeps its function: half of the squares are 0.7 of the rms deviation.
    private static let maxPhaseResidualShare = 0.5
    /// The number of steps of a tabulated function. In a phase of one second, a step is 2.5 ms, a
    /// seventh of the default tolerance.
    private static let steps = 400
    /// The start of the recording was fitted with the designed function, so offsets up to this
    /// share of the longest phase are tried, in this many steps each way. Named functions differ by
    /// up to a fifth from linear motion, or 0.3 for `default`; a step is 8 ms in a phase of a
    /// second.
    private static let maxOffset = 0.25
    private static let offsetSteps = 30
    /// The minimum number of samples in a phase that is judged: a tenth of a second at 60 frames
    /// per second. Fewer do not distinguish a function from noise.
    private static let minSamples = 6
    /// The factor on the residual of a pair without linear motion, which is the most common
    /// mistake and the most common design.
    private static let uncommonCost = 1.3
    /// The share of a phase at each end that counts as its end, and the maximum rms deviation
    /// there, relative to that of the whole phase, under another timing function. All functions
    /// agree at the ends; another speed deviates most there.
    private static let endShare = 0.08
    private static let maxEndDeviation = 0.9

    private let phases: [(start: Double, duration: Double)]
    private let names: [String]
    private let period: Double
    private let tolerance: Double
    private let samples: [Sample]
    /// The names of timing functions like the designed ones; nil if they are not known.
    private let designed: Set<String>?

    /// The distance in seconds from the ends of a phase within which a rest does not divide it. The
    /// shorter part would have fewer than `minSamples` frames at 60 frames per second.
    private static let minPart = 0.1

    /// - Parameter rests: the instants at which the loader rests. If a phase has one, its motion
    ///   has a timing function before it and one after it.
    init(_ samples: [Sample], _ loader: any Loader, _ tolerance: JudgeTolerance, rests: [Double] = []) {
        self.samples = samples
        let parts = loader.phases.flatMap { phase -> [(name: String, start: Double, duration: Double)] in
            let start = phase.start.double
            let duration = phase.duration.double
            let name = phase.name.english
            let inner = rests.filter { $0 > start + Self.minPart && $0 < start + duration - Self.minPart }
            guard inner.count == 1, let rest = inner.first else { return [(name, start, duration)] }
            return [(name, start, rest - start), (name, rest, start + duration - rest)]
        }
        phases = parts.map { ($0.start, $0.duration) }
        names = parts.map(\.name)
        let curves = (loader as? any KeyframedLoader).map { $0.curves.isEmpty ? [.linear] : $0.curves } ?? []
        let likely = TimingFunction.named.filter { named in curves.contains(where: named.function.looksLike) }
        designed = likely.isEmpty ? nil : Set(likely.map(\.name))
        period = loader.period.double
        self.tolerance = tolerance.milliseconds / 1000
    }

    // MARK: Named functions

    /// A timing function instead of another: the fraction of a phase that is shown at each step.
    private struct Change {
        var names: (from: String, to: String)
        var table: [Double]

        func callAsFunction(_ fraction: Double) -> Double {
            table[Int((fraction * Double(EasingFinding.steps)).rounded())]
        }
    }

    /// All pairs of named functions.
    private static let changes: [Change] = TimingFunction.named.flatMap { from, design in
        let table = (0...steps).map { design(Double($0) / Double(steps)) }
        return TimingFunction.named.filter { $0.name != from }.map { to, shown in
            Change(
                names: (from, to),
                table: (0...steps).map { inverted(table, shown(Double($0) / Double(steps))) })
        }
    }

    /// Returns the argument, 0...1, at which an increasing table reaches a value.
    private static func inverted(_ table: [Double], _ value: Double) -> Double {
        Double((0..<steps).partitionPoint { table[$0] < value }) / Double(steps)
    }

    /// Returns the pair of named timing functions that explains the samples, if one does.
    func named() -> Fit? {
        let plain = plainResidual
        guard plain > tolerance / 2, let longest = phases.map(\.duration).max() else { return nil }
        var best: (cost: Double, fit: Fit)?
        for step in -Self.offsetSteps...Self.offsetSteps {
            let offset = Self.maxOffset * longest * Double(step) / Double(Self.offsetSteps)
            let placed = samples.map { phasePosition($0, offset) }
            for change in Self.changes where designed?.contains(change.names.from) ?? true {
                let fit = fit(change, placed)
                let isCommon = change.names.from == "linear" || change.names.to == "linear"
                let cost = fit.residual * (isCommon ? 1 : Self.uncommonCost)
                if !fit.phases.isEmpty, cost < best?.cost ?? .infinity { best = (cost, fit) }
            }
        }
        guard let best, best.fit.residual < Self.maxResidualShare * plain else { return nil }
        return best.fit
    }

    /// Returns the position of a sample in a phase at an offset.
    private func phasePosition(_ sample: Sample, _ offset: Double) -> (phase: Int, fraction: Double, lead: Double) {
        let time = sample.expected + offset
        let within = time - (time / period).rounded(.down) * period
        let phase = phases.lastIndex { $0.start <= within } ?? 0
        let fraction = min(1, (within - phases[phase].start) / phases[phase].duration)
        return (phase, fraction, sample.shown - time)
    }

    private func fit(_ change: Change, _ placed: [(phase: Int, fraction: Double, lead: Double)]) -> Fit {
        var sums = phases.map { _ in (count: 0, own: 0.0, other: 0.0) }
        for sample in placed {
            let gain = phases[sample.phase].duration * (change(sample.fraction) - sample.fraction)
            sums[sample.phase].count += 1
            sums[sample.phase].own += sample.lead * sample.lead
            sums[sample.phase].other += (sample.lead - gain) * (sample.lead - gain)
        }
        let eased = sums.indices.filter {
            sums[$0].count >= Self.minSamples && sums[$0].other < Self.maxPhaseResidualShare * sums[$0].own
        }
        let squares = sums.indices.reduce(0) { $0 + (eased.contains($1) ? sums[$1].other : sums[$1].own) }
        return Fit(names: change.names, phases: eased, residual: (squares / Double(max(1, placed.count))).squareRoot())
    }

    // MARK: Any function

    /// The rms difference in seconds between both times if the phases keep their functions.
    var plainResidual: Double { leads.rootMeanSquare }

    /// The differences between both times without their mean, which belongs to the start.
    private var leads: [Double] {
        let leads = samples.map { $0.shown - $0.expected }
        let mean = leads.reduce(0, +) / Double(max(1, leads.count))
        return leads.map { $0 - mean }
    }

    /// Returns the phases that deviate in the middle and not at the ends, as with any other timing
    /// function.
    func unnamed() -> Fit? {
        let placed = zip(samples, leads).map { sample, lead in (phasePosition(sample, 0), lead) }
        let found = phases.indices.filter { phase in
            let own = placed.filter { $0.0.phase == phase }
            guard own.count >= Self.minSamples else { return false }
            let all = own.map(\.1).rootMeanSquare
            // At both ends of the phase, the deviation is smaller.
            let ends = own.filter { $0.0.fraction < Self.endShare || $0.0.fraction > 1 - Self.endShare }
            return all > tolerance && ends.map(\.1).rootMeanSquare < Self.maxEndDeviation * all
        }
        return found.isEmpty ? nil : Fit(names: nil, phases: found, residual: plainResidual)
    }

    /// A fit of all phases without a function; nil unless most samples deviate.
    var unexplained: Fit? {
        guard let size = leads.map(abs).median, size > tolerance else { return nil }
        return Fit(names: nil, phases: Array(phases.indices), residual: plainResidual)
    }

    // MARK: Words

    /// Returns the finding that describes a fit.
    func deviation(_ fit: Fit) -> Deviation {
        let parts = fit.phases.map { names[$0] }
        let isEverywhere = fit.phases.count == phases.count || Set(parts).count > 2
        let words = fit.names.map { "\($0.to) instead of \($0.from)" } ?? "another timing function"
        let named = parts.indices.filter { $0 == 0 || parts[$0] != parts[$0 - 1] }.map { parts[$0] }
        let phaseText = isEverywhere ? "" : " in phase " + named.joined(separator: ", ")
        return Deviation(
            kind: .easing, phase: isEverywhere ? nil : names[fit.phases[0]], expected: fit.names?.from,
            actual: fit.names?.to, text: "easing" + phaseText + ": " + words)
    }
}

extension TimingFunction {
    /// The largest difference in progress of two timing functions that look alike. Those with a
    /// name differ by at least 0.12.
    private static let sameProgress = 0.05
    /// The number of intervals between the instants at which progress is compared.
    private static let comparedIntervals = 20

    /// Returns true if another function has nearly the same progress at all times.
    func looksLike(_ other: TimingFunction) -> Bool {
        (1..<Self.comparedIntervals).map { Double($0) / Double(Self.comparedIntervals) }
            .allSatisfy { abs(self($0) - other($0)) < Self.sameProgress }
    }
}
