import Animations
import Core

/// Compares the progress within phases with named timing functions.
struct EasingFinding {
    /// The progress within a phase, 0...1, that a frame shows, and the designed one.
    struct Sample {
        var phase: Int
        var shown: Double
        var expected: Double
    }

    /// The share of the deviation that a pair of timing functions may leave.
    private static let maxRest = 0.4
    /// The number of steps of a tabulated inverse.
    private static let steps = 400

    let loader: any Loader
    let tolerance: JudgeTolerance

    /// Returns a finding if frames progress in phases by another timing function than designed.
    func deviations(_ samples: [Sample]) -> [Deviation] {
        let phases = loader.phases
        var found: [(phase: Phase, names: (from: String, to: String)?)] = []
        for phase in phases {
            let own = samples.filter { $0.phase == phase.index }
            guard own.count >= 6 else { continue }
            let rms = Self.rms(own.map { $0.shown - $0.expected })
            guard rms * phase.duration.double > tolerance.milliseconds / 1000, Self.returnsToZero(own) else { continue }
            found.append((phase, names(own, rms)))
        }
        let named = found.compactMap(\.names)
        guard let first = found.first else { return [] }
        let common = named.first.flatMap { name in named.allSatisfy { $0 == name } ? name : nil }
        let isEverywhere = found.count == phases.count || found.count > 2
        let words = (common ?? first.names).map { "\($0.to) instead of \($0.from)" } ?? "another timing function"
        let place = isEverywhere ? "" : " in phase " + found.map { $0.phase.name.english }.joined(separator: ", ")
        return [
            Deviation(
                kind: .easing, phase: isEverywhere ? nil : first.phase.name.english,
                expected: (common ?? first.names)?.from,
                actual: (common ?? first.names)?.to, text: "easing" + place + ": " + words)
        ]
    }

    private static func rms(_ values: [Double]) -> Double {
        (values.reduce(0) { $0 + $1 * $1 } / Double(max(1, values.count))).squareRoot()
    }

    /// True if the deviation is smaller at both ends of the phase than within, as that of another
    /// timing function is.
    private static func returnsToZero(_ samples: [Sample]) -> Bool {
        let all = rms(samples.map { $0.shown - $0.expected })
        let ends = samples.filter { $0.expected < 0.08 || $0.expected > 0.92 }
        return rms(ends.map { $0.shown - $0.expected }) < 0.9 * all
    }

    /// Returns the designed and the shown timing function that explain the deviation best.
    private func names(_ samples: [Sample], _ rms: Double) -> (from: String, to: String)? {
        var best: (rest: Double, from: String, to: String)?
        for (from, design) in TimingFunction.named {
            let inverse = (0...Self.steps).map { design(Double($0) / Double(Self.steps)) }
            for (to, shown) in TimingFunction.named where to != from {
                let rest = Self.rms(
                    samples.map { $0.shown - Self.inverted(inverse, shown($0.expected)) })
                // Linear motion is the commonest mistake and the commonest design.
                let penalty = from == "linear" || to == "linear" ? 1.0 : 1.3
                if rest * penalty < best?.rest ?? .infinity { best = (rest * penalty, from, to) }
            }
        }
        guard let best, best.rest < Self.maxRest * rms else { return nil }
        return (best.from, best.to)
    }

    /// Returns the argument at which an increasing table reaches a value.
    private static func inverted(_ table: [Double], _ value: Double) -> Double {
        Double(table.firstIndex { $0 >= value } ?? steps) / Double(steps)
    }
}
