import Core
import Media
import Raster

/// A renderer of segments' frames, which converts them for encoders: each frame when it is fetched,
/// or some frames ahead on another thread.
///
/// Sendable: between `begin` and `end` only one thread draws and uses the rasterizer, the
/// converters and the stale rectangles. Semaphores pass each set from that thread to the fetching
/// one and back.
final class FrameRenderer: @unchecked Sendable {
    /// A frame in each required pixel format.
    final class FrameSet {
        /// The frame in the format of each kind of encoder.
        let frames: [VideoFrame]
        /// The pixels in which the frame may differ from the previous one.
        fileprivate(set) var changes: [PixelRect] = []
        /// The pixels in which `frames` may differ from the last drawn bitmap.
        fileprivate var stale: [PixelRect] = []

        fileprivate init(_ kinds: [EncoderSettings]) throws {
            frames = try kinds.map { try VideoFrame(width: $0.width, height: $0.height, format: $0.pixelFormat) }
        }
    }

    /// The number of frame sets for drawing ahead, including the one being encoded. With two, each
    /// thread would wait for the other one at every frame.
    private static let setCount = 4

    private let plan: RenderPlan
    private let rasterizer: Rasterizer
    private lazy var averager = LinearLightAverager()
    /// The scenes whose average the bitmap shows; empty without motion blur.
    private var averagedScenes: [Scene] = []
    private let converters: [any FrameConverter]
    /// The sets that frames are drawn into in turn: one, or `setCount` when drawing ahead.
    private let sets: [FrameSet]
    private let drawsAhead: Bool
    private let drawer = ThreadGroup()
    private var ahead: FrameQueue<FrameSet>?
    private var segment: Segment?
    private var fetched = 0
    /// The time spent on drawing and converting. Read it only while nothing is being drawn.
    var clock = StageClock()

    /// A renderer of a plan's frames.
    ///
    /// - Parameters:
    ///   - kinds: settings of encoders that differ in pixel format, matrix or gamut.
    ///   - drawsAhead: true to draw the next frames on another thread.
    init(_ plan: RenderPlan, kinds: [EncoderSettings], drawsAhead: Bool) throws {
        self.plan = plan
        rasterizer = try plan.makeRasterizer(for: kinds)
        converters = try kinds.map { try $0.makeConverter() }
        sets = try (0..<(drawsAhead ? FrameRenderer.setCount : 1)).map { _ in try FrameSet(kinds) }
        self.drawsAhead = drawsAhead
        clock.lap(.raster)
    }

    /// Starts a segment.
    func begin(_ segment: Segment) {
        self.segment = segment
        fetched = 0
        guard drawsAhead else { return }
        let ahead = FrameQueue<FrameSet>(sets.count)
        let isStarted = drawer.start { [self] in
            ahead.fill(0..<segment.frameCount) { try draw($0, of: segment) }
        }
        // If the system refuses the thread, frames are drawn when they are fetched.
        if isStarted { self.ahead = ahead }
    }

    /// Returns the segment's next frame, which is valid until the next call.
    func fetch() throws -> FrameSet {
        guard let segment else { preconditionFailure("a frame was fetched before its segment began") }
        defer { fetched += 1 }
        guard let ahead else { return try draw(fetched, of: segment) }
        if fetched > 0 { ahead.addRoom() }
        return try ahead.next()
    }

    /// Ends a segment, even if not all of its frames were fetched.
    func end() {
        ahead?.stop()
        drawer.wait()
        ahead = nil
        segment = nil
    }

    /// Draws a frame and converts the pixels that changed.
    private func draw(_ frame: Int, of segment: Segment) throws -> FrameSet {
        let set = sets[frame % sets.count]
        clock.restart()
        let scenes = plan.scenes(ofFrame: frame, in: segment)
        clock.lap(.scene)
        set.changes = try draw(scenes)
        clock.lap(.raster)
        for other in sets where !set.changes.isEmpty {
            other.stale = other.stale.isEmpty ? set.changes : PixelRect.merged(other.stale + set.changes)
        }
        guard !set.stale.isEmpty else { return set }
        for (frame, converter) in zip(set.frames, converters) {
            try frame.makeWritable()
            let pixmap = rasterizer.pixmap
            let boxes = set.stale.compactMap { $0.clipped(toWidth: frame.width, height: frame.height) }
            try converter.convert(pixmap.data, stride: pixmap.stride, into: frame, boxes: boxes)
        }
        set.stale = []
        clock.lap(.convert)
        return set
    }

    /// Draws a scene, or the average of several in linear light. Returns the pixels that may have
    /// changed.
    private func draw(_ scenes: [Scene]) throws -> [PixelRect] {
        guard let first = scenes.first else { throw LoadervidError(.internal, "a frame of the clip has no scene") }
        guard scenes.count > 1 else { return try rasterizer.draw(first) }
        guard scenes != averagedScenes else { return [] }
        averagedScenes = scenes
        return try averager.draw(scenes, with: rasterizer)
    }
}

extension RenderPlan {
    /// Returns a rasterizer for the plan's frames, with the largest padding that any of the
    /// encoders needs.
    func makeRasterizer(for encoders: [EncoderSettings]? = nil) throws(RasterError) -> Rasterizer {
        let encoders = encoders ?? [encoder]
        return try Rasterizer(
            width: content.width, height: content.height,
            paddingRight: (encoders.map(\.width).max() ?? width) - content.width,
            bottom: (encoders.map(\.height).max() ?? height) - content.height)
    }
}

extension PixelRect {
    /// Returns the part within a frame's bounds, for a frame with less padding than others; nil if
    /// it is empty.
    fileprivate func clipped(toWidth width: Int, height: Int) -> PixelRect? {
        let right = min(maxX, width)
        let bottom = min(maxY, height)
        return x < right && y < bottom ? PixelRect(x: x, y: y, width: right - x, height: bottom - y) : nil
    }
}
