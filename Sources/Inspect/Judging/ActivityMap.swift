import Core

/// The motion of a loader in cells: the standard deviation over time.
struct ActivityTemplate {
    let values: [Float]
    let width: Int
    let height: Int

    /// Returns the template in larger cells. Nothing moves outside of it, so the part of a cell
    /// beyond its border counts as 0.
    func reduced(by factor: Int) -> ActivityTemplate {
        let columns = (width + factor - 1) / factor
        let rows = (height + factor - 1) / factor
        var sums = [Float](repeating: 0, count: columns * rows)
        for y in 0..<height {
            for x in 0..<width { sums[y / factor * columns + x / factor] += values[y * width + x] }
        }
        let area = Float(factor * factor)
        return ActivityTemplate(values: sums.map { $0 / area }, width: columns, height: rows)
    }
}

/// A position of a template in cells from a recording's corner, with its correlation.
struct ActivityPeak {
    var score: Float
    var x: Int
    var y: Int
}

/// The activity of a part of a recording, in cells; 0 outside the frame.
struct ActivityMap {
    /// The cells of the part, counted from the frame's corner.
    private let x: Range<Int>
    private let y: Range<Int>
    /// The number of cells in the frame.
    private let frame: (columns: Int, rows: Int)
    /// The number of cells from one searched position to the next.
    private let step: Int
    let values: [Float]

    /// The minimum variance of the activity between the cells of a position, in squared codes. With
    /// less, nothing stands out. In an evenly fading area, only rounding errors correlate.
    private static let minVariance: Float = 1
    /// The distance of searched positions in pixels of the survey.
    private static let distance = 0.5
    /// The distance in searched positions within which a better one hides another.
    private static let reach = 2

    /// A map of a frame with one value for each cell.
    init(_ values: [Float], columns: Int) {
        self.values = values
        frame = (columns, values.count / columns)
        (x, y) = (0..<columns, 0..<values.count / columns)
        step = 1
    }

    /// A map of a part, with cells of a size in pixels of the survey.
    init(_ survey: RecordingSurvey, cell: Double, x: Range<Int>, y: Range<Int>) {
        self.x = x
        self.y = y
        frame = (
            Int((Double(survey.size.width) / cell).rounded()), Int((Double(survey.size.height) / cell).rounded())
        )
        step = max(1, Int(Self.distance / cell))
        values = y.flatMap { row in
            x.map { survey.meanActivity(Double($0) * cell, Double(row) * cell, side: cell) }
        }
    }

    /// A map of everything that moves, with a margin in which a template of the given size still
    /// overlaps it; nil if nothing moves.
    init?(_ survey: RecordingSurvey, cell: Double, around size: (width: Int, height: Int), maxCells: Int) {
        guard let moving = survey.moving else { return nil }
        let left = max(-size.width / 3, Int(Double(moving.x.lowerBound) / cell) - size.width)
        let top = max(-size.height / 3, Int(Double(moving.y.lowerBound) / cell) - size.height)
        let right = Int((Double(moving.x.upperBound) / cell).rounded(.up)) + size.width
        let bottom = Int((Double(moving.y.upperBound) / cell).rounded(.up)) + size.height
        let maxRight = Int((Double(survey.size.width) / cell).rounded(.up)) + size.width / 3
        let maxBottom = Int((Double(survey.size.height) / cell).rounded(.up)) + size.height / 3
        let (x, y) = (left..<max(left, min(right, maxRight)), top..<max(top, min(bottom, maxBottom)))
        guard x.count * y.count <= maxCells else { return nil }
        self.init(survey, cell: cell, x: x, y: y)
    }

    /// Returns up to `limit` positions at which a template correlates more than at any position
    /// nearby, the best first.
    func peaks(_ template: ActivityTemplate, limit: Int) -> [ActivityPeak] {
        let ys = Array(stride(from: y.lowerBound, through: max(y.lowerBound, y.upperBound - template.height), by: step))
        let xs = Array(stride(from: x.lowerBound, through: max(x.lowerBound, x.upperBound - template.width), by: step))
        var scores = ys.flatMap { y in xs.map { correlation(template, x: $0, y: y) } }
        var peaks: [ActivityPeak] = []
        while peaks.count < limit, let best = scores.indices.max(by: { scores[$0] < scores[$1] }), scores[best] > 0 {
            let (column, row) = (best % xs.count, best / xs.count)
            peaks.append(ActivityPeak(score: scores[best], x: xs[column], y: ys[row]))
            for y in max(0, row - Self.reach)...min(ys.count - 1, row + Self.reach) {
                for x in max(0, column - Self.reach)...min(xs.count - 1, column + Self.reach) {
                    scores[y * xs.count + x] = 0
                }
            }
        }
        return peaks
    }

