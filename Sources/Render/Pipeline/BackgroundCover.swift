import Animations
import Core
import Raster

/// The check for loaders that hide their background, such as Lottie files that draw their own.
enum BackgroundCover {
    /// The number of instants to draw, evenly spaced over the period.
    private static let samples = 4
    /// The longer side in pixels of the bitmaps.
    private static let side = 64.0

    /// Returns true if every pixel of the canvas is opaque without a background.
    static func isComplete(in loader: any Loader) throws -> Bool {
        let rasterizer = try Rasterizer(loader.canvas, longerSide: side)
        return try (0..<samples).allSatisfy { sample in
            let time = loader.period * Rational(Int128(sample), Int128(samples))
            var scene = loader.scene(at: time)
            scene.background = Color(0, 0, 0, alpha: 0)
            try rasterizer.draw(scene)
            return rasterizer.pixmap.isOpaque
        }
    }
}
