import CCairo
import Platform
import Scene

/// Mixes pictures as light mixes on a sensor: their mean in linear light, by the sRGB transfer function (IEC 61966-2-1).
///
/// Not for use from two threads at once.
public final class LightMixer {
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

    /// Draws the mean of several scenes of one canvas, at most 65 536. Alpha, which is no light, is mixed as it is.
    ///
    /// Returns the pixels that may have changed, as disjoint rectangles.
    public func draw(_ scenes: [Scene], with rasterizer: Rasterizer) throws(RasterError) -> [PixelRect] {
        guard let first = scenes.first else { return [] }
        let damage = try rasterizer.draw(first)
        let pixmap = rasterizer.pixmap
        let viewport = Viewport(canvas: first.size, width: pixmap.width, height: pixmap.height)
        let moving = scenes.dropFirst().map { $0.damage(since: first) }
        let isOneStage = !moving.contains { $0 == nil }
        let regions = isOneStage ? viewport.pixels(covering: moving.flatMap { $0 ?? [] }) : [pixmap.bounds]
        guard !regions.isEmpty else { return damage }
        try mix(scenes, in: regions, with: rasterizer)
        rasterizer.spoil(regions)
        return PixelRect.merged(damage + regions)
    }

    private func mix(_ scenes: [Scene], in regions: [PixelRect], with rasterizer: Rasterizer) throws(RasterError) {
        let pixmap = rasterizer.pixmap
        sums = [UInt32](repeating: 0, count: 4 * regions.reduce(0) { $0 + $1.area })
        for scene in scenes {
            try rasterizer.draw(scene)
            forEachRow(of: regions, in: pixmap) { sums, pixels, count in
                for x in 0..<count { sums[x] &+= x & 3 == 3 ? UInt32(pixels[x]) : toLinear[Int(pixels[x])] }
            }
        }
        let (count, half) = (UInt32(scenes.count), UInt32(scenes.count / 2))
        forEachRow(of: regions, in: pixmap) { sums, pixels, bytes in
            for x in 0..<bytes {
                let mean = (sums[x] + half) / count
                pixels[x] = x & 3 == 3 ? UInt8(mean) : fromLinear[Int(mean)]
            }
        }
        cairo_surface_mark_dirty(pixmap.surface)
    }

    /// Calls `body` with the sums, the pixels and the bytes of each row of the regions.
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