    /// Returns the correlation of a template at a position with the cells within the frame, reduced
    /// by the share that lies outside, because a recording may cut off the loader.
    func correlation(_ template: ActivityTemplate, x left: Int, y top: Int) -> Float {
        let across = (left..<left + template.width).clamped(to: 0..<max(0, frame.columns)).clamped(to: x)
        let down = (top..<top + template.height).clamped(to: 0..<max(0, frame.rows)).clamped(to: y)
        let count = Float(across.count * down.count)
        let whole = Float(template.width * template.height)
        guard count > LoaderLocator.minVisible * whole else { return 0 }
        var sums = CorrelationSums()
        values.withUnsafeBufferPointer { recorded in
            template.values.withUnsafeBufferPointer { expected in
                // Both have at least one value, so the buffers have a base address.
                for row in down {
                    sums.add(
                        recorded.baseAddress! + (row - y.lowerBound) * x.count + across.lowerBound - x.lowerBound,
                        expected.baseAddress! + (row - top) * template.width + across.lowerBound - left,
                        count: across.count)
                }
            }
        }
        return sums.correlation(count: count, minVariance: Self.minVariance) * (count / whole).squareRoot()
    }
}

extension RecordingSurvey {
    /// The bounds of everything that moves, in pixels of small frames; nil if nothing does.
    var moving: (x: Range<Int>, y: Range<Int>)? {
        let moving = activity.indices.filter { activity[$0] > 0 }
        let (xs, ys) = (moving.map { $0 % size.width }, moving.map { $0 / size.width })
        guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max() else { return nil }
        return (left..<right + 1, top..<bottom + 1)
    }

    /// Returns the mean activity of a square in pixels of small frames; 0 outside the frame.
    func meanActivity(_ x0: Double, _ y0: Double, side: Double) -> Float {
        let columns = Double(size.width)
        let rows = Double(size.height)
        guard x0 + side > 0, y0 + side > 0, x0 < columns, y0 < rows else { return 0 }
        let xs = Int(max(0, x0))..<Int(min(columns, max(x0 + side, max(0, x0) + 1).rounded(.up)))
        let ys = Int(max(0, y0))..<Int(min(rows, max(y0 + side, max(0, y0) + 1).rounded(.up)))
        var sum: Float = 0
        for y in ys { for x in xs { sum += activity[y * size.width + x] } }
        return sum / Float(max(1, xs.count * ys.count))
    }
}

/// The sums that determine the correlation of two lists. Eight lanes each, because compilers do not
/// reorder sums of floating-point numbers.
private struct CorrelationSums {
    private typealias Lanes = SIMD8<Float>
    private var cross = Lanes(repeating: 0)
    private var sums = (first: Lanes(repeating: 0), second: Lanes(repeating: 0))
    private var squares = (first: Lanes(repeating: 0), second: Lanes(repeating: 0))

    /// Adds the products of `count` values of two lists.
    mutating func add(_ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, count: Int) {
        var index = 0
        while index + Lanes.scalarCount <= count {
            add(
                UnsafeRawPointer(first + index).loadUnaligned(as: Lanes.self),
                UnsafeRawPointer(second + index).loadUnaligned(as: Lanes.self))
            index += Lanes.scalarCount
        }
        guard index < count else { return }
        var rest = (first: Lanes(repeating: 0), second: Lanes(repeating: 0))
        for lane in 0..<count - index {
            rest.first[lane] = first[index + lane]
            rest.second[lane] = second[index + lane]
        }
        add(rest.first, rest.second)
    }

    private mutating func add(_ first: Lanes, _ second: Lanes) {
        cross += first * second
        sums.first += first
        sums.second += second
        squares.first += first * first
        squares.second += second * second
    }

    /// Returns the correlation, up to 1; 0 if the variance of the first list is at most
    /// `minVariance`, or the second list does not vary.
    ///
    /// - Parameters:
    ///   - count: the number of values added.
    ///   - minVariance: the variance of the first list up to which the correlation is 0.
    func correlation(count: Float, minVariance: Float) -> Float {
        let first = sums.first.sum()
        let second = sums.second.sum()
        let variance = squares.first.sum() - first * first / count
        let otherVariance = squares.second.sum() - second * second / count
        guard variance > minVariance * count, otherVariance > 0 else { return 0 }
        return (cross.sum() - first * second / count) / (variance * otherVariance).squareRoot()
    }
}
