import Core
import Raster

/// A painter of a plan's frames in any order, for comparisons with a clip. Not thread-safe.
package final class PlanPainter {
    private let rasterizer: Rasterizer
    private lazy var averager = LinearLightAverager()

    /// A painter for a plan's frames. Throws `RasterError` if memory is short.
    package init(_ plan: RenderPlan) throws { rasterizer = try plan.makeRasterizer() }

    /// Draws a scene, or the average of several. The bitmap is valid until the next call.
    package func draw(_ scenes: [Scene]) throws -> Pixmap {
        _ = try scenes.count == 1 ? rasterizer.draw(scenes[0]) : averager.draw(scenes, with: rasterizer)
        return rasterizer.pixmap
    }
}
