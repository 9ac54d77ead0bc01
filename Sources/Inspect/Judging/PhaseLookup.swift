import Animations
import Core

extension Loader {
    /// Returns the index of the phase at a time in seconds, which may lie outside the first period.
    func phase(atSeconds time: Double) -> Int {
        let period = self.period.double
        let instant = time - (time / period).rounded(.down) * period
        return phases.last { $0.start.double <= instant }?.index ?? 0
    }

    /// Returns the phase at a model time in seconds, and the fraction of its duration that has
    /// passed.
    func phasePosition(at time: Double) -> (phase: Int, fraction: Double, duration: Double) {
        let phase = phases[self.phase(atSeconds: time)]
        let period = self.period.double
        let instant = time - (time / period).rounded(.down) * period
        let duration = phase.duration.double
        return (phase.index, (instant - phase.start.double) / duration, duration)
    }
}
