import CCairo
import Core

/// A renderer that averages scenes in linear light, as a sensor does during an exposure, using the
/// sRGB transfer function (IEC 61966-2-1).
///
/// Not thread-safe.
package final class LinearLightAverager {
    private var sums: [UInt32] = []
    private let toLinear: [UInt32]
    private let fromLinear: [UInt8]

    /// The highest linear light level. 16 bits keep the darkest 8-bit values apart.
    private static let maxLevel = 65_535

    package init() {
        toLinear = (0...255).map { UInt32((SRGB.linear(Double($0) / 255) * Double(Self.maxLevel)).rounded()) }
        fromLinear = (0...Self.maxLevel).map { level in
            let light = Double(level) / Double(Self.maxLevel)
            return UInt8((SRGB.encoded(light) * 255).rounded())
        }
    }

    /// Draws the mean of at most 65,536 scenes, whose sums fit into 32 bits. Averages all pixels if
    /// the scenes differ in canvas size or background, otherwise only those that differ.
    ///
    /// Colours are weighted by alpha, so an object in motion over a transparent background keeps
    /// its colour and becomes translucent.
    ///
    /// Returns disjoint rectangles that contain all pixels that may have changed.
    package func draw(_ scenes: [Scene], with rasterizer: Rasterizer) throws(RasterError) -> [PixelRect] {
        guard let first = scenes.first else { return [] }
        let damage = try rasterizer.draw(first)
        let pixmap = rasterizer.pixmap
        let viewport = rasterizer.viewport(for: first.size)
        let changes = scenes.dropFirst().map { $0.damage(since: first) }
        let isDifferenceKnown = !changes.contains { $0 == nil }
        let regions = isDifferenceKnown ? viewport.pixels(covering: changes.flatMap { $0 ?? [] }) : [pixmap.bounds]
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
            forEachRow(of: regions, in: pixmap) { sums, pixels, bytes in
                for pixel in stride(from: 0, to: bytes, by: 4) { add(pixels + pixel, to: sums + pixel) }
            }
        }
        let count = UInt32(scenes.count)
        forEachRow(of: regions, in: pixmap) { sums, pixels, bytes in
            for pixel in stride(from: 0, to: bytes, by: 4) { store(sums + pixel, of: count, to: pixels + pixel) }
        }
        cairo_surface_mark_dirty(pixmap.surface)
    }

    /// Adds the light of a pixel, weighted by its alpha, and its alpha.
    private func add(_ pixel: UnsafeMutablePointer<UInt8>, to sums: UnsafeMutablePointer<UInt32>) {
        let alpha = UInt32(pixel[3])
        guard alpha > 0 else { return }
        for channel in 0..<3 {
            let code = UInt32(pixel[channel])
            sums[channel] &+=
                alpha == 255
                ? toLinear[Int(code)] : toLinear[Int(min(255, (code * 255 + alpha / 2) / alpha))] * alpha / 255
        }
        sums[3] &+= alpha
    }

    /// Stores the mean of the pixels whose sums are given.
    private func store(
        _ sums: UnsafeMutablePointer<UInt32>, of count: UInt32, to pixel: UnsafeMutablePointer<UInt8>
    ) {
        let alpha = (sums[3] + count / 2) / count
        pixel[3] = UInt8(alpha)
        for channel in 0..<3 {
            if sums[3] == 255 * count {
                pixel[channel] = fromLinear[Int((sums[channel] + count / 2) / count)]
            } else {
                let weight = UInt64(max(1, sums[3]))
                let light = (UInt64(sums[channel]) * 255 + weight / 2) / weight
                let code = UInt32(fromLinear[Int(min(light, UInt64(Self.maxLevel)))])
                pixel[channel] = UInt8((code * alpha + 127) / 255)
            }
        }
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
