import Core
import Raster

/// A small bitmap of a canvas without its background.
struct CanvasBitmap: Sendable {
    /// The longer side in pixels: about a pixel per point of the frame.
    private static let side = 320.0

    let width: Int
    let height: Int
    /// Pixels per point of the canvas.
    let scale: Double
    /// Premultiplied blue, green, red and alpha of each pixel.
    private let bytes: [UInt8]

    /// Draws nodes on a canvas; nil if they cannot be drawn.
    init?(_ nodes: [Node], canvas: Size) {
        guard let rasterizer = try? Rasterizer(canvas, longerSide: Self.side) else { return nil }
        let scene = Scene(size: canvas, background: Color.white.opacity(0), nodes: nodes)
        guard (try? rasterizer.draw(scene)) != nil else { return nil }
        let pixmap = rasterizer.pixmap
        width = pixmap.width
        height = pixmap.height
        scale = Double(pixmap.width) / canvas.width
        bytes = pixmap.packedBytes
    }

    /// Returns the opacity of a pixel, 0...255.
    func alpha(_ x: Int, _ y: Int) -> UInt8 { bytes[4 * (y * width + x) + 3] }

    /// Returns true if a pixel of another drawing of the same size can be visible in this one: the
    /// colour here is that of the other pixel over some background.
    ///
    /// - Parameter tolerance: the maximum difference of a component, out of 255.
    func shows(_ other: CanvasBitmap, _ x: Int, _ y: Int, tolerance: Int) -> Bool {
        let start = 4 * (y * width + x)
        let behind = 255 - Int(other.bytes[start + 3])
        return (start..<start + 4).allSatisfy { index in
            let difference = Int(bytes[index]) - Int(other.bytes[index])
            return difference >= -tolerance && difference <= behind + tolerance
        }
    }
}
