import CCairo
import Core

/// A renderer of scenes as SVG files.
package enum SVGRenderer {
    /// Returns a scene as an SVG file with one unit per point. Text becomes outlines, so that it
    /// looks the same everywhere.
    ///
    /// The output is deterministic. Throws `RasterError` if a coordinate is not finite or Cairo
    /// fails.
    package static func svg(_ scene: Scene) throws(RasterError) -> [UInt8] {
        let file = CairoOutput()
        // Cairo writes until the surface is destroyed, even if drawing fails.
        defer { withExtendedLifetime(file) {} }
        guard
            let surface = cairo_svg_surface_create_for_stream(
                CairoOutput.write, file.closure, scene.size.width, scene.size.height)
        else { throw RasterError(description: "SVG: out of memory", isOutOfMemory: true) }
        defer { cairo_surface_destroy(surface) }
        try SceneDrawing(on: surface, hasPixels: false).draw(scene, transform: .identity)
        cairo_surface_finish(surface)
        let status = cairo_surface_status(surface)
        guard status == CAIRO_STATUS_SUCCESS else { throw RasterError("SVG", status) }
        return file.renumbered
    }
}
