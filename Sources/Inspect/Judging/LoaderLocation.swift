import Animations
import Core
import Raster
import Render

/// The motion of a loader, drawn small: where it changes over time.
struct ModelActivity {
    /// The bounding box of everything that changes, in points.
    let bounds: Rect
    /// Pixels per point.
    let scale: Double
    let width: Int
    let height: Int
    /// The frames at equal intervals of the period.
    let frames: [Thumbnail]

    /// The number of frames over the period.
    static let count = 96
    /// The longer side of the moving part in pixels: fine enough to tell a loader from a clock, and
    /// coarse enough to search a whole frame.
    private static let side = 28.0
    /// The margin around the moving part, relative to its longer side, where nothing may move.
    private static let margin = 0.15
    /// The smallest standard deviation of a channel over the period that counts as motion, in
    /// codes.
    private static let minDeviation: Float = 4

    /// Draws a loader. Returns nil if nothing in it changes.
    init?(_ loader: any Loader, background: Color) throws {
        let canvas = loader.canvas
        let coarse = 64 / max(canvas.width, canvas.height)
        let whole = try Self.frames(loader, background, Rect(size: canvas), coarse)
        let activity = Self.deviation(whole.frames)
        let active = activity.indices.filter { activity[$0] > Self.minDeviation }
        guard !active.isEmpty else { return nil }
        let columns = active.map { $0 % whole.width }
        let rows = active.map { $0 / whole.width }
        let left = Double(columns.min() ?? 0) / coarse
        let top = Double(rows.min() ?? 0) / coarse
        let right = Double((columns.max() ?? 0) + 1) / coarse
        let bottom = Double((rows.max() ?? 0) + 1) / coarse
        let moving = Rect(x: left, y: top, width: right - left, height: bottom - top)
        bounds = moving.expanded(by: Self.margin * max(moving.width, moving.height))
        scale = Self.side / max(moving.width, moving.height)
        (frames, width, height) = try Self.frames(loader, background, bounds, scale)
    }

    private static func frames(
        _ loader: any Loader, _ background: Color, _ part: Rect, _ scale: Double
    ) throws -> (frames: [Thumbnail], width: Int, height: Int) {
        let width = max(1, Int((part.width * scale).rounded()))
        let height = max(1, Int((part.height * scale).rounded()))
        let rasterizer = try Rasterizer(width: width, height: height)
        let transform = AffineTransform.translation(Point(-part.x, -part.y)).then(.scale(scale))
        let frames = try (0..<count).map { index in
            let nodes = loader.nodes(at: loader.period * Rational(Int128(index), Int128(count)))
            try rasterizer.draw(
                Scene(
                    size: Size(Double(width), Double(height)), background: background,
                    nodes: [.group(Group(transform: transform, nodes: nodes))]))
            return Thumbnail(rasterizer.pixmap)
        }
        return (frames, width, height)
    }

    /// Returns the standard deviation of each pixel's strongest channel.
    static func deviation(_ frames: [Thumbnail]) -> [Float] {
        guard let first = frames.first else { return [] }
        var sums = [Float](repeating: 0, count: first.pixels.count)
        var squares = sums
        for frame in frames {
            for (index, value) in frame.pixels.enumerated() {
                let value = Float(value) - 128
                sums[index] += value
                squares[index] += value * value
            }
        }
        let count = Float(frames.count)
        return (0..<first.width * first.height).map { pixel in
            (0..<3).map { channel in
                let mean = sums[3 * pixel + channel] / count
                return max(0, squares[3 * pixel + channel] / count - mean * mean).squareRoot()
            }.max() ?? 0
        }
    }

    /// True if a recording of some periods shows less than one.
    func isPart(_ periods: Double) -> Bool { periods < 0.95 }

    /// Returns the activity templates to search for: of the whole period or, for recordings shorter
    /// than that, of parts of it that begin at every `step`th frame.
    func templates(periods: Double, step: Int = count / 8) -> [[Float]] {
        guard isPart(periods) else { return [Self.deviation(frames)] }
        let length = max(2, Int((periods * Double(Self.count)).rounded()))
        return stride(from: 0, to: Self.count, by: step).map { first in
            Self.deviation((0..<length).map { frames[(first + $0) % Self.count] })
        }
    }
}

