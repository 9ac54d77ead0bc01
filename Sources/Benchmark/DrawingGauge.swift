import Dispatch
import Pipeline

/// Measures how long a clip's pictures take to be drawn by themselves: beside an encoder they take longer, since it leaves them
/// neither the caches nor the cores.
final class DrawingGauge {
    private let plan: RenderPlan
    private let painter: PlanPainter
    private let cancellation: CancellationToken

    /// Draws all pictures once. Throws `RenderError` if that is not possible.
    init(_ plan: RenderPlan, cancellation: CancellationToken) throws {
        (self.plan, self.cancellation, painter) = (plan, cancellation, try PlanPainter(plan))
        _ = try secondsAPicture()
    }

    /// Seconds that a picture takes from its time to its pixels, on one thread, what is as in the picture before not drawn
    /// again. Those of one cycle are measured.
    func secondsAPicture() throws -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        for frame in 0..<plan.distinctFrames {
            try cancellation.check()
            _ = try painter.draw(plan.subject.scenes(ofFrame: frame))
        }
        return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9 / Double(plan.distinctFrames)
    }
}
