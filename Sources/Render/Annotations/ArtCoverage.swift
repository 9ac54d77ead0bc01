import Animations
import Core
import Raster

/// The share of the period in which something is drawn at each point of a canvas.
struct ArtCoverage: Sendable {
    /// The longer side of the bitmaps in pixels.
    private static let side = 96.0
    /// The number of instants that are drawn.
    private static let instants = 12
    /// The difference of a component from the background, out of 255, above which a pixel counts as
    /// drawn.
    private static let minDifference = 24

    private let width: Int
    private let height: Int
    /// Pixels per point of the canvas.
    private let scale: Double
    /// The number of instants in which each pixel is drawn.
    private var counts: [Int]

    /// Draws a loader at a few instants; nil if it cannot be drawn.
    init?(_ loader: any Loader) {
        guard let rasterizer = try? Rasterizer(loader.canvas, longerSide: Self.side) else { return nil }
        let pixmap = rasterizer.pixmap
        width = pixmap.width
        height = pixmap.height
        scale = Double(pixmap.width) / loader.canvas.width
        counts = Array(repeating: 0, count: pixmap.width * pixmap.height)
        var background: [UInt8]?
        for instant in 0..<Self.instants {
            let time = loader.period * Rational(Int128(2 * instant + 1), Int128(2 * Self.instants))
            guard (try? rasterizer.draw(loader.scene(at: time))) != nil else { return nil }
            let pixels = pixmap.packedBytes
            let backgroundColor = background ?? Self.mostFrequent(in: pixels)
            background = backgroundColor
            for index in counts.indices {
                let differs = (0..<3).contains { channel in
                    let value = Int(pixels[4 * index + channel])
                    return abs(value - Int(backgroundColor[channel])) > Self.minDifference
                }
                counts[index] += differs ? 1 : 0
            }
        }
    }

    /// Returns the components of the most frequent pixel: art can bring its own background.
    private static func mostFrequent(in pixels: [UInt8]) -> [UInt8] {
        var counts: [[UInt8]: Int] = [:]
        for start in stride(from: 0, to: pixels.count, by: 4) {
            counts[Array(pixels[start..<start + 3]), default: 0] += 1
        }
        let best = counts.max { ($0.value, $1.key.description) < ($1.value, $0.key.description) }
        return best?.key ?? [255, 255, 255]
    }

    /// Returns the share of the period in which a point of the canvas is drawn, 0...1.
    func share(at point: Point) -> Double {
        let (x, y) = (Int((point.x * scale).rounded(.down)), Int((point.y * scale).rounded(.down)))
        guard (0..<width).contains(x), (0..<height).contains(y) else { return 0 }
        return Double(counts[y * width + x]) / Double(Self.instants)
    }

    /// Returns the mean share of the period in which a part of the canvas is drawn, 0...1.
    func share(of part: Rect) -> Double {
        let bitmap = Rect(x: 0, y: 0, width: Double(width), height: Double(height))
        let scaled = Rect(
            x: part.x * scale, y: part.y * scale, width: part.width * scale, height: part.height * scale)
        let area = scaled.width * scaled.height
        guard area > 0, let inside = bitmap.intersection(scaled) else { return 0 }
        let columns = Int(inside.x)..<min(width, Int(inside.maxX.rounded(.up)))
        let rows = Int(inside.y)..<min(height, Int(inside.maxY.rounded(.up)))
        let sum = rows.reduce(0) { sum, y in sum + columns.reduce(0) { $0 + counts[y * width + $1] } }
        return min(1, Double(sum) / Double(Self.instants) / area)
    }
}
