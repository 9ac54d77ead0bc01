import Core
import Raster

extension Scene {
    /// Renders the scene as a PNG file of the given size in pixels, letterboxed if the aspect
    /// ratios differ.
    package func png(width: Int, height: Int) throws -> [UInt8] {
        do {
            let rasterizer = try Rasterizer(width: width, height: height)
            try rasterizer.draw(self)
            return try rasterizer.pixmap.png(keepsAlpha: background.alpha < 1)
        } catch { throw LoadervidError(error) }
    }

    /// Renders the scene as a PNG file with `scale` pixels per point.
    package func png(scale: Double) throws -> [UInt8] {
        try png(width: Int((size.width * scale).rounded()), height: Int((size.height * scale).rounded()))
    }

    /// Renders the scene as an SVG file if the path ends in `.svg`, otherwise as a PNG file with
    /// `scale` pixels per point.
    package func imageFile(for path: String, scale: Double) throws -> [UInt8] {
        guard path.lowercased().hasSuffix(".svg") else { return try png(scale: scale) }
        do { return try SVGRenderer.svg(self) } catch { throw LoadervidError(error) }
    }
}
