/// The times at which objects change velocity, from the best piecewise-linear motion with
/// breakpoints shared by all objects.
///
/// Dynamic programming over all segmentations minimizes the squared residuals of one line per
/// object and segment, in units of the noise, plus a penalty per segment (Bellman 1961, with the
/// penalty of Schwarz's criterion).
struct Breakpoints {
    /// A change of velocity.
    struct VelocityChange {
        /// The time in seconds.
        var time: Double
        /// The change as a fraction of the typical speed.
        var strength: Double
    }

    /// The velocity changes in order of time.
    let velocityChanges: [VelocityChange]
    /// The typical speed of moving objects in pixels per second.
    let speed: Double

    /// The maximum number of frames that are segmented at once: 20 s at 60 frames per second.
    private static let maxFrames = 1200
    /// The number of changes that are enough to find the phases. With fewer, more of the clip is
    /// segmented, at a frame rate that is lower by a factor.
    private static let enoughChanges = 12
    private static let rateDivisor = 4
    /// The minimum number of frames of a segment whose speed is typical. The speeds of shorter ones
    /// are mostly noise.
    private static let minTypicalFrames = 4
    /// The minimum typical speed, in multiples of the noise per duration of the clip. Slower motion
    /// is drift.
    private static let minTravel = 4.0
    /// The share of the highest speed above which a segment is fast, and the share of the typical
    /// speed above which a velocity changes.
    private static let fastShare = 0.3
    private static let minChange = 0.3
    /// The minimum deviation of positions from a line, as a share of the objects' range and in
    /// pixels. Without noise, each slight change of the velocity would begin a segment.
    private static let minDeviation = (share: 0.006, pixels: 0.02)
    /// About the natural logarithm of 2, with which Schwarz's criterion weighs each parameter for
    /// every doubling of the number of frames.
    private static let penaltyPerDoubling = 0.7
    /// The maximum strength of a change: that from the typical speed to its opposite.
    private static let maxStrength = 2.0

    init(_ track: Track) {
        let count = track.times.count
        var best: (changes: [VelocityChange], speed: Double) = ([], 0)
        // Begins with the first frames at the full rate. If too little happens there, takes more of
        // the clip and skips frames.
        var step = 1
        while true {
            let chosen = Array(stride(from: 0, to: count, by: step).prefix(Breakpoints.maxFrames))
            best = Breakpoints.find(track.subset(chosen))
            let isWhole = chosen.count < Breakpoints.maxFrames || step * Breakpoints.maxFrames >= count
            if best.changes.count >= Self.enoughChanges || isWhole { break }
            step *= Self.rateDivisor
        }
        (velocityChanges, speed) = best
    }

    private static func find(_ track: Track) -> ([VelocityChange], Double) {
        let lines = LineSums(track)
        let segments = segmentation(track, lines)
        let fits = segments.map { segment in
            track.positions.indices.map { lines.fit($0, segment.lowerBound, segment.upperBound) }
        }
        var speeds: [(speed: Double, length: Int)] = []
        for (segment, row) in zip(segments, fits) where segment.count >= 2 {
            speeds += row.compactMap { fit in fit.map { (abs($0.slope), segment.count) } }
        }
        let speed = typicalSpeed(speeds, atLeast: minTravel * track.noise / max(1e-9, track.times.last ?? 1))
        guard speed > 0 else { return ([], 0) }
        var changes: [VelocityChange] = []
        for (index, (before, after)) in zip(fits, fits.dropFirst()).enumerated() {
            let left = segments[index].upperBound
            let right = segments[index + 1].lowerBound
            let gap = track.times[left]...track.times[right]
            if let change = velocityChange(before, after, gap, speed) { changes.append(change) }
        }
        return (changes, speed)
    }

    /// Returns the median speed of the fast segments, weighted by their duration, or 0 below the
    /// minimum.
    private static func typicalSpeed(_ speeds: [(speed: Double, length: Int)], atLeast floor: Double) -> Double {
        let long = speeds.filter { $0.length >= minTypicalFrames }
        let usable = long.isEmpty ? speeds : long
        let greatest = usable.map(\.speed).max() ?? 0
        let moving = usable.filter { $0.speed > fastShare * greatest }.sorted { $0.speed < $1.speed }
        let total = moving.reduce(0) { $0 + $1.length }
        var passed = 0
        for entry in moving {
            passed += entry.length
            if 2 * passed >= total { return entry.speed > floor ? entry.speed : 0 }
        }
        return 0
    }

