import Raster
import Scene

/// Draws the pictures of a plan, one after the other and in any order, for whoever compares something with them. Not for use
/// from two threads at once.
package final class PlanPainter {
    private let rasterizer: Rasterizer
    private lazy var mixer = LightMixer()

    /// A painter for a plan's size. Throws `RasterError` if memory is short.
    package init(_ plan: RenderPlan) throws { rasterizer = try Rasterizer(width: plan.width, height: plan.height) }

    /// The picture of a scene, or the mean of several; valid until the next one is drawn.
    package func draw(_ scenes: [Scene]) throws -> Pixmap {
        _ = try scenes.count == 1 ? rasterizer.draw(scenes[0]) : mixer.draw(scenes, with: rasterizer)
        return rasterizer.pixmap
    }
}
