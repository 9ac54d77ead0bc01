import Core

/// The descriptions of all objects, and the groups with a common motion.
package struct MotionSummary: Sendable {
    package private(set) var descriptions: [MotionDescription]
    package private(set) var groups: [MotionGroup] = []

    /// The number of instants at which motions are compared.
    private static let instants = 120
    /// The rms difference between motions that count as one, as a share of their extent.
    private static let maxDifference = 0.05
    /// The largest difference between equal delays in seconds: less than a frame at 60 fps.
    private static let delayTolerance = 0.012

    package init(_ clip: Reconstruction) {
        descriptions = clip.objects.map { object in
            MotionDescription(
                object, duration: clip.duration, step: 1 / clip.frameRate, isPeriodic: clip.period != nil)
        }
        var isGrouped = [Bool](repeating: false, count: descriptions.count)
        for first in descriptions.indices where !isGrouped[first] {
            var members = [(index: first, delay: 0.0)]
            for other in descriptions.indices where other > first && !isGrouped[other] {
                if let delay = delay(of: clip.objects[other], after: clip.objects[first], clip) {
                    members.append((other, delay))
                }
            }
            guard members.count > 1 else { continue }
            for member in members { isGrouped[member.index] = true }
            add(members, clip)
        }
    }

    /// Adds a group, beginning with the member that follows the longest pause.
    private mutating func add(_ found: [(index: Int, delay: Double)], _ clip: Reconstruction) {
        var members = found.sorted { ($0.delay, $0.index) < ($1.delay, $1.index) }
        if clip.isLoop {
            var gaps = zip(members.dropFirst(), members).map { $0.delay - $1.delay }
            gaps.insert(members[0].delay + clip.duration - members[members.count - 1].delay, at: 0)
            let start = gaps.indices.max { (gaps[$0], $1) < (gaps[$1], $0) } ?? 0
            let origin = members[start].delay
            members = members.map { ($0.index, ($0.delay - origin + clip.duration).remainder(clip.duration)) }
            members.sort { ($0.delay, $0.index) < ($1.delay, $1.index) }
        }
        for member in members {
            descriptions[member.index].delay = member.delay - members[0].delay
            descriptions[member.index].group = groups.count
        }
        let steps = zip(members.dropFirst(), members).map { $0.delay - $1.delay }
        let mean = steps.reduce(0, +) / Double(steps.count)
        let isEven = steps.allSatisfy { abs($0 - mean) <= Self.delayTolerance }
        groups.append(MotionGroup(members: members.map(\.index), stagger: isEven ? mean : nil))
    }

    /// Returns the time by which an object follows another with the same motion; nil if it does
    /// not.
    private func delay(of object: ReconstructedObject, after first: ReconstructedObject, _ clip: Reconstruction)
        -> Double?
    {
        guard object.kind == first.kind, object.kind != .morph, !first.animatedCurves.isEmpty,
            abs(log(max(1e-9, object.width.range.upperBound) / max(1e-9, first.width.range.upperBound))) < 0.06
        else { return nil }
        let count = Self.instants
        let a = motion(first, clip, shift: 0)
        let b = motion(object, clip, shift: 0)
        let extents = a.map { ($0.max() ?? 0) - ($0.min() ?? 0) }
        guard zip(extents, b).allSatisfy({ abs($0 - (($1.max() ?? 0) - ($1.min() ?? 0))) <= 0.1 * $0 + 0.8 }) else {
            return nil
        }
        let total = extents.reduce(0) { $0 + $1 * $1 }
        guard total > 4 else { return nil }
        func difference(_ shift: Double) -> Double {
            let other = motion(object, clip, shift: shift)
            var sum = 0.0
            for (row, otherRow) in zip(a, other) {
                for index in row.indices { sum += (row[index] - otherRow[index]) * (row[index] - otherRow[index]) }
            }
            return (sum / Double(count) / total).squareRoot()
        }
        let step = clip.duration / Double(count)
        let shifts = clip.isLoop ? Array(0..<count) : [0]
        guard var best = shifts.map({ Double($0) * step }).min(by: { difference($0) < difference($1) }) else {
            return nil
        }
        var width = step / 2
        while width > 1e-4, clip.isLoop {
            best = [best - width, best, best + width].min { difference($0) < difference($1) } ?? best
            width /= 2
        }
        guard difference(best) <= Self.maxDifference else { return nil }
        return best < -1e-3 ? best + clip.duration : max(0, best)
    }

    /// Returns the changes of an object relative to its means, in pixels, at evenly spaced times.
    private func motion(_ object: ReconstructedObject, _ clip: Reconstruction, shift: Double) -> [[Double]] {
        let size = max(4, object.area.squareRoot())
        let curves: [(KeyframeCurve, Double)] = [
            (object.x, 1), (object.y, 1), (object.width, object.kind == .outline ? size : 1), (object.height, 1),
            (object.rotation, size / 2), (object.opacity, size), (object.start, size / 2), (object.end, size / 2),
        ]
        return curves.map { curve, factor in
            let values = (0..<Self.instants).map { index -> Double in
                var time = clip.duration * Double(index) / Double(Self.instants) + shift
                if clip.isLoop { time -= (time / clip.duration).rounded(.down) * clip.duration }
                return curve.value(at: time) * factor
            }
            let mean = values.reduce(0, +) / Double(values.count)
            return values.map { $0 - mean }
        }
    }
}

extension Double {
    /// Returns the remainder after division by a positive number, never negative.
    fileprivate func remainder(_ divisor: Double) -> Double { self - (self / divisor).rounded(.down) * divisor }
}
