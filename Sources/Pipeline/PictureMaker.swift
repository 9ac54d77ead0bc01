import Dispatch
import Media
import Raster
import Scene

/// Draws the pictures of segments and converts them for encoders: one after the other, or the next one on a thread of its
/// own while the last one is encoded.
///
/// Sendable: its tools are only touched by a drawing, and the next one begins when somebody has fetched the last one.
final class PictureMaker: @unchecked Sendable {
    /// A picture in each format that is needed.
    final class PictureSet {
        /// One for each kind of picture.
        let frames: [VideoFrame]
        /// The pixels in which it may differ from the picture before.
        fileprivate(set) var changes: [PixelRect] = []
        /// The pixels in which its frames differ from what was drawn last.
        fileprivate var stale: [PixelRect] = []

        fileprivate init(_ kinds: [EncoderSettings]) throws {
            frames = try kinds.map { try VideoFrame(width: $0.width, height: $0.height, format: $0.pixelFormat) }
        }
    }

    private let plan: RenderPlan
    private let rasterizer: Rasterizer
    private lazy var mixer = LightMixer()
    /// The scenes of which the surface shows the mean; empty without motion blur.
    private var mixed: [Scene] = []
    private let converters: [PixelConverter]
    /// One, or two if one of them is drawn while the other is encoded.
    private let sets: [PictureSet]
    private let drawer: DispatchQueue?
    private let drawn = DispatchSemaphore(value: 0)
    private var next: Result<PictureSet, any Error>?
    private var wanted: (frame: Int, segment: Segment)?
    /// What drawing and converting was spent on; to be read when nothing is being drawn.
    var clock = StageClock()

    /// A maker of one plan's pictures.
    ///
    /// - Parameter kinds: settings of encoders that differ in pixel format or matrix.
    init(_ plan: RenderPlan, kinds: [EncoderSettings], drawsAhead: Bool) throws {
        self.plan = plan
        rasterizer = try Rasterizer(width: plan.stage.width, height: plan.stage.height)
        converters = try kinds.map {
            try PixelConverter(width: $0.width, height: $0.height, to: $0.pixelFormat, matrix: $0.matrix)
        }
        sets = try (0..<(drawsAhead ? 2 : 1)).map { _ in try PictureSet(kinds) }
        drawer = drawsAhead ? DispatchQueue(label: "loadervid.pictures") : nil
        clock.lap(.raster)
    }

    /// Says which picture is fetched next: one that draws ahead begins with it.
    func begin(_ frame: Int, of segment: Segment) {
        wanted = (frame, segment)
        drawer?.async { [self] in
            next = Result { try draw() }
            drawn.signal()
        }
    }

    /// The picture that was begun; valid until the next but one is begun, or the next one if none is drawn ahead.
    func fetch() throws -> PictureSet {
        guard drawer != nil else { return try draw() }
        drawn.wait()
        guard let next else { preconditionFailure("a picture was fetched that nobody began") }
        return try next.get()
    }

    /// Draws and converts what differs from the pictures before.
    private func draw() throws -> PictureSet {
        guard let wanted else { preconditionFailure("a picture was fetched that nobody began") }
        let set = sets[wanted.frame % sets.count]
        clock.restart()
        let scenes = plan.scenes(ofFrame: wanted.frame, in: wanted.segment)
        clock.lap(.scene)
        set.changes = try draw(scenes)
        clock.lap(.raster)
        guard !set.changes.isEmpty || !set.stale.isEmpty else { return set }
        for other in sets {
            other.stale = other.stale.isEmpty ? set.changes : PixelRect.merged(other.stale + set.changes)
        }
        for (frame, converter) in zip(set.frames, converters) {
            try frame.makeWritable()
            let pixmap = rasterizer.pixmap
            try converter.convert(pixmap.data, stride: pixmap.stride, into: frame, boxes: set.stale)
        }
        set.stale = []
        clock.lap(.convert)
        return set
    }

    /// Draws a scene, or mixes several in linear light. Returns the pixels that may have changed.
    private func draw(_ scenes: [Scene]) throws -> [PixelRect] {
        guard scenes.count > 1 else { return try rasterizer.draw(scenes[0]) }
        guard scenes != mixed else { return [] }
        mixed = scenes
        return try mixer.draw(scenes, with: rasterizer)
    }
}
