/// UIKit's damped spring, `animateWithDuration:usingSpringWithDamping:initialSpringVelocity:`, with
/// no initial velocity.
///
/// The undamped angular frequency w = ln(1000) / (z T) lets the envelope decay to a thousandth
/// within the duration T: v(t) = target + (start - target) e^(-z w t) (cos wd t + (z w / wd) sin wd
/// t), with wd = w sqrt(1 - z^2).
public struct Spring: Sendable, Hashable {
    /// Duration in seconds; positive. From then on the value is the target.
    public let duration: Double
    /// Damping ratio z, above 0 and below 1.
    public let dampingRatio: Double

    /// A spring with a duration in seconds and a damping ratio (0 < z < 1).
    public init(duration: Double, dampingRatio: Double) {
        precondition(duration > 0 && dampingRatio > 0 && dampingRatio < 1, "an underdamped spring")
        self.duration = duration
        self.dampingRatio = dampingRatio
    }

    /// Returns the value `time` seconds after its release from `start`.
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
