import Core

extension Loader {
    /// Returns the phase at any model time in seconds.
    public func phase(at time: Rational) -> Phase {
        let moment = time.modulo(period)
        let phases = self.phases
        // The phases start at 0 and add up to the period, so there always is a match.
        return phases.last { $0.start <= moment } ?? phases[0]
    }

    /// Returns the velocities of the objects at any model time, in points per second of model time
    /// and in the order of `objects(at:)`.
    ///
    /// At a corner of a path, the result is the velocity after the corner. Jumps do not count as
    /// motion.
    public func velocities(at time: Rational) -> [Point] {
        velocities(of: objects(at: time.modulo(period)), at: time)
    }

    /// Returns the velocities of the objects in `now`, which the caller got from `objects(at:)` for
    /// the same time.
    package func velocities(of now: [MovingObject], at time: Rational) -> [Point] {
        let moment = time.modulo(period)
        let known = now.compactMap(\.velocity)
        if known.count == now.count { return known }
        // Second-order forward differences, which never extend past the end of the phase.
        let step = min(Kinematics.step, (phase(at: moment).end - moment) / 4)
        let next = objects(at: moment + step)
        let second = objects(at: moment + step * 2)
        return now.indices.map { index in
            let origin = now[index].position
            let first = next[index].position - origin
            let later = second[index].position - next[index].position
            // What appears after this instant, such as a stroke that begins to draw itself, jumps.
            let difference =
                if Kinematics.isJump(first, besides: later) {
                    later * 2
                } else if Kinematics.isJump(later, besides: first) {
                    first * 2
                } else {
                    first * 4 - (second[index].position - origin)
                }
            return now[index].velocity ?? difference * (0.5 / step.double)
        }
    }

    /// Returns the objects' positions at the end of a phase, before the next one begins: the
    /// left-hand limits.
    package func positions(atEndOf phase: Phase) -> [Point] {
        let step = min(Kinematics.step, phase.duration / 8)
        let before = [1, 2, 3].map { objects(at: phase.end - step * Rational($0)) }
        let after = objects(at: phase.end.modulo(period))
        return after.indices.map { index in
            let points = before.map { $0[index].position }
            let limit = (points[0] - points[1]) * 3 + points[2]
            // Without a jump, the start of the next phase is the exact value.
            guard limit.distance(to: after[index].position) > Kinematics.minJump else {
                return after[index].position
            }
            return Point(Kinematics.snapped(limit.x), Kinematics.snapped(limit.y))
        }
    }
}

/// The constants of numerical kinematics.
package enum Kinematics {
    /// The step of finite differences in seconds. Truncation and rounding errors are both far below
    /// a thousandth of a point.
    package static let step = Rational(1, 65536)
    /// The minimum distance of a jump in points. It is above the error of the extrapolation and
    /// below anything visible.
    package static let minJump = 1e-4

    /// The minimum length in points of a visible jump within a step. Continuous motion would need
    /// 6500 points per second.
    private static let minVisibleJump = 0.1

    /// Returns true if the motion within a step is a jump, compared with that within the step
    /// before or after it.
    static func isJump(_ motion: Point, besides other: Point) -> Bool {
        motion.distance(to: .zero) > max(minVisibleJump, 16 * other.distance(to: .zero))
    }

    /// Returns a length in points, rounded to remove the error of an extrapolation.
    static func snapped(_ length: Double) -> Double { (length * 1e6).rounded() / 1e6 }
}
