import Core

/// Small versions of all frames, to find the period after which a clip repeats.
struct FrameSignatures {
    private var rows: [[Float]] = []
    /// The number of cells along each side of the grid.
    private static let side = 24

    /// Adds a frame in RGBA: the mean of samples in each cell of a grid.
    mutating func add(_ pixels: UnsafeBufferPointer<UInt8>, width: Int, height: Int) {
        let side = FrameSignatures.side
        var sums = [Float](repeating: 0, count: 3 * side * side)
        var counts = [Float](repeating: 0, count: side * side)
        let step = max(1, min(width, height) / (4 * side))
        for y in stride(from: step / 2, to: height, by: step) {
            for x in stride(from: step / 2, to: width, by: step) {
                let cell = y * side / height * side + x * side / width
                let index = 4 * (y * width + x)
                for channel in 0..<3 { sums[3 * cell + channel] += Float(pixels[index + channel]) }
                counts[cell] += 1
            }
        }
        for index in sums.indices { sums[index] /= max(1, counts[index / 3]) }
        rows.append(sums)
    }

    var count: Int { rows.count }

    /// The maximum interval between frames, as a multiple of the usual one, without missing frames.
    private static let maxStep = 1.5
    /// The maximum factor by which repeated frames increase the number of frames.
    private static let maxGrowth = 4

    /// Returns the frames at a constant rate, with those repeated that are shown for longer, and
    /// their interval in seconds. GIF encoders leave out frames that repeat the one before.
    func atConstantRate(_ times: [Double], until end: Double) -> (signatures: FrameSignatures, step: Double) {
        let mean = rows.count > 1 ? (times[rows.count - 1] - times[0]) / Double(rows.count - 1) : end
        let steps = zip(times.dropFirst(), times).map { $0 - $1 }
        let step = steps.median ?? mean
        guard let longest = steps.max(), step > 0, longest > Self.maxStep * step else { return (self, mean) }
        var result = FrameSignatures()
        var index = 0
        let wanted = Int(min(1e9, ((end - times[0]) / step).rounded()))
        let count = min(ClipScan.maxFrames, Self.maxGrowth * rows.count, wanted)
        for position in 0..<count {
            let time = times[0] + Double(position) * step
            while index + 1 < rows.count, times[index + 1] <= time + step / 4 { index += 1 }
            result.rows.append(rows[index])
        }
        return (result, step)
    }

    /// The maximum squared difference between frames that are a period apart, as a share of the
    /// frames' variance. It allows for noise and for periods that are not whole frames.
    private static let maxDifference = 0.03
    /// The maximum difference of frames whose jumps come a frame early or late, as in a clip that
    /// was recorded at the times of these jumps; and the maximum difference without these jumps.
    /// Eight dots that fade one after the other had 0.14 and 0.0016. Three dots that look nearly
    /// the same after a third of a turn had 0.06 and 0.015.
    private static let maxJitter = (whole: 0.25, steady: 0.005)
    /// The maximum difference of frames a whole period apart, relative to that of frames one frame
    /// more or less apart.
    private static let maxNoise = 0.05
    /// The share of the overlap that a period needs as evidence.
    private static let minOverlap = 0.35
    /// The minimum number of frames whose period is sought, and the minimum sum of the variances of
    /// their cells in squared codes. With less, nothing repeats but noise.
    private static let minFrames = 8
    private static let minVariance = 0.01
    /// The minimum of the longest period that the clip can show, in frames. The search begins with
    /// two frames, and compares each number with the next one.
    private static let minLongestPeriod = 3
    /// The difference that frames within a period must reach, as a share of the variance. A clip
    /// that has not changed yet does not repeat.
    private static let minChange = 0.1
    /// The share of the clip that several periods may span. The frames of the rest are compared
    /// with those before them.
    private static let maxSpan = 0.8
    /// The largest number of periods that are compared at once. It bounds the time for long clips;
    /// the period is then known to a thousandth of a frame.
    private static let maxMultiple = 500

