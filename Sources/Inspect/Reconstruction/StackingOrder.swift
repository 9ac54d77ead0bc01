import Core

/// The order in which objects are painted, which may change where none of them overlap.
struct StackingOrder {
    /// A part of the clip with one order.
    struct Interval {
        var start: Double
        var end: Double
        /// The indices of the objects from the lowest to the topmost.
        var order: [Int]
    }

    let intervals: [Interval]
    /// The opacity of each object from what is seen through it; nil if it is unknown.
    let opacities: [Double?]

    /// The minimum number of observations that determine an opacity.
    private static let minCount = 4
    /// The opacity above which an object counts as opaque: colours of encoders differ by 5%.
    private static let maxOpacity = 0.95

    /// - Parameters:
    ///   - count: the number of objects. Their indices give their order, from the lowest to the
    ///     topmost, where no observation does.
    ///   - frame: the interval between frames in seconds.
    init(_ observations: [OverlapObservation], count: Int, duration: Double, frame: Double) {
        opacities = (0..<count).map { index in
            let shares = observations.filter { $0.upper == index }.map { Double($0.share) }
            guard shares.count >= Self.minCount, let median = shares.median, 1 - median < Self.maxOpacity else {
                return nil
            }
            return 1 - median
        }
        let pairs = Dictionary(grouping: observations) { Pair($0.upper, $0.lower) }.mapValues(Self.steady)
        var changes: Set<Double> = []
        for seen in pairs.values {
            for (a, b) in zip(seen, seen.dropFirst()) where a.upper != b.upper {
                // The order changes between two frames, so that rounding of times does not matter.
                let middle = (((a.time + b.time) / 2 / frame).rounded(.down) + 0.5) * frame
                changes.insert(middle > a.time && middle < b.time ? middle : (a.time + b.time) / 2)
            }
        }
        let times = [0] + changes.filter { $0 > 0 && $0 < duration }.sorted() + [duration]
        var result: [Interval] = []
        for (start, end) in zip(times, times.dropFirst()) {
            let order = Self.order(pairs, count, from: start, to: end)
            if result.last?.order == order {
                result[result.count - 1].end = end
            } else {
                result.append(Interval(start: start, end: end, order: order))
            }
        }
        intervals = result
    }

    /// Two objects in the order of their indices.
    private struct Pair: Hashable {
        let first: Int
        let second: Int

        init(_ a: Int, _ b: Int) {
            first = min(a, b)
            second = max(a, b)
        }
    }

    /// Returns the observations of a pair without those that differ from all neighbours.
    private static func steady(_ seen: [OverlapObservation]) -> [OverlapObservation] {
        guard seen.count > 2 else { return seen }
        return seen.indices.filter { index in
            [index - 1, index + 1].contains { seen.indices.contains($0) && seen[$0].upper == seen[index].upper }
        }.map { seen[$0] }
    }

    /// Returns the order in which each object comes after those that it covers.
    private static func order(
        _ pairs: [Pair: [OverlapObservation]], _ count: Int, from start: Double, to end: Double
    ) -> [Int] {
        let middle = (start + end) / 2
        var lower = [Set<Int>](repeating: [], count: count)
        for seen in pairs.values {
            func distance(_ time: Double) -> Double { time < start ? middle - time : time > end ? time - middle : 0 }
            guard let nearest = seen.min(by: { distance($0.time) < distance($1.time) }) else { continue }
            lower[nearest.upper].insert(nearest.lower)
        }
        var left = Array(0..<count)
        var order: [Int] = []
        while !left.isEmpty {
            // Objects that cover each other in a circle keep their given order.
            let next = left.first { lower[$0].isDisjoint(with: left) } ?? left[0]
            order.append(next)
            left.removeAll { $0 == next }
        }
        return order
    }
}

extension Reconstruction {
    /// The objects as layers from the lowest to the topmost. An object whose position in the order
    /// changes has a layer for each position, which is visible for its time only.
    package var layers: [ReconstructedObject] {
        guard stackingOrder.count > 1 else { return objects }
        return objects.indices.flatMap { position -> [ReconstructedObject] in
            let occupants = stackingOrder.map { $0.order[position] }
            guard Set(occupants).count > 1 else { return [objects[occupants[0]]] }
            return zip(occupants, stackingOrder).enumerated().map { number, part in
                let (occupant, interval) = part
                var layer = objects[occupant]
                layer.opacity = layer.opacity.masked(from: interval.start, to: interval.end, until: duration)
                layer.name += " part \(number + 1)"
                return layer
            }
        }
    }
}

extension KeyframeCurve {
    /// The distance in seconds of a keyframe from the end of the mask.
    private static var endMargin: Double { 1e-4 }

    /// Returns the curve with 0 outside a part of the clip.
    func masked(from start: Double, to end: Double, until duration: Double) -> KeyframeCurve {
        let last = end - Self.endMargin
        let inner = keys.map(\.time).filter { $0 > start && $0 < last }
        let times = isConstant ? [start] : [start] + inner + [last]
        var result: [CurveKeyframe] = []
        if start > 0 { result.append(CurveKeyframe(time: 0, value: 0, easing: .hold)) }
        if isConstant {
            result.append(CurveKeyframe(time: start, value: first, easing: .hold))
        } else {
            let all = Set(times + keys.map(\.time)).sorted()
            result += subdivided(at: all).filter { times.contains($0.time) }
            result[result.count - 1].easing = .hold
        }
        if end < duration { result.append(CurveKeyframe(time: end, value: 0, easing: .hold)) }
        return KeyframeCurve(keys: result)
    }
}