/// A possible position of a loader in a recording.
struct LocationCandidate {
    /// Pixels of the recording per point.
    var scale: Double
    /// The upper left corner of the canvas in pixels of the recording.
    var origin: Point
    /// The correlation of both activities, up to 1.
    var score: Double
}

/// Finds the places of a recording that move like a loader.
struct LoaderLocator {
    let survey: RecordingSurvey
    let activity: ModelActivity

    /// The maximum number of candidates.
    static let maxCandidates = 5
    /// The same if any scale is right: small parts of a recording look like any spot.
    static let maxFreeCandidates = 10
    /// The maximum number of cells of the resampled activity. Loaders that need more are a few
    /// pixels large in the survey.
    private static let maxCells = 4_000_000
    /// The minimum correlation of a candidate. Unrelated motion can exceed it, at about 0.5; the
    /// later fit rejects it (`JudgedRecording.otherMotion`).
    private static let minScore = 0.35
    /// The variance of the activity between the cells of a position, in squared codes, up to which
    /// nothing stands out. In an evenly fading area, only rounding errors correlate.
    private static let minVariance: Float = 1
    /// The smallest part of the loader's moving part that lies within the recording.
    private static let minVisible: Float = 0.5

    /// Returns the likeliest positions, the best first.
    func candidates(
        scales: [Double], periods: Double, limit: Int = maxCandidates
    ) throws -> [LocationCandidate] {
        let templates = activity.templates(periods: periods)
        // Each worker gets a contiguous range. Small scales take the longest, so they are dealt
        // out.
        let workers = Resources.processors
        let order = scales.indices.sorted { ($0 % workers, $0) < ($1 % workers, $1) }
        let peaksOfScales = try inParallel(order.count) { range in
            order[range].map { (index: $0, peaks: peaks(scales[$0], templates)) }
        }
        var found = peaksOfScales.sorted { $0.index < $1.index }.flatMap(\.peaks)
        found.sort { $0.score > $1.score }
        var distinct: [LocationCandidate] = []
        for candidate in found where candidate.score > Self.minScore {
            let isKnown = distinct.contains { other in
                abs(log(other.scale / candidate.scale)) < 0.03
                    && other.origin.distance(to: candidate.origin) < 0.1 * activity.bounds.width * candidate.scale
            }
            if !isKnown { distinct.append(candidate) }
            if distinct.count == limit { break }
        }
        return distinct
    }

    /// Returns the best positions for one scale.
    private func peaks(_ scale: Double, _ templates: [[Float]]) -> [LocationCandidate] {
        // The recording's activity is resampled so that a pixel of the template is one pixel.
        let (width, height) = (activity.width, activity.height)
        let cell = scale / activity.scale * survey.reduction.x
        let maxSize = 1 / Double(Self.minVisible)
        guard Double(width) * cell < maxSize * Double(survey.size.width),
            Double(height) * cell < maxSize * Double(survey.size.height), scale * activity.bounds.width >= 8
        else { return [] }
        let columns = Int((Double(survey.size.width) / cell).rounded(.up)) + 2 * (width / 3)
        let rows = Int((Double(survey.size.height) / cell).rounded(.up)) + 2 * (height / 3)
        guard columns * rows <= Self.maxCells else { return [] }
        // The cells of a small loader are finer than the pixels of the survey.
        let step = max(1, Int(0.5 / cell))
        let map = resampled(cell, columns: columns, rows: rows)
        let (left, top) = (width / 3, height / 3)
        let across = left..<min(columns, left + Int((Double(survey.size.width) / cell).rounded()))
        let down = top..<min(rows, top + Int((Double(survey.size.height) / cell).rounded()))
        // Where nothing moves, nothing correlates.
        let moving = map.indices.filter { map[$0] > 0 }
        let (xs, ys) = (moving.map { $0 % columns }, moving.map { $0 / columns })
        let startX = max(0, (xs.min() ?? 0) - width + 1) / step * step
        let startY = max(0, (ys.min() ?? 0) - height + 1) / step * step
        let endX = max(0, min(columns - width, xs.max() ?? 0))
        let endY = max(0, min(rows - height, ys.max() ?? 0))
        var found: [LocationCandidate] = []
        for template in templates {
            var best: (score: Float, x: Int, y: Int) = (-1, 0, 0)
            for y in stride(from: startY, through: endY, by: step) {
                for x in stride(from: startX, through: endX, by: step) {
                    let score = Self.correlation(
                        map, columns, x, y, template, width, height, within: (across, down))
                    if score > best.score { best = (score, x, y) }
                }
            }
            let corner = Point(
                Double(best.x - left) * cell / survey.reduction.x,
                Double(best.y - top) * cell / survey.reduction.y)
            let origin = corner - Point(activity.bounds.x, activity.bounds.y) * scale
            found.append(LocationCandidate(scale: scale, origin: origin, score: Double(best.score)))
        }
        return found
    }

