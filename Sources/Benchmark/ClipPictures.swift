import Media
import Pipeline
import Raster
import Scene

/// The pictures of a clip as its encoder takes them, in memory: those that come again are held once.
struct ClipPictures {
    /// Frames in the clip.
    let frameCount: Int
    private var pictures: [VideoFrame] = []
    /// Which picture each frame of a cycle shows.
    private var order: [Int] = []

    /// The picture of a frame.
    subscript(frame: Int) -> VideoFrame { pictures[order[frame % order.count]] }

    /// Draws a clip's pictures whole, one by one.
    ///
    /// - Parameter budget: the most bytes that they may take. Throws `RenderError` of kind `usage` if they do not fit.
    init(_ plan: RenderPlan, budget: Int, cancellation: CancellationToken) throws {
        frameCount = plan.frameCount
        let cycle = plan.distinctFrames
        let settings = plan.encoder
        let size = settings.pixelFormat.byteCount(width: settings.width, height: settings.height)
        // Counted before the first is drawn, so that a clip that is too long is refused at once.
        order = try ClipPictures.order(of: plan, cycle: cycle, most: budget / size, cancellation)
        let artist = try Artist(plan)
        for frame in 0..<cycle where order[frame] == pictures.count {
            try cancellation.check()
            pictures.append(try artist.picture(of: plan.subject.scenes(ofFrame: frame)))
        }
    }

    private static func order(
        of plan: RenderPlan, cycle: Int, most: Int, _ cancellation: CancellationToken
    ) throws -> [Int] {
        var (order, last): ([Int], [Scene]) = ([], [])
        for frame in 0..<cycle {
            try cancellation.check()
            let scenes = plan.subject.scenes(ofFrame: frame)
            order.append(scenes == last ? order[frame - 1] : (order.last ?? -1) + 1)
            last = scenes
            guard order[frame] < most else {
                let (width, height) = (plan.encoder.width, plan.encoder.height)
                throw RenderError(
                    .usage,
                    "the clip has more than \(most) different pictures of \(width)x\(height), for which half of this "
                        + "machine's memory has no room: make it shorter or smaller")
            }
        }
        return order
    }
}

extension RenderPlan {
    /// Frames after which pictures come again, whether the pipeline makes use of that or not.
    var distinctFrames: Int { min(frameCount, subject.repetition.cycleFrames ?? frameCount) }
}

/// Draws and converts pictures, each of them whole.
private struct Artist {
    private let painter: PlanPainter
    private let converter: PixelConverter
    private let settings: EncoderSettings

    init(_ plan: RenderPlan) throws {
        settings = plan.encoder
        painter = try PlanPainter(plan)
        converter = try PixelConverter(
            width: settings.width, height: settings.height, to: settings.pixelFormat, matrix: settings.matrix)
    }

    /// A picture of a scene, or the mean of several.
    func picture(of scenes: [Scene]) throws -> VideoFrame {
        let pixmap = try painter.draw(scenes)
        let frame = try VideoFrame(width: settings.width, height: settings.height, format: settings.pixelFormat)
        try converter.convert(pixmap.data, stride: pixmap.stride, into: frame)
        return frame
    }
}