    private static func velocityChange(
        _ before: [LineSums.Line?], _ after: [LineSums.Line?], _ gap: ClosedRange<Double>, _ speed: Double
    ) -> VelocityChange? {
        var time = 0.0
        var weight = 0.0
        var strength = 0.0
        let slack = gap.upperBound - gap.lowerBound
        for (a, b) in zip(before, after) {
            guard let a, let b else { continue }
            let change = abs(b.slope - a.slope) / speed
            guard change > minChange else { continue }
            let meeting = (a.value - b.value + b.slope * b.time - a.slope * a.time) / (b.slope - a.slope)
            time += change * change * min(gap.upperBound + slack, max(gap.lowerBound - slack, meeting))
            weight += change * change
            strength = max(strength, change)
        }
        return weight > 0 ? VelocityChange(time: time / weight, strength: min(maxStrength, strength)) : nil
    }

    /// Returns the best segments as ranges of frames.
    private static func segmentation(_ track: Track, _ lines: LineSums) -> [ClosedRange<Int>] {
        let count = track.times.count
        let deviation = max(track.noise, minDeviation.share * track.range, minDeviation.pixels)
        let objects = track.positions.count
        var logarithm = 1.0
        while Double(1 << Int(logarithm)) < Double(count) { logarithm += 1 }
        let penalty = Double(2 * objects + 1) * penaltyPerDoubling * logarithm * deviation * deviation
        var cost = [Double](repeating: .infinity, count: count + 1)
        var start = [Int](repeating: 0, count: count + 1)
        cost[0] = 0
        for end in 1...count {
            var first = max(0, end - 2)
            while first >= 0 {
                if end - first < 2, count > 1 { break }
                let error = lines.error(first, end - 1)
                let total = cost[first] + error + penalty
                if total < cost[end] {
                    cost[end] = total
                    start[end] = first
                }
                // The error of a longer segment is never smaller, so an earlier start cannot become
                // cheaper.
                if error > penalty * 12 + cost[end] { break }
                first -= 1
            }
        }
        var segments: [ClosedRange<Int>] = []
        var end = count
        while end > 0, cost[end].isFinite {
            segments.append(start[end]...(end - 1))
            end = start[end]
        }
        return segments.reversed()
    }
}

/// Least-squares lines through any range of each object's positions, in constant time from running
/// sums.
struct LineSums {
    /// A line, given by a point and a slope in pixels per second.
    struct Line {
        var time: Double
        var value: Double
        var slope: Double
    }

    /// Running weighted sums of 1, t, t², s, ts and s².
    private struct Sums {
        var w = 0.0, t = 0.0, tt = 0.0, s = 0.0, ts = 0.0, ss = 0.0
    }

    private let sums: [[Sums]]

    init(_ track: Track) {
        let middle = (track.times.first ?? 0) / 2 + (track.times.last ?? 0) / 2
        sums = zip(track.positions, track.weights).map { row, weights in
            let origin = row.first ?? 0
            var running = [Sums()]
            running.reserveCapacity(row.count + 1)
            for (k, value) in row.enumerated() {
                var next = running[k]
                let w = weights[k]
                let t = track.times[k] - middle
                let s = value - origin
                next.w += w
                next.t += w * t
                next.tt += w * t * t
                next.s += w * s
                next.ts += w * t * s
                next.ss += w * s * s
                running.append(next)
            }
            return running
        }
        self.middle = middle
        origins = track.positions.map { $0.first ?? 0 }
    }

    private let middle: Double
    private let origins: [Double]

    private func between(_ object: Int, _ first: Int, _ last: Int) -> Sums {
        let a = sums[object][first]
        let b = sums[object][last + 1]
        return Sums(w: b.w - a.w, t: b.t - a.t, tt: b.tt - a.tt, s: b.s - a.s, ts: b.ts - a.ts, ss: b.ss - a.ss)
    }

    /// Returns the squared residuals of the best lines of all objects through the frames
    /// `first...last`.
    func error(_ first: Int, _ last: Int) -> Double {
        var error = 0.0
        for object in sums.indices {
            let s = between(object, first, last)
            guard s.w > 1e-9 else { continue }
            let vt = s.tt - s.t * s.t / s.w
            let vs = s.ss - s.s * s.s / s.w
            let vts = s.ts - s.t * s.s / s.w
            error += max(0, vt > 1e-12 ? vs - vts * vts / vt : vs)
        }
        return error
    }

    /// Returns the least-squares line of an object through the frames `first...last`; nil if the
    /// object is hardly visible there.
    func fit(_ object: Int, _ first: Int, _ last: Int) -> Line? {
        let s = between(object, first, last)
        let vt = s.w > 1e-9 ? s.tt - s.t * s.t / s.w : 0
        guard s.w > 0.5, vt > 1e-12 else { return nil }
        return Line(
            time: middle + s.t / s.w, value: origins[object] + s.s / s.w, slope: (s.ts - s.t * s.s / s.w) / vt)
    }
}