    /// Returns the activity in cells of `cell` pixels of a small frame, with margins of zeros.
    private func resampled(_ cell: Double, columns: Int, rows: Int) -> [Float] {
        var map = [Float](repeating: 0, count: columns * rows)
        let (left, top) = (activity.width / 3, activity.height / 3)
        for row in 0..<rows {
            for column in 0..<columns {
                let x0 = Double(column - left) * cell
                let y0 = Double(row - top) * cell
                map[row * columns + column] = mean(x0, y0, cell)
            }
        }
        return map
    }

    /// Returns the mean activity of a square; 0 outside the frame.
    private func mean(_ x0: Double, _ y0: Double, _ side: Double) -> Float {
        let (columns, rows) = (Double(survey.size.width), Double(survey.size.height))
        guard x0 + side > 0, y0 + side > 0, x0 < columns, y0 < rows else { return 0 }
        let xs = Int(max(0, x0))..<Int(min(columns, max(x0 + side, max(0, x0) + 1).rounded(.up)))
        let ys = Int(max(0, y0))..<Int(min(rows, max(y0 + side, max(0, y0) + 1).rounded(.up)))
        var sum: Float = 0
        for y in ys { for x in xs { sum += survey.activity[y * survey.size.width + x] } }
        return sum / Float(max(1, xs.count * ys.count))
    }

    /// Returns the correlation of a template with the part of a map that lies within a rectangle,
    /// reduced by what lies outside. A recording may be cut off.
    static func correlation(
        _ map: [Float], _ columns: Int, _ x: Int, _ y: Int, _ template: [Float], _ width: Int, _ height: Int,
        within frame: (x: Range<Int>, y: Range<Int>)
    ) -> Float {
        let across = max(x, frame.x.lowerBound)..<max(x, frame.x.lowerBound, min(x + width, frame.x.upperBound))
        let down = max(y, frame.y.lowerBound)..<max(y, frame.y.lowerBound, min(y + height, frame.y.upperBound))
        let count = Float(across.count * down.count)
        guard count > minVisible * Float(width * height) else { return 0 }
        guard (down.upperBound - 1) * columns + across.upperBound <= map.count else { return 0 }
        var sums = CorrelationSums()
        map.withUnsafeBufferPointer { map in
            template.withUnsafeBufferPointer { template in
                // Both have at least one value, so the buffers have a base address.
                for row in down {
                    sums.add(
                        map.baseAddress! + row * columns + across.lowerBound,
                        template.baseAddress! + (row - y) * width + across.lowerBound - x, count: across.count)
                }
            }
        }
        return sums.correlation(count: count, minVariance: minVariance) * (count / Float(width * height)).squareRoot()
    }
}

/// The sums from which the correlation of two lists follows. Eight lanes each, because compilers do
/// not reorder sums of floating-point numbers.
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

    /// The correlation, up to 1; 0 if the first list varies less than a threshold, or the second
    /// not at all.
    ///
    /// - Parameters:
    ///   - count: the number of values added.
    ///   - minVariance: the smallest variance of the first list.
    func correlation(count: Float, minVariance: Float) -> Float {
        let (first, second) = (sums.first.sum(), sums.second.sum())
        let variance = squares.first.sum() - first * first / count
        let otherVariance = squares.second.sum() - second * second / count
        guard variance > minVariance * count, otherVariance > 0 else { return 0 }
        return (cross.sum() - first * second / count) / (variance * otherVariance).squareRoot()
    }
}
