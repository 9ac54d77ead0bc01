import Raster
import Scene

extension Scene {
    /// The picture as a PNG file of some pixels, letterboxed if its shape is another.
    public func png(width: Int, height: Int) throws -> [UInt8] {
        do {
            let rasterizer = try Rasterizer(width: width, height: height)
            try rasterizer.draw(self)
            return try rasterizer.pixmap.png()
        } catch { throw RenderError(error) }
    }

    /// The picture as a PNG file with so many pixels per point.
    public func png(scale: Double) throws -> [UInt8] {
        try png(width: Int((size.width * scale).rounded()), height: Int((size.height * scale).rounded()))
    }

    /// The picture as a file: SVG if the path ends so, otherwise PNG with so many pixels per point.
    public func picture(for path: String, scale: Double) throws -> [UInt8] {
        guard path.lowercased().hasSuffix(".svg") else { return try png(scale: scale) }
        do { return try VectorPicture.svg(self) } catch { throw RenderError(error) }
    }
}
