import Core

/// Objects with one motion and a delay, which get the same timing functions.
///
/// Errors of the measurement differ from object to object, so that one may get the timing function
/// of the motion, and another a free one. The simplest curve that agrees with all of them counts.
struct CommonMotion {
    let builder: ObjectBuilder
    /// The period in seconds.
    let period: Double
    let comparison: MotionComparison

    /// The maximum rms difference between curves of one motion: in tolerances of the curve, and as
    /// shares of its extent. Positions are the most certain values. Common timing functions differ
    /// from each other by more than the last share.
    private static let maxDifference = (tolerances: 3.0, position: 0.01, size: 0.02, opacity: 0.04)
    /// The maximum of a single difference, as a multiple. Encoders skip small changes for some
    /// frames.
    private static let maxSingle = 3.0
    /// The tolerance of the mean of several curves, as a share of its extent: half the difference.
    private static let meanTolerance = 0.025
    /// The change over a period, as a share of the extent, that counts as none.
    private static let maxGrowth = 0.02
    /// The minimum number of objects whose mean is more certain than the curve of one of them.
    private static let minMembers = 3

    private typealias Channel = WritableKeyPath<ReconstructedObject, KeyframeCurve>
    private typealias Member = (index: Int, delay: Double)

    /// Returns the objects, those of one motion with the same timing functions.
    func unified(_ objects: [ReconstructedObject]) -> [ReconstructedObject] {
        var result = objects
        var isGrouped = [Bool](repeating: false, count: objects.count)
        for first in objects.indices where !isGrouped[first] {
            var members: [Member] = [(first, 0)]
            for other in objects.indices where other > first && !isGrouped[other] {
                if let delay = comparison.delay(of: objects[other], after: objects[first]) {
                    members.append((other, delay))
                }
            }
            for member in members { isGrouped[member.index] = true }
            guard members.count > 1 else { continue }
            let length = ObjectBuilder.tolerances.length * builder.pixel
            let shares = Self.maxDifference
            for channel: Channel in [\.x, \.y] {
                unify(channel, of: members, in: &result, tolerance: length, share: shares.position)
            }
            for channel: Channel in [\.width, \.height] {
                unify(
                    channel, of: members, in: &result, tolerance: length, share: shares.size,
                    values: 0...Double.infinity)
            }
            unify(
                \.opacity, of: members, in: &result, tolerance: ObjectBuilder.tolerances.share,
                share: shares.opacity, values: 0...1)
        }
        return result
    }

    /// Gives a channel of objects the simplest of their curves, if it agrees with all.
    ///
    /// - Parameters:
    ///   - tolerance: the error of its measurement.
    ///   - share: the maximum difference as a share of the extent.
    ///   - limits: the values that the channel can have.
    private func unify(
        _ channel: Channel, of members: [Member], in objects: inout [ReconstructedObject], tolerance: Double,
        share: Double, values limits: ClosedRange<Double> = -Double.infinity...Double.infinity
    ) {
        let curves = members.map { objects[$0.index][keyPath: channel] }
        let ranges = curves.map(\.range)
        let extent = ranges.map { $0.upperBound - $0.lowerBound }.max() ?? 0
        guard curves.allSatisfy({ !$0.isConstant && returns($0, extent) }) else { return }
        let costs = curves.map(cost)
        guard let least = costs.min(), let most = costs.max() else { return }
        let limit = max(Self.maxDifference.tolerances * tolerance, share * extent)
        var candidates = zip(zip(curves, members), costs).map { (curve: $0.0, delay: $0.1.delay, cost: $1) }
        if let mean = mean(curves, members, max(tolerance, Self.meanTolerance * extent)), cost(mean) < least {
            candidates.append((mean, 0, cost(mean)))
        }
        for candidate in candidates.sorted(by: { $0.cost < $1.cost }) where candidate.cost < most {
            let moved = zip(members, curves).map { member, own in
                shifted(candidate.curve, by: member.delay - candidate.delay, toMeanOf: own)
            }
            guard zip(moved, curves).allSatisfy({ agrees($0, $1, limit) }) else { continue }
            for index in members.indices where costs[index] > candidate.cost {
                objects[members[index].index][keyPath: channel] = moved[index].map {
                    min(limits.upperBound, max(limits.lowerBound, $0))
                }
            }
            return
        }
    }