    /// Returns the number of frames after which the clip repeats, not necessarily whole; nil if it
    /// does not.
    func period() -> Double? {
        let count = rows.count
        let variance = variance()
        guard count >= Self.minFrames, variance > Self.minVariance else { return nil }
        let largest = Int(Double(count) / (1 + FrameSignatures.minOverlap))
        guard largest >= Self.minLongestPeriod else { return nil }
        let differences = (0...largest).map { $0 == 0 ? 0 : difference($0) / (2 * variance) }
        let lags = 2..<largest
        guard
            let lag = lags.first(where: { lag in
                differences[lag] < Self.maxJitter.whole && differences[lag] <= differences[lag - 1]
                    && differences[lag] <= differences[lag + 1]
                    && (1..<lag).contains { differences[$0] > Self.minChange }
                    && (differences[lag] < Self.maxDifference
                        || unsteadyDifference(lag) / (2 * variance) < Self.maxJitter.steady)
            })
        else { return nil }
        return refined(lag, variance)
    }

    /// Returns a period between whole frames, from the largest multiple that the clip shows.
    private func refined(_ lag: Int, _ variance: Double) -> Double {
        var period = vertex(lag)
        var multiple = 2
        while multiple <= FrameSignatures.maxMultiple, Double(multiple) * period < Double(rows.count) * Self.maxSpan {
            let center = Int((Double(multiple) * period).rounded())
            let near = max(2, center - 2)...min(rows.count - 2, center + 2)
            guard let best = near.min(by: { difference($0) < difference($1) }) else { break }
            period = vertex(best) / Double(multiple)
            multiple += 1
        }
        return period
    }

    /// Returns the lowest point of the parabola through the differences around a lag.
    private func vertex(_ lag: Int) -> Double {
        guard lag + 1 < rows.count else { return Double(lag) }
        let a = difference(lag - 1)
        let b = difference(lag)
        let c = difference(lag + 1)
        let curvature = a - 2 * b + c
        // Frames that differ only by noise are whole periods apart.
        guard curvature > 0, b > FrameSignatures.maxNoise * min(a, c) else { return Double(lag) }
        return Double(lag) + min(0.5, max(-0.5, (a - c) / (2 * curvature)))
    }

    /// Returns the mean squared difference of frames that are `lag` apart.
    private func difference(_ lag: Int) -> Double {
        var sum: Float = 0
        var pairs = 0
        let step = max(1, (rows.count - lag) / 200)
        for index in stride(from: 0, to: rows.count - lag, by: step) {
            let a = rows[index]
            let b = rows[index + lag]
            for cell in a.indices {
                let difference = a[cell] - b[cell]
                sum += difference * difference
            }
            pairs += 1
        }
        return Double(sum) / Double(max(1, pairs))
    }

    /// Returns the mean squared difference of frames that are `lag` apart, if each cell may change
    /// a frame early or late.
    private func unsteadyDifference(_ lag: Int) -> Double {
        let pairs = rows.indices.dropFirst().dropLast(lag + 1)
        let sum = pairs.reduce(Float(0)) { sum, index in
            let a = rows[index]
            let others = (rows[index + lag - 1], rows[index + lag], rows[index + lag + 1])
            return a.indices.reduce(sum) { sum, cell in
                let value = a[cell]
                let sides = min(abs(value - others.0[cell]), abs(value - others.2[cell]))
                let nearest = min(sides, abs(value - others.1[cell]))
                return sum + nearest * nearest
            }
        }
        return Double(sum) / Double(max(1, pairs.count))
    }

    private func variance() -> Double {
        guard let first = rows.first else { return 0 }
        var total = 0.0
        for cell in first.indices {
            var sum = 0.0
            var squares = 0.0
            for row in rows {
                sum += Double(row[cell])
                squares += Double(row[cell]) * Double(row[cell])
            }
            let mean = sum / Double(rows.count)
            total += squares / Double(rows.count) - mean * mean
        }
        return total
    }

    /// Returns the squared differences between successive frames, and between the first and the
    /// last, as shares of twice the frames' variance.
    func changes() -> (steps: [Double], seam: Double) {
        let scale = max(1e-9, 2 * variance())
        func change(_ a: Int, _ b: Int) -> Double {
            let sum = zip(rows[a], rows[b]).reduce(Float(0)) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
            return Double(sum) / scale
        }
        guard let last = rows.indices.last else { return ([], 0) }
        return (rows.indices.dropLast().map { change($0, $0 + 1) }, change(0, last))
    }
}
