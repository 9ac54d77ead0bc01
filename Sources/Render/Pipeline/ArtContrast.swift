import Animations
import Core
import Raster

/// The colours of a loader's pixels at a few instants.
struct ArtContrast {
    /// The longer side of the bitmaps that are examined, in pixels.
    private static let side = 64.0
    /// The number of instants that are examined.
    private static let instants = 8
    /// The minimum alpha of the art's pixels, out of 255.
    private static let minAlpha = 128
    /// The minimum difference of a component of a changed pixel, out of 255.
    private static let minChange = 12
    /// The share of the canvas above which the art brings its own background.
    private static let maxCoverage = 0.9

    /// The number of pixels of each colour.
    private var counts: [Color: Int] = [:]
    /// The largest share of the canvas that the art covers.
    private var coverage = 0.0
    /// The premultiplied pixels at each instant: blue, green, red and alpha.
    private var frames: [[UInt8]] = []

    init?(_ loader: any Loader, check: () throws -> Void) rethrows {
        guard let rasterizer = try? Rasterizer(loader.canvas, longerSide: Self.side) else {
            return nil
        }
        let pixelCount = rasterizer.pixmap.width * rasterizer.pixmap.height
        for step in 0..<Self.instants {
            try check()
            let time = loader.period * Rational(Int128(2 * step + 1), Int128(2 * Self.instants))
            var scene = loader.scene(at: time)
            scene.background = Color.black.opacity(0)
            guard (try? rasterizer.draw(scene)) != nil else { return nil }
            let count = add(rasterizer.pixmap)
            coverage = max(coverage, Double(count) / Double(pixelCount))
        }
    }

    /// Adds the pixels of the art in a bitmap and returns their number.
    private mutating func add(_ pixmap: Pixmap) -> Int {
        var count = 0
        frames.append([])
        for y in 0..<pixmap.height {
            let row = pixmap.data + y * pixmap.stride
            frames[frames.count - 1] += UnsafeBufferPointer(start: row, count: 4 * pixmap.width)
            for x in 0..<pixmap.width {
                let pixel = row + 4 * x
                let alpha = Int(pixel[3])
                guard alpha >= Self.minAlpha else { continue }
                count += 1
                // A coarse palette, because only distances matter.
                func component(_ index: Int) -> Int { min(255, Int(pixel[index]) * 255 / alpha) & ~3 }
                counts[Color(component(2), component(1), component(0)), default: 0] += 1
            }
        }
        return count
    }

    /// True if the art brings its own background.
    var coversCanvas: Bool { coverage > Self.maxCoverage }

    /// Returns the number of pixels that change from instant to instant on a background.
    func motion(on background: Color) -> Int {
        let components = [background.blue, background.green, background.red].map { Int(($0 * 255).rounded()) }
        func value(_ frame: [UInt8], _ index: Int) -> Int {
            let alpha = Int(frame[index | 3])
            return Int(frame[index]) + components[index & 3] * (255 - alpha) / 255
        }
        return zip(frames, frames.dropFirst()).reduce(0) { sum, pair in
            sum
                + stride(from: 0, to: pair.0.count, by: 4).count { start in
                    (start..<start + 3).contains {
                        abs(value(pair.0, $0) - value(pair.1, $0)) >= Self.minChange
                    }
                }
        }
    }

    /// Returns the share of the art whose CIEDE2000 distance to a background is below a limit.
    func hiddenShare(on background: Color, below minDistance: Double) -> Double {
        let all = counts.values.reduce(0, +)
        let hidden = counts.filter { $0.key.distance(to: background) < minDistance }
        return all == 0 ? 0 : Double(hidden.values.reduce(0, +)) / Double(all)
    }
}
