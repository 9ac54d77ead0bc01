import Loaders
import Motion
import Scene

extension Loader {
    /// The phase at any model time in seconds.
    public func phase(at time: Rational) -> Phase {
        let (moment, phases) = (time.modulo(period), self.phases)
        // The phases' lengths add up to the period and the first begins at 0, so there is always one.
        return phases.last { $0.start <= moment } ?? phases[0]
    }

    /// The velocities of the objects, in the order of `objects(at:)`, at any model time: points per second of model time.
    ///
    /// At a corner of the motion it is the velocity after it; a jump has none.
    public func velocities(at time: Rational) -> [Point] {
        let moment = time.modulo(period)
        let now = objects(at: moment)
        let known = now.compactMap(\.velocity)
        if known.count == now.count { return known }
        // Forward differences of second order never look across the phase's end.
        let step = min(Kinematics.step, (phase(at: moment).end - moment) / 4)
        let (next, second) = (objects(at: moment + step), objects(at: moment + step * 2))
        return now.indices.map { index in
            let origin = now[index].position
            let difference = (next[index].position - origin) * 4 - (second[index].position - origin)
            return now[index].velocity ?? difference * (0.5 / step.double)
        }
    }

    /// Where the objects are at a phase's very end, before the next one begins: the limits from the left.
    package func positions(atEndOf phase: Phase) -> [Point] {
        let step = min(Kinematics.step, phase.duration / 8)
        let before = [1, 2, 3].map { objects(at: phase.end - step * Rational($0)) }
        let after = objects(at: phase.end.modulo(period))
        return after.indices.map { index in
            let points = before.map { $0[index].position }
            let limit = (points[0] - points[1]) * 3 + points[2]
            // Where nothing jumps the next phase's beginning is the exact value.
            guard limit.distance(to: after[index].position) > Kinematics.smallestJump else {
                return after[index].position
            }
            return Point(Kinematics.snapped(limit.x), Kinematics.snapped(limit.y))
        }
    }
}

/// The limits of numeric kinematics.
package enum Kinematics {
    /// The step of differences, in seconds: errors and rounding are both far below a thousandth of a point.
    package static let step = Rational(1, 65536)
    /// What is further apart, in points, is not connected.
    package static let smallestJump = 1e-4

    /// A length without the rounding of an extrapolation, in points.
    static func snapped(_ length: Double) -> Double { (length * 1e6).rounded() / 1e6 }
}
