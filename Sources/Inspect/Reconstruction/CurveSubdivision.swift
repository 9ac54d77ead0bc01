import Core

extension KeyframeCurve {
    func sharesTimes(with other: KeyframeCurve) -> Bool { keys.map(\.time) == other.keys.map(\.time) }

    /// Returns keyframes of the same curve at given times, which must include those of its own
    /// unless it is constant.
    func subdivided(at times: [Double]) -> [CurveKeyframe] {
        times.map { time in
            guard let next = keys.firstIndex(where: { $0.time > time }), next > 0 else {
                return CurveKeyframe(time: time, value: value(at: time), easing: .linear)
            }
            let a = keys[next - 1]
            let b = keys[next]
            let end = times.first { $0 > time } ?? b.time
            let length = b.time - a.time
            let part = a.easing.part(from: (time - a.time) / length, to: min(1, (end - a.time) / length))
            return CurveKeyframe(time: time, value: value(at: time), easing: part)
        }
    }

    /// The maximum number of times that an interval between keyframes is halved: into parts of less
    /// than a frame for most motions.
    private static let maxHalvings = 6

    /// Returns the difference of two curves. Between keyframes it is exact where one of them is
    /// linear or constant. Elsewhere, it has additional keyframes, since the difference of two
    /// timing functions is not a timing function.
    func minus(_ other: KeyframeCurve, tolerance: Double) -> KeyframeCurve {
        var times = Set(keys.map(\.time) + other.keys.map(\.time)).sorted()
        var result = minus(other, at: times)
        for _ in 0..<Self.maxHalvings {
            func error(_ time: Double) -> Double {
                abs(result.value(at: time) - value(at: time) + other.value(at: time))
            }
            let middles = zip(times, times.dropFirst()).compactMap { start, end -> Double? in
                let isNear = (1..<8).allSatisfy { error(start + (end - start) * Double($0) / 8) <= tolerance }
                return isNear ? nil : (start + end) / 2
            }
            guard !middles.isEmpty else { break }
            times = (times + middles).sorted()
            result = minus(other, at: times)
        }
        return result
    }

    /// Returns the difference of two curves with keyframes at given times.
    private func minus(_ other: KeyframeCurve, at times: [Double]) -> KeyframeCurve {
        let own = subdivided(at: times)
        let others = other.subdivided(at: times)
        let result = times.indices.map { index -> CurveKeyframe in
            let easing = own[index].easing
            let next = min(index + 1, times.count - 1)
            let change = own[next].value - own[index].value
            let otherChange = others[next].value - others[index].value
            let value = own[index].value - others[index].value
            let mixed =
                easing.isHold || others[index].easing.isHold
                ? Easing.hold
                : Easing.mixed(easing, change, others[index].easing, -otherChange)
            return CurveKeyframe(time: times[index], value: value, easing: mixed)
        }
        return KeyframeCurve(keys: result)
    }
}

extension [[CurveKeyframe]] {
    /// Returns the timing function of several curves from the keyframe with an index to the next:
    /// that of the one that changes most.
    func easing(at index: Int) -> Easing {
        func change(_ row: [CurveKeyframe]) -> Double { abs(row[index + 1].value - row[index].value) }
        return self.max { change($0) < change($1) }?[index].easing ?? .linear
    }
}

extension Easing {
    /// Returns the part of the curve between two shares of the time as a timing function of its
    /// own.
    func part(from: Double, to: Double) -> Easing {
        if isHold || self == .linear || (from <= 0 && to >= 1) { return self }
        let s0 = parameter(at: from)
        let s1 = parameter(at: to)
        let start = point(s0)
        let end = point(s1)
        guard end.x > start.x + 1e-9, abs(end.y - start.y) > 1e-9 else { return .linear }
        // The control points of a part of a cubic are its end points plus a third of the slopes.
        let first = slope(s0) * ((s1 - s0) / 3)
        let last = slope(s1) * ((s1 - s0) / 3)
        func share(_ point: Point) -> Point {
            Point((point.x - start.x) / (end.x - start.x), (point.y - start.y) / (end.y - start.y))
        }
        let a = share(start + first)
        let b = share(end - last)
        return Easing(x1: min(1, max(0, a.x)), y1: a.y, x2: min(1, max(0, b.x)), y2: b.y)
    }

    private func point(_ s: Double) -> Point {
        let r = 1 - s
        return Point(
            3 * r * r * s * x1 + 3 * r * s * s * x2 + s * s * s, 3 * r * r * s * y1 + 3 * r * s * s * y2 + s * s * s)
    }

    private func slope(_ s: Double) -> Point {
        let r = 1 - s
        return Point(
            3 * r * r * x1 + 6 * r * s * (x2 - x1) + 3 * s * s * (1 - x2),
            3 * r * r * y1 + 6 * r * s * (y2 - y1) + 3 * s * s * (1 - y2))
    }

    /// Returns the timing function of a sum of two motions with the given changes: exact if one is
    /// linear or both are equal, otherwise the one of the larger change.
    static func mixed(_ a: Easing, _ changeA: Double, _ b: Easing, _ changeB: Double) -> Easing {
        let total = changeA + changeB
        guard abs(total) > 1e-9 else { return .linear }
        let (main, mainChange, other, otherChange) =
            a != .linear && (b == .linear || abs(changeA) >= abs(changeB))
            ? (a, changeA, b, changeB) : (b, changeB, a, changeA)
        // At the times of the main motion's control points, a linear motion has their shares.
        let isSame = main == other
        let (o1, o2) = isSame ? (main.y1, main.y2) : (main.x1, main.x2)
        return Easing(
            x1: main.x1, y1: (mainChange * main.y1 + otherChange * o1) / total, x2: main.x2,
            y2: (mainChange * main.y2 + otherChange * o2) / total)
    }
}
