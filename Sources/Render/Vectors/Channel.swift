import Core

/// A property over the frames of a clip as keyframes: between two of them it changes linearly, or
/// holds.
struct Channel: Sendable {
    struct Keyframe: Sendable {
        /// The frame; that after the last one is the first frame of the next pass.
        var frame: Int
        var values: [Double]
        /// True if the values hold until the next keyframe.
        var isHold: Bool
    }

    /// The keyframes in order; a single one if the property does not change.
    let keyframes: [Keyframe]
    /// The text of numbers, precise enough for the property's tolerance.
    let decimal: DecimalText

    var isConstant: Bool { keyframes.count == 1 }
    /// The values at the start of the clip.
    var initial: [Double] { keyframes[0].values }

    /// A change is a jump if it is this many times as large as the changes before and after it.
    /// Motion with at least ten samples never changes its speed that fast.
    private static let jumpRatio = 4.0
    /// The minimum size of a jump in tolerances, below which linear interpolation is as good.
    private static let minJump = 10.0
    /// The maximum number of frames between two keyframes, which bounds the work of finding them.
    private static let maxRun = 240

    /// Reduces samples to keyframes.
    ///
    /// - Parameters:
    ///   - samples: the values in the frames in which the object is drawn, in order, at least one.
    ///     One in frame `frameCount` has the values just before the pass ends. If they differ from
    ///     those of the first frame, the last frame's values hold until the end.
    ///   - frameCount: the number of frames in a pass.
    ///   - tolerance: the maximum error of every value.
    ///   - period: the amount that values may differ by without a visible change, such as 360
    ///     degrees; nil for none.
    init(
        _ samples: [(frame: Int, values: [Double])], frameCount: Int, tolerance: Double, period: Double? = nil
    ) {
        decimal = DecimalText(tolerance: tolerance)
        let end = samples.last.flatMap { $0.frame == frameCount ? $0.values : nil }
        let samples = end == nil ? samples : Array(samples.dropLast())
        guard samples.contains(where: { Channel.distance($0.values, samples[0].values) > tolerance / 2 }) else {
            keyframes = [Keyframe(frame: 0, values: samples[0].values, isHold: true)]
            return
        }
        var values = Channel.filled(samples, frameCount: frameCount) + (end.map { [$0] } ?? [])
        if let period { Channel.unwrap(&values, period: period) }
        let last = end == nil ? nil : values.removeLast()
        var jumps = Channel.jumps(in: values, tolerance)
        if let last, Channel.distance(last, values[frameCount]) > Channel.minJump * tolerance {
            jumps[frameCount - 1] = true
        }
        keyframes = Channel.reduced(values, jumps: jumps, tolerance)
    }

    /// Returns the values of each frame, and at the end those of the first frame again. While the
    /// object is not drawn they stay the same.
    private static func filled(_ samples: [(frame: Int, values: [Double])], frameCount: Int) -> [[Double]] {
        var values: [[Double]] = []
        values.reserveCapacity(frameCount + 1)
        var next = 0
        for frame in 0..<frameCount {
            if next + 1 < samples.count, samples[next + 1].frame <= frame { next += 1 }
            values.append(samples[next].values)
        }
        return values + [values[0]]
    }

    /// Moves each value by whole periods to within half a period of the one before.
    private static func unwrap(_ values: inout [[Double]], period: Double) {
        for index in values.indices.dropFirst() {
            for axis in values[index].indices {
                let turns = ((values[index][axis] - values[index - 1][axis]) / period).rounded()
                values[index][axis] -= turns * period
            }
        }
    }

    private static func distance(_ a: [Double], _ b: [Double]) -> Double {
        var result = 0.0
        for index in a.indices { result = max(result, abs(a[index] - b[index])) }
        return result
    }

    /// For each interval between two frames, true if the values jump at its end.
    private static func jumps(in values: [[Double]], _ tolerance: Double) -> [Bool] {
        let changes = zip(values, values.dropFirst()).map { distance($0, $1) }
        return changes.indices.map { index in
            let before = changes[(index + changes.count - 1) % changes.count]
            let after = changes[(index + 1) % changes.count]
            return changes[index] > minJump * tolerance && changes[index] > jumpRatio * max(before, after)
        }
    }

    private static func reduced(_ values: [[Double]], jumps: [Bool], _ tolerance: Double) -> [Keyframe] {
        var result: [Keyframe] = []
        var start = 0
        while start < values.count - 1 {
            var end = start
            while end < values.count - 1, !jumps[end], end - start < maxRun,
                isLinear(values, start, end + 1, tolerance)
            { end += 1 }
            let isStill = distance(values[start], values[end]) <= tolerance / 2
            // Values that stay the same and then jump need no keyframe before the jump.
            if end == start || isStill && end < values.count - 1 && jumps[end] {
                result.append(Keyframe(frame: start, values: values[start], isHold: true))
                start = end + 1
            } else {
                result.append(Keyframe(frame: start, values: values[start], isHold: false))
                start = end
            }
        }
        result.append(Keyframe(frame: values.count - 1, values: values[values.count - 1], isHold: true))
        return result
    }

