import CCairo
import Glibc
import Scene

/// Mixes pictures as light mixes on a sensor: their mean in linear light, by the sRGB transfer function (IEC 61966-2-1).
///
/// Not for use from two threads at once.
public final class LightMixer {
    /// Where pictures may differ: whole pixels.
    private typealias Region = (columns: Range<Int>, rows: Range<Int>)

    private var sums: [UInt32] = []
    private let toLinear: [UInt32]
    private let fromLinear: [UInt8]

    /// Linear light is counted in this many steps, which keeps dark codes apart.
    private static let steps = 65_535

    /// A mixer for pictures of any size.
    public init() {
        func linear(_ code: Double) -> Double { code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4) }
        toLinear = (0...255).map { UInt32((linear(Double($0) / 255) * Double(Self.steps)).rounded()) }
        fromLinear = (0...Self.steps).map { step in
            let light = Double(step) / Double(Self.steps)
            let code = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
            return UInt8((code * 255).rounded())
        }
    }

    /// Draws the mean of several scenes of one stage, at most 65 536. Alpha, which is no light, is mixed as it is.
    public func draw(_ scenes: [Scene], with rasterizer: Rasterizer) throws(RasterError) {
        let pixmap = rasterizer.pixmap
        let region = LightMixer.region(of: scenes, on: pixmap)
        let width = 4 * region.columns.count
        sums = [UInt32](repeating: 0, count: width * region.rows.count)
        for scene in scenes {
            try rasterizer.draw(scene)
            forEachRow(region, of: pixmap) { sums, pixels in
                for x in 0..<width { sums[x] &+= x & 3 == 3 ? UInt32(pixels[x]) : toLinear[Int(pixels[x])] }
            }
        }
        let (count, half) = (UInt32(scenes.count), UInt32(scenes.count / 2))
        forEachRow(region, of: pixmap) { sums, pixels in
            for x in 0..<width {
                let mean = (sums[x] + half) / count
                pixels[x] = x & 3 == 3 ? UInt8(mean) : fromLinear[Int(mean)]
            }
        }
        cairo_surface_mark_dirty(pixmap.surface)
    }

    /// Outside of this all the scenes show their background only.
    private static func region(of scenes: [Scene], on pixmap: Pixmap) -> Region {
        guard let first = scenes.first, let bounds = scenes.compactMap(\.bounds).reduce(nil, { $0?.union($1) ?? $1 })
        else { return (0..<0, 0..<0) }
        let viewport = Viewport(stage: first.size, width: pixmap.width, height: pixmap.height)
        let box = viewport.transform.bounds(of: bounds)
        func pixels(_ low: Double, _ high: Double, _ limit: Int) -> Range<Int> {
            let start = Int(min(max(low - 1, 0), Double(limit)))
            return start..<max(start, Int(min(max(high + 2, 0), Double(limit))))
        }
        return (pixels(box.x, box.maxX, pixmap.width), pixels(box.y, box.maxY, pixmap.height))
    }

    private func forEachRow(
        _ region: Region, of pixmap: Pixmap,
        _ body: (UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt8>) -> Void
    ) {
        let width = 4 * region.columns.count
        sums.withUnsafeMutableBufferPointer { buffer in
            guard let sums = buffer.baseAddress else { return }
            for (index, row) in region.rows.enumerated() {
                body(sums + index * width, pixmap.data + row * pixmap.stride + 4 * region.columns.lowerBound)
            }
        }
    }
}
