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
    /// The pixels of each frame.
    var values: [[Float]] { frames.map { frame in frame.pixels.map { Float($0) } } }

    /// The number of frames over the period: 15 ms apart in a period of 1.4 s, less than a frame at
    /// 60 Hz.
    static let count = 96
    /// The longer side of the moving part in pixels: fine enough to tell a loader from a clock, and
    /// coarse enough to search a whole frame.
    private static let side = 28.0
    /// The margin around the moving part, relative to its longer side, where nothing may move. It
    /// distinguishes the loader from a part of a larger motion.
    private static let margin = 0.15
    /// The smallest standard deviation of a channel over the period that counts as motion, in
    /// codes. A change of opacity by a fiftieth stays below it.
    private static let minDeviation: Float = 4
    /// The longer side in pixels of the frames in which the moving part is found.
    private static let coarseSide = 64.0
    /// The number of periods below which a recording shows only a part of one. For a recording that
    /// lacks at most a twentieth of a period, the whole period is searched for.
    private static let minWhole = 0.95
    /// The number of parts of the period that are searched for if a recording shows only one.
    private static let parts = 8

    /// Draws a loader. Returns nil if nothing in it changes.
    init?(_ loader: any Loader, background: Color) throws {
        let canvas = loader.canvas
        let coarse = Self.coarseSide / max(canvas.width, canvas.height)
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

    /// Returns true if a recording that lasts some periods shows only a part of one.
    func isPart(_ periods: Double) -> Bool { periods < Self.minWhole }

    /// Returns the activity templates to search for: of the whole period and, for recordings
    /// shorter than that, of parts of it that begin at every `step`th frame. A short recording
    /// shows the whole period if the loader is faster than designed.
    func templates(periods: Double, step: Int = count / parts) -> [[Float]] {
        let whole = [Self.deviation(frames)]
        guard isPart(periods) else { return whole }
        let length = max(2, Int((periods * Double(Self.count)).rounded()))
        return whole
            + stride(from: 0, to: Self.count, by: step).map { first in
                Self.deviation((0..<length).map { frames[(first + $0) % Self.count] })
            }
    }
}
