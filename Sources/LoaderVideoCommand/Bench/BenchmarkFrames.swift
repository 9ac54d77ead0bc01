import Core
import Media
import Raster
import Render

/// The frames of a clip in memory, in the encoder's pixel format. Identical frames are stored once.
struct BenchmarkFrames {
    /// The number of frames in the clip.
    let frameCount: Int
    private var distinctFrames: [VideoFrame] = []
    /// The index in `distinctFrames` of each frame of a cycle.
    private var order: [Int] = []

    /// The frame with an index, which may be beyond the first cycle.
    subscript(frame: Int) -> VideoFrame { distinctFrames[order[frame % order.count]] }

    /// Draws a clip's frames one by one, each as a whole. Throws `LoadervidError` of kind `usage`
    /// if they exceed the budget.
    ///
    /// - Parameter budget: the maximum size of all frames in bytes.
    init(_ plan: RenderPlan, budget: Int, cancellation: CancellationToken) throws {
        frameCount = plan.frameCount
        let cycle = plan.distinctFrames
        let settings = plan.encoder
        let size = settings.pixelFormat.byteCount(width: settings.width, height: settings.height)
        // Counts the frames before drawing the first, so that a clip that is too long fails at
        // once.
        order = try BenchmarkFrames.order(of: plan, cycle: cycle, maxFrames: budget / size, cancellation)
        let renderer = try WholeFrameRenderer(plan)
        for frame in 0..<cycle where order[frame] == distinctFrames.count {
            try cancellation.check()
            distinctFrames.append(try renderer.frame(of: plan.source.scenes(ofFrame: frame)))
        }
    }

    private static func order(
        of plan: RenderPlan, cycle: Int, maxFrames: Int, _ cancellation: CancellationToken
    ) throws -> [Int] {
        var order: [Int] = []
        var last: [Scene] = []
        for frame in 0..<cycle {
            try cancellation.check()
            let scenes = plan.source.scenes(ofFrame: frame)
            order.append(scenes == last ? order[frame - 1] : (order.last ?? -1) + 1)
            last = scenes
            guard order[frame] < maxFrames else {
                let width = plan.encoder.width
                let height = plan.encoder.height
                throw LoadervidError(
                    .usage,
                    "the clip has more than \(maxFrames) distinct frames of \(width)x\(height), which do not fit into half "
                        + "of this machine's memory; lower --duration or --size")
            }
        }
        return order
    }
}

extension RenderPlan {
    /// The number of frames after which the clip repeats, even if the pipeline does not exploit it.
    var distinctFrames: Int { min(frameCount, source.repetition.cycleFrames ?? frameCount) }
}

/// A renderer that draws and converts each frame as a whole.
private struct WholeFrameRenderer {
    private let painter: PlanPainter
    private let converter: PixelConverter
    private let settings: EncoderSettings

    init(_ plan: RenderPlan) throws {
        settings = plan.encoder
        painter = try PlanPainter(plan)
        converter = try PixelConverter(
            width: settings.width, height: settings.height, to: settings.pixelFormat, matrix: settings.matrix)
    }

    /// Returns a frame of a scene, or the mean of several.
    func frame(of scenes: [Scene]) throws -> VideoFrame {
        let pixmap = try painter.draw(scenes)
        let frame = try VideoFrame(width: settings.width, height: settings.height, format: settings.pixelFormat)
        try converter.convert(pixmap.data, stride: pixmap.stride, into: frame)
        return frame
    }
}
