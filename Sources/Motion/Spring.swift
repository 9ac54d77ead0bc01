import Platform

/// UIKit's damped spring, `animateWithDuration:usingSpringWithDamping:initialSpringVelocity:`, with no initial velocity.
///
/// The undamped frequency w = ln(1000) / (z T) makes the envelope fall to a thousandth within the duration T:
/// v(t) = target + (start - target) e^(-z w t) (cos wd t + (z w / wd) sin wd t), with wd = w sqrt(1 - z^2).
public struct Spring: Sendable, Hashable {
    /// Length in seconds, positive; the value rests on its target from then on.
    public let duration: Double
    /// Damping ratio z, above 0 and below 1.
    public let dampingRatio: Double

    /// A spring of the given length in seconds and damping ratio (0 < z < 1).
    public init(duration: Double, dampingRatio: Double) {
        precondition(duration > 0 && dampingRatio > 0 && dampingRatio < 1, "an underdamped spring")
        (self.duration, self.dampingRatio) = (duration, dampingRatio)
    }

    /// The value `time` seconds after the release at `start` towards `target`.
    public func value(from start: Double, to target: Double, at time: Double) -> Double {
        guard time > 0 else { return start }
        guard time < duration else { return target }
        let frequency = log(1000) / (dampingRatio * duration)
        let damped = frequency * (1 - dampingRatio * dampingRatio).squareRoot()
        let decay = dampingRatio * frequency
        let swing = cos(damped * time) + decay / damped * sin(damped * time)
        return target + (start - target) * exp(-decay * time) * swing
    }
}
