import Core

/// A comparison of objects that may have one motion with a delay.
struct MotionComparison {
    /// The duration of the motion in seconds.
    let duration: Double
    /// The interval between frames in seconds.
    let frame: Double
    /// True if the motion repeats after the duration.
    let isLoop: Bool

    /// The number of instants at which motions are compared.
    static let instants = 120
    /// The rms difference between motions that count as one, as a share of their extent.
    private static let maxDifference = 0.05
    /// The number of frames beside a jump, which comes between two frames, that are not compared.
    private static let jumpFrames = 1.1

    /// Returns the time by which an object follows another with the same motion; nil if it does
    /// not.
    func delay(of object: ReconstructedObject, after first: ReconstructedObject) -> Double? {
        guard object.kind == first.kind, object.kind != .morph, !first.animatedCurves.isEmpty,
            abs(log(max(1e-9, object.width.range.upperBound) / max(1e-9, first.width.range.upperBound))) < 0.06
        else { return nil }
        let count = Self.instants
        let a = motion(first, shift: 0)
        let b = motion(object, shift: 0)
        let extents = a.map { ($0.max() ?? 0) - ($0.min() ?? 0) }
        guard zip(extents, b).allSatisfy({ abs($0 - (($1.max() ?? 0) - ($1.min() ?? 0))) <= 0.1 * $0 + 0.8 }) else {
            return nil
        }
        let total = extents.reduce(0) { $0 + $1 * $1 }
        guard total > 4 else { return nil }
        let jumps = (jumpTimes(first), jumpTimes(object))
        func difference(_ shift: Double) -> Double {
            let other = motion(object, shift: shift)
            var sum = 0.0
            for index in 0..<count {
                let time = duration * Double(index) / Double(count)
                guard !isNear(time, jumps.0), !isNear(time + shift, jumps.1) else { continue }
                for (row, otherRow) in zip(a, other) {
                    sum += (row[index] - otherRow[index]) * (row[index] - otherRow[index])
                }
            }
            return (sum / Double(count) / total).squareRoot()
        }
        let step = duration / Double(count)
        let shifts = isLoop ? Array(0..<count) : [0]
        guard var best = shifts.map({ Double($0) * step }).min(by: { difference($0) < difference($1) }) else {
            return nil
        }
        var width = step / 2
        while width > 1e-4, isLoop {
            best = [best - width, best, best + width].min { difference($0) < difference($1) } ?? best
            width /= 2
        }
        guard difference(best) <= Self.maxDifference else { return nil }
        return best < -1e-3 ? best + duration : max(0, best)
    }

    /// Returns the times at which the position of an object jumps.
    private func jumpTimes(_ object: ReconstructedObject) -> [Double] {
        [object.x, object.y].flatMap { curve in
            zip(curve.keys, curve.keys.dropFirst()).filter { $0.easing.isHold && $0.value != $1.value }.map(\.1.time)
        }
    }

    private func isNear(_ time: Double, _ others: [Double]) -> Bool {
        others.contains { other in
            let turns = isLoop ? ((time - other) / duration).rounded() : 0
            return abs(time - other - turns * duration) < Self.jumpFrames * frame
        }
    }

    /// Returns the changes of an object relative to its means, in pixels, at evenly spaced times.
    private func motion(_ object: ReconstructedObject, shift: Double) -> [[Double]] {
        let size = max(4, object.area.squareRoot())
        let curves: [(KeyframeCurve, Double)] = [
            (object.x, 1), (object.y, 1), (object.width, object.kind == .outline ? size : 1), (object.height, 1),
            (object.rotation, size / 2), (object.opacity, size), (object.start, size / 2), (object.end, size / 2),
        ]
        return curves.map { curve, factor in
            guard !curve.isConstant else { return [Double](repeating: 0, count: Self.instants) }
            let values = (0..<Self.instants).map { index -> Double in
                var time = duration * Double(index) / Double(Self.instants) + shift
                if isLoop { time -= (time / duration).rounded(.down) * duration }
                return curve.value(at: time) * factor
            }
            let mean = values.reduce(0, +) / Double(values.count)
            return values.map { $0 - mean }
        }
    }
}
