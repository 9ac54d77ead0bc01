import Animations
import Core

extension Loader {
    /// Returns the index of the phase at a time in seconds, which may lie outside the first period.
    func phase(atSeconds time: Double) -> Int {
        let period = self.period.double
        let instant = time - (time / period).rounded(.down) * period
        return phases.last { $0.start.double <= instant }?.index ?? 0
    }
}
