import Animations
import Core

/// The recording and the design in the middle of each phase.
enum PhaseStrip {
    /// An instant of the loader's cycle.
    struct Instant {
        let name: String
        /// The model time in seconds, in 0..<period.
        let modelTime: Double
    }

    /// The maximum number of instants. With more phases, some are left out at equal intervals.
    private static let maxInstants = 12
    /// The number of equal parts of a cycle that is not divided into phases.
    private static let parts = 6

    /// Returns the middle of each phase, or of equal parts of a cycle that has fewer than three.
    static func instants(_ design: PlacedDesign) -> [Instant] {
        let phases = design.loader.phases
        let period = design.loader.period.double
        guard phases.count >= 3 else {
            return (0..<parts).map { part in
                let time = period * (Double(part) + 0.5) / Double(parts)
                return Instant(name: phases.last { $0.start.double <= time }?.name.english ?? "", modelTime: time)
            }
        }
        let step = (phases.count + maxInstants - 1) / maxInstants
        return stride(from: 0, to: phases.count, by: step).map { index in
            let phase = phases[index]
            return Instant(name: phase.name.english, modelTime: phase.start.double + phase.duration.double / 2)
        }
    }

    /// Returns the judged frame whose designed model time is nearest to an instant; nil if the
    /// recording does not show it.
    static func nearest(_ modelTime: Double, _ verdict: Verdict, _ design: PlacedDesign) -> CurvePoint? {
        let period = design.loader.period.double
        func distance(_ point: CurvePoint) -> Double {
            let difference = abs(design.cycleTime(at: point.time) - modelTime)
            return min(difference, period - difference)
        }
        let nearest = verdict.curve.min { distance($0) < distance($1) }
        return nearest.flatMap { distance($0) <= period / 24 ? $0 : nil }
    }
}
