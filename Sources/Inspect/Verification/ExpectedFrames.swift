import Core
import Media
import Raster
import Render

/// A frame of a plan, as a decoded clip should show it. Immutable.
///
/// Sendable because nothing changes it after its creation.
final class ExpectedFrame: @unchecked Sendable {
    /// The frame in the clip's own planar YUV; nil if `pixels` has it.
    let video: VideoFrame?
    /// The frame in RGBA with premultiplied alpha; nil if `video` has it.
    let pixels: Pixels?

    init(video: VideoFrame?, pixels: Pixels?) {
        self.video = video
        self.pixels = pixels
    }
}

/// The frames of a plan in order, drawn some frames ahead on another thread.
final class ExpectedFrames {
    /// The plan that defines the frames.
    let plan: RenderPlan
    private let drawer: ExpectedFrameDrawer
    private let queue: FrameQueue<ExpectedFrame>
    private let thread = ThreadGroup()
    private let isAhead: Bool
    private var next = 0
    /// The frames near the current one, by index.
    private var window: [Int: ExpectedFrame] = [:]

    /// Starts drawing the frames of a plan, as the format of `decoded` can store them.
    ///
    /// - Parameter isExact: true if the clip's frames must be equal.
    init(_ plan: RenderPlan, like decoded: DecodedFrame, isExact: Bool) throws {
        self.plan = plan
        let drawer = try ExpectedFrameDrawer(plan, like: decoded, isExact: isExact)
        let queue = FrameQueue<ExpectedFrame>(FramesAhead.count(width: plan.width, height: plan.height))
        let frameCount = plan.frameCount
        isAhead = thread.start { queue.fill(0..<frameCount) { try drawer.draw($0) } }
        self.drawer = drawer
        self.queue = queue
    }

    deinit {
        queue.stop()
        thread.wait()
    }

    /// Returns the frame at an index, which must not be more than one below the largest index so
    /// far; nil if there is no such frame.
    func frame(_ index: Int) throws -> ExpectedFrame? {
        guard index < plan.frameCount else { return nil }
        while next <= index {
            // An error while drawing does not mean that the clip is damaged.
            do {
                window[next] = isAhead ? try queue.next() : try drawer.draw(next)
            } catch { throw LoadervidError(error) }
            queue.addRoom()
            next += 1
            window = window.filter { $0.key >= next - 3 }
        }
        return window[index]
    }
}

/// A renderer of a plan's frames in order, which converts what changes.
///
/// Sendable: only one thread uses it, the one that draws ahead or, without it, the one that reads.
private final class ExpectedFrameDrawer: @unchecked Sendable {
    private let plan: RenderPlan
    private let rasterizer: Rasterizer
    private lazy var averager = LinearLightAverager()
    private let converter: any FrameConverter
    private let frame: VideoFrame
    /// The reader of the converted frame; nil if the clip's frames are read as they are.
    private let reader: PixelReader?
    private var scenes: [Scene] = []
    private var last: ExpectedFrame?

    /// Chooses the conversion: to the clip's own format and matrix if possible, to a palette's
    /// on-or-off transparency for GIF, and to straight RGBA otherwise.
    init(_ plan: RenderPlan, like decoded: DecodedFrame, isExact: Bool) throws {
        self.plan = plan
        rasterizer = try Rasterizer(
            width: plan.content.width, height: plan.content.height, paddingRight: plan.width - plan.content.width,
            bottom: plan.height - plan.content.height)
        let encoder = plan.encoder
        let format = decoded.frame.format
        let tags = decoded.frame.colorTags
        // Y4M cannot declare the matrix with which it was made.
        let isUndeclared = plan.container == .y4m && tags.matrix == nil
        let matrix = isUndeclared ? encoder.traits.matrix : ColorMatrix(tag: tags.matrix)
        // Lossless formats keep alpha exactly if it is in the frame itself. Their colours are
        // rounded and, with subsampled chroma, averaged.
        let isStoredAsDrawn = !decoded.hasAlpha || isExact && decoded.alpha == nil && format.hasAlpha
        // The grey of images has full range, and not all of them declare it.
        let isFullRangeGray = format.isGray && tags.range != "tv"
        let isDirect =
            isStoredAsDrawn && !format.isRGB && format.isConvertible
            && (tags.range != "pc" || format.isFullRange || isFullRangeGray)
        // In GIF, partial transparency is resolved before colours are counted.
        let isOneBit = encoder.traits.needsColorHistogram
        let target = isOneBit ? .bgra : isDirect && matrix != nil ? format : .rgba
        frame = try VideoFrame(width: plan.width, height: plan.height, format: target)
        if target == format { frame.copyColorTags(from: decoded.frame) }
        converter =
            isOneBit
            ? try encoder.makeConverter()
            : try PixelConverter(
                width: plan.width, height: plan.height, to: target, matrix: matrix ?? .bt709, gamut: encoder.gamut,
                isFullRange: target == format && isFullRangeGray)
        reader =
            target == format && FrameSamples.canRead(format)
            ? nil : try PixelReader(width: plan.width, height: plan.height)
    }

    /// Draws the frame at an index. Returns the same object for frames that look the same.
    func draw(_ index: Int) throws -> ExpectedFrame {
        let scenes = plan.source.scenes(ofFrame: index)
        if let last, scenes == self.scenes { return last }
        guard let first = scenes.first else { throw LoadervidError(.internal, "a frame of the clip has no scene") }
        let changes = try scenes.count == 1 ? rasterizer.draw(first) : averager.draw(scenes, with: rasterizer)
        self.scenes = scenes
        if let last, changes.isEmpty { return last }
        let pixmap = rasterizer.pixmap
        try converter.convert(
            pixmap.data, stride: pixmap.stride, into: frame, boxes: last == nil ? nil : changes)
        let drawn = try copy()
        last = drawn
        return drawn
    }

    private func copy() throws -> ExpectedFrame {
        if let reader {
            let decoded = DecodedFrame(frame: frame, alpha: nil, time: nil, duration: 0, isKey: true)
            return ExpectedFrame(video: nil, pixels: try reader.pixels(decoded))
        }
        let video = try VideoFrame(width: frame.width, height: frame.height, format: frame.format)
        video.copyColorTags(from: frame)
        for index in 0..<3 {
            guard let source = frame.plane(index), let target = video.plane(index) else { continue }
            let rows =
                index == 0 ? frame.height : (frame.height + frame.format.verticalStep - 1) / frame.format.verticalStep
            target.data.update(from: source.data, count: rows * min(source.stride, target.stride))
        }
        return ExpectedFrame(video: video, pixels: nil)
    }
}