    /// Returns true if a curve describes a whole period, after which the value is the same.
    private func returns(_ curve: KeyframeCurve, _ extent: Double) -> Bool {
        let keys = curve.keys
        return keys[keys.count - 1].time >= keys[0].time + period - 1e-6
            && abs(curve.value(at: period) - curve.value(at: 0)) <= Self.maxGrowth * extent
    }

    /// Returns the number of values that describe a period of a curve.
    private func cost(_ curve: KeyframeCurve) -> Int {
        let first = curve.keys[0].time
        let keys = curve.keys.filter { $0.time < first + period - 1e-6 }
        let isFree = keys.map { key in
            !key.easing.isHold && !Easing.named.contains { $0.easing == key.easing }
        }
        return 2 * keys.count + 4 * isFree.count { $0 }
    }

    // MARK: Curves

    /// Returns the values of a curve at evenly spaced times of a period.
    private func values(_ curve: KeyframeCurve) -> [Double] {
        (0..<MotionComparison.instants).map {
            value(curve, at: period * Double($0) / Double(MotionComparison.instants))
        }
    }

    private func value(_ curve: KeyframeCurve, at time: Double) -> Double {
        curve.value(at: time - (time / period).rounded(.down) * period)
    }

    private func average(_ curve: KeyframeCurve) -> Double {
        values(curve).reduce(0, +) / Double(MotionComparison.instants)
    }

    /// Returns a curve that begins later, with the mean value of another.
    private func shifted(_ curve: KeyframeCurve, by delay: Double, toMeanOf other: KeyframeCurve) -> KeyframeCurve {
        let rise = average(other) - average(curve)
        let start = curve.keys[0].time
        let keys = curve.keys.filter { $0.time < start + period - 1e-6 }
        let offset = delay - ((start + delay) / period).rounded(.down) * period
        let all = (-1...1).flatMap { turn in
            keys.map { key in
                CurveKeyframe(
                    time: key.time + offset + Double(turn) * period, value: key.value + rise, easing: key.easing)
            }
        }
        let first = all.lastIndex { $0.time <= 1e-9 } ?? 0
        let last = all.firstIndex { $0.time >= period - 1e-9 } ?? all.count - 1
        return KeyframeCurve(keys: Array(all[first...max(first, last)]))
    }

    /// Returns true if curves differ by no more than a limit, up to half a frame earlier or later:
    /// jumps come between frames.
    private func agrees(_ curve: KeyframeCurve, _ other: KeyframeCurve, _ limit: Double) -> Bool {
        let half = builder.frameStep / 2
        let differences = values(other).enumerated().map { index, own in
            let time = period * Double(index) / Double(MotionComparison.instants)
            return [0, half, -half].map { abs(value(curve, at: time + $0) - own) }.min() ?? 0
        }
        let squares = differences.reduce(0) { $0 + $1 * $1 }
        return (squares / Double(differences.count)).squareRoot() <= limit
            && differences.allSatisfy { $0 <= Self.maxSingle * limit }
    }

    /// Returns the mean of curves without their delays, in place of the first; nil for a few.
    private func mean(_ curves: [KeyframeCurve], _ members: [Member], _ tolerance: Double) -> KeyframeCurve? {
        guard curves.count >= Self.minMembers else { return nil }
        let count = Int((2 * period / builder.frameStep).rounded()) + 1
        let times = (0..<count).map { Double($0) * builder.frameStep }
        let values = times.map { time in
            zip(curves, members).reduce(0) { $0 + value($1.0, at: time + $1.1.delay) } / Double(curves.count)
        }
        return builder.curve(ValueSamples(times: times, values: values), tolerance)
    }
}

extension CommonMotion {
    init(_ timing: ClipTiming, period: Double, _ builder: ObjectBuilder) {
        self.init(
            builder: builder, period: period,
            comparison: MotionComparison(duration: timing.duration, frame: timing.step, isLoop: true))
    }
}
