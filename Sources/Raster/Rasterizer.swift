import CCairo
import Scene

/// Draws scenes with Cairo: clips, stills and sheets alike.
///
/// A rasterizer owns one surface, on which every drawing replaces the one before. Not for use from two threads at once.
public final class Rasterizer {
    /// The surface it draws on.
    public let pixmap: Pixmap

    private let painter: ScenePainter

    /// A rasterizer for pictures of the given size in pixels.
    public init(width: Int, height: Int) throws(RasterError) {
        pixmap = try Pixmap(width: width, height: height)
        painter = try ScenePainter(on: pixmap.surface)
    }

    /// Draws a scene over the whole pixmap, its stage fitted to the picture and cut off at its edges.
    ///
    /// Throws if a coordinate is not finite, which Cairo would pass over in silence, or if Cairo reports an error.
    public func draw(_ scene: Scene) throws(RasterError) {
        try painter.paint(scene, in: Viewport(stage: scene.size, width: pixmap.width, height: pixmap.height))
        cairo_surface_flush(pixmap.surface)
    }
}
