import Core
import Render

/// A gauge of the time to draw a clip's frames without encoding. With an encoder running, drawing
/// takes longer, because it shares caches and cores.
final class DrawingGauge {
    private let plan: RenderPlan
    private let painter: PlanPainter
    private let cancellation: CancellationToken

    /// Draws all frames once, to warm up. Throws `LoadervidError` if drawing fails.
    init(_ plan: RenderPlan, cancellation: CancellationToken) throws {
        self.plan = plan
        self.cancellation = cancellation
        painter = try PlanPainter(plan)
        _ = try secondsPerFrame()
    }

    /// Returns the mean CPU time per frame in seconds, from model time to pixels, over one cycle on
    /// one thread. Unchanged parts of the previous frame are not drawn again.
    func secondsPerFrame() throws -> Double {
        let start = Resources.threadSeconds
        for frame in 0..<plan.distinctFrames {
            try cancellation.check()
            _ = try painter.draw(plan.source.scenes(ofFrame: frame))
        }
        return (Resources.threadSeconds - start) / Double(plan.distinctFrames)
    }
}