    /// Returns true if the values between two frames are within `tolerance` of linear
    /// interpolation.
    private static func isLinear(_ values: [[Double]], _ start: Int, _ end: Int, _ tolerance: Double) -> Bool {
        let length = Double(end - start)
        for frame in start + 1..<max(end, start + 1) {
            let fraction = Double(frame - start) / length
            for axis in values[frame].indices {
                let expected = lerp(values[start][axis], values[end][axis], fraction)
                if abs(expected - values[frame][axis]) > tolerance { return false }
            }
        }
        return true
    }
}

extension Channel {
    /// Opacity in 0...1 with steps where the object appears or disappears.
    ///
    /// - Parameter samples: the opacity in the frames in which the object is drawn.
    static func opacity(_ samples: [(frame: Int, values: [Double])], frameCount: Int) -> Channel {
        Channel(samples, frameCount: frameCount, tolerance: opacityTolerance)
    }

    /// Half an 8-bit code.
    static let opacityTolerance = 0.5 / 255

    private init(keyframes: [Keyframe], decimal: DecimalText) {
        self.keyframes = keyframes
        self.decimal = decimal
    }

    /// 1 in the frames in which a track is drawn and 0 in others; nil if it is always drawn.
    static func visibility(of track: VectorTrack) -> Channel? {
        let keyframes = track.appearances.map { frame, isDrawn in
            Keyframe(frame: frame, values: [isDrawn ? 1 : 0], isHold: true)
        }
        return keyframes.isEmpty ? nil : Channel(keyframes: keyframes, decimal: DecimalText(places: 0))
    }

    /// Returns the product with a visibility: the values while the object is drawn, and 0
    /// otherwise.
    func shown(by visibility: Channel?) -> Channel {
        guard let visibility else { return self }
        var result: [Keyframe] = []
        // Up to the frame before it disappears or appears, the object moves as it does otherwise.
        let edges = visibility.keyframes.map(\.frame)
        let frames = Set(keyframes.map(\.frame) + edges + edges.map { max(0, $0 - 1) }).sorted()
        for (index, frame) in frames.enumerated() {
            let isShown = visibility.keyframe(at: frame).values[0] > 0
            let own = keyframe(at: frame)
            let values = isShown ? self.values(at: frame) : own.values.map { _ in 0 }
            let next = index + 1 < frames.count ? frames[index + 1] : nil
            let isCut = next.map { (visibility.keyframe(at: $0).values[0] > 0) != isShown } ?? true
            result.append(Keyframe(frame: frame, values: values, isHold: own.isHold || !isShown || isCut))
        }
        return Channel(keyframes: result, decimal: decimal)
    }

    private func keyframe(at frame: Int) -> Keyframe { keyframes[lastIndex(at: frame) ?? 0] }

    /// Returns the index of the last keyframe that is not after a frame; nil if there is none.
    private func lastIndex(at frame: Int) -> Int? {
        let next = keyframes.indices.partitionPoint { keyframes[$0].frame <= frame }
        return next == 0 ? nil : next - 1
    }

    /// Returns the values in a frame.
    func values(at frame: Int) -> [Double] {
        guard let index = lastIndex(at: frame) else { return initial }
        let key = keyframes[index]
        guard !key.isHold, index + 1 < keyframes.count else { return key.values }
        let next = keyframes[index + 1]
        let fraction = Double(frame - key.frame) / Double(next.frame - key.frame)
        return zip(key.values, next.values).map { lerp($0, $1, fraction) }
    }
}

extension Channel {
    /// Always 1.
    static let one = Channel(
        keyframes: [Keyframe(frame: 0, values: [1], isHold: true)], decimal: DecimalText(tolerance: opacityTolerance))

    /// Returns a position moved by an offset.
    func moved(by offset: Point) -> Channel { mapped { [$0[0] + offset.x, $0[1] + offset.y] } }

    /// The values with the opposite sign.
    var negated: Channel { mapped { $0.map { -$0 } } }

    private func mapped(_ change: ([Double]) -> [Double]) -> Channel {
        let changed = keyframes.map { key in
            Keyframe(frame: key.frame, values: change(key.values), isHold: key.isHold)
        }
        return Channel(keyframes: changed, decimal: decimal)
    }
}
