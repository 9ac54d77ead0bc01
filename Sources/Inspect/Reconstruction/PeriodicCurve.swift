import Core

/// Keyframes of one period, from a curve that was fitted to more than one.
///
/// A clip begins and ends anywhere in its motion. Segments that begin within the clip and end
/// within it are known as a whole; this takes a period of them and repeats it.
struct PeriodicCurve {
    let period: Double
    /// The interval between frames in seconds.
    let frame: Double
    let tolerance: Double

    /// The number of frames by which keyframes a period apart may deviate.
    private static let timeTolerance = 1.3
    /// The number of tolerances by which their values may deviate.
    private static let valueTolerance = 3.0

    /// Returns the keyframes from the last one before 0 to the first one after the period; nil if
    /// the curve does not show a whole period of complete segments.
    ///
    /// - Parameter accumulates: true for angles, which may grow with each period.
    func curve(_ fitted: MotionCurve, accumulates: Bool) -> MotionCurve? {
        let keys = fitted.keys
        guard keys.count >= 4 else { return nil }
        for first in 1..<keys.count - 1 {
            guard
                let last = (first + 1..<keys.count - 1).first(where: {
                    abs(keys[$0].time - keys[first].time - period) <= PeriodicCurve.timeTolerance * frame
                })
            else { continue }
            let growth = keys[last].value - keys[first].value
            guard accumulates || abs(growth) <= PeriodicCurve.valueTolerance * tolerance else { continue }
            return repeated(Array(keys[first..<last]), growth: accumulates && abs(growth) > 1 ? growth : 0)
        }
        return nil
    }

    /// Returns the keyframes of a period, repeated so that they cover the time from 0 to the
    /// period.
    private func repeated(_ keys: [MotionKey], growth: Double) -> MotionCurve {
        let shift = (keys[0].time / period).rounded(.up)
        var all: [MotionKey] = []
        for turn in 0...2 {
            for key in keys {
                let turns = Double(turn) - shift
                all.append(
                    MotionKey(
                        time: key.time + turns * period, value: key.value + turns * growth, easing: key.easing))
            }
        }
        let first = all.lastIndex { $0.time <= 1e-9 } ?? 0
        let last = all.firstIndex { $0.time >= period - 1e-9 } ?? all.count - 1
        return MotionCurve(keys: Array(all[first...max(first, last)]))
    }
}
