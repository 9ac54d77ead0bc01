import CCairo
import Core

/// Averages scenes in linear light, as a sensor does during an exposure, using the sRGB transfer
/// function (IEC 61966-2-1).
///
/// Not thread-safe.
package final class LinearLightAverager {
    private var sums: [UInt32] = []
    private let toLinear: [UInt32]
    private let fromLinear: [UInt8]

    /// The number of linear light levels, enough to distinguish dark codes.
    private static let steps = 65_535

    package init() {
        func linear(_ code: Double) -> Double { code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4) }
        toLinear = (0...255).map { UInt32((linear(Double($0) / 255) * Double(Self.steps)).rounded()) }
        fromLinear = (0...Self.steps).map { step in
            let light = Double(step) / Double(Self.steps)
            let code = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
            return UInt8((code * 255).rounded())
        }
    }

    /// Draws the mean of at most 65,536 scenes with the same canvas. Alpha is averaged without
    /// conversion.
    ///
    /// Returns disjoint rectangles that contain all pixels that may have changed.
    package func draw(_ scenes: [Scene], with rasterizer: Rasterizer) throws(RasterError) -> [PixelRect] {
        guard let first = scenes.first else { return [] }
        let damage = try rasterizer.draw(first)
        let pixmap = rasterizer.pixmap
        let viewport = rasterizer.viewport(for: first.size)
        let changes = scenes.dropFirst().map { $0.damage(since: first) }
        let haveSameCanvas = !changes.contains { $0 == nil }
        let regions = haveSameCanvas ? viewport.pixels(covering: changes.flatMap { $0 ?? [] }) : [pixmap.bounds]
        guard !regions.isEmpty else { return damage }
        try average(scenes, in: regions, with: rasterizer)
        rasterizer.invalidate(regions)
        return PixelRect.merged(damage + regions)
    }

    private func average(
        _ scenes: [Scene], in regions: [PixelRect], with rasterizer: Rasterizer
    ) throws(RasterError) {
        let pixmap = rasterizer.pixmap
        sums = [UInt32](repeating: 0, count: 4 * regions.reduce(0) { $0 + $1.area })
        for scene in scenes {
            try rasterizer.draw(scene)
            forEachRow(of: regions, in: pixmap) { sums, pixels, count in
                for x in 0..<count { sums[x] &+= x & 3 == 3 ? UInt32(pixels[x]) : toLinear[Int(pixels[x])] }
            }
        }
        let count = UInt32(scenes.count)
        let half = UInt32(scenes.count / 2)
        forEachRow(of: regions, in: pixmap) { sums, pixels, bytes in
            for x in 0..<bytes {
                let mean = (sums[x] + half) / count
                pixels[x] = x & 3 == 3 ? UInt8(mean) : fromLinear[Int(mean)]
            }
        }
        cairo_surface_mark_dirty(pixmap.surface)
    }

    /// Calls `body` for each row of the regions with its sums, its pixels and its number of bytes.
    private func forEachRow(
        of regions: [PixelRect], in pixmap: Pixmap,
        _ body: (UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt8>, Int) -> Void
    ) {
        sums.withUnsafeMutableBufferPointer { buffer in
            guard var sums = buffer.baseAddress else { return }
            for region in regions {
                for row in region.y..<region.maxY {
                    body(sums, pixmap.data + row * pixmap.stride + 4 * region.x, 4 * region.width)
                    sums += 4 * region.width
                }
            }
        }
    }
}
