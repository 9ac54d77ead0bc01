import Platform
import Dispatch
import Media
import Raster
import Scene

/// Draws the pictures of segments and converts them for encoders: one by one when they are fetched, or some ahead on a thread
/// of its own.
///
/// Sendable: from `begin` to `end` one thread draws, and nobody else touches the tools or what is stale; a set goes from that
/// thread to who fetches it, and back, by semaphores.
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

    /// How many pictures there are at once, the one that is encoded included: with two, each thread would wait for the other
    /// at every picture.
    private static let setCount = 4

    private let plan: RenderPlan
    private let rasterizer: Rasterizer
    private lazy var mixer = LightMixer()
    /// The scenes of which the surface shows the mean; empty without motion blur.
    private var mixed: [Scene] = []
    private let converters: [any PictureConverter]
    /// The frames of one picture, or of as many as are drawn ahead.
    private let sets: [PictureSet]
    private let drawsAhead: Bool
    private let drawer = ThreadGroup()
    private var ahead: Ahead?
    private var segment: Segment?
    private var fetched = 0
    /// What drawing and converting was spent on; to be read when nothing is being drawn.
    var clock = StageClock()

    /// A maker of one plan's pictures.
    ///
    /// - Parameter kinds: settings of encoders that differ in pixel format, matrix or gamut.
    init(_ plan: RenderPlan, kinds: [EncoderSettings], drawsAhead: Bool) throws {
        self.plan = plan
        rasterizer = try Rasterizer(width: plan.width, height: plan.height)
        converters = try kinds.map { try $0.pictureConverter() }
        sets = try (0..<(drawsAhead ? PictureMaker.setCount : 1)).map { _ in try PictureSet(kinds) }
        self.drawsAhead = drawsAhead
        clock.lap(.raster)
    }

    /// Begins with a segment's pictures.
    func begin(_ segment: Segment) {
        (self.segment, fetched) = (segment, 0)
        guard drawsAhead else { return }
        let ahead = Ahead(sets.count)
        let isStarted = drawer.start { [self] in
            for frame in 0..<segment.frameCount {
                guard ahead.takeRoom() else { break }
                let picture = Result { try draw(frame, of: segment) }
                ahead.add(picture)
                if case .failure = picture { break }
            }
        }
        // Without a thread to spare pictures are drawn when they are fetched.
        if isStarted { self.ahead = ahead }
    }

    /// The segment's next picture; valid until the one after it is fetched.
    func fetch() throws -> PictureSet {
        guard let segment else { preconditionFailure("a picture was fetched before its segment began") }
        defer { fetched += 1 }
        guard let ahead else { return try draw(fetched, of: segment) }
        if fetched > 0 { ahead.room.signal() }
        return try ahead.next()
    }

    /// Ends with a segment, whether all of its pictures were fetched or not.
    func end() {
        ahead?.stop()
        drawer.wait()
        (ahead, segment) = (nil, nil)
    }

    /// Draws and converts what differs from the pictures before.
    private func draw(_ frame: Int, of segment: Segment) throws -> PictureSet {
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
            try converter.convert(pixmap.data, stride: pixmap.stride, into: frame, boxes: set.stale)
        }
        set.stale = []
        clock.lap(.convert)
        return set
    }

    /// Draws a scene, or mixes several in linear light. Returns the pixels that may have changed.
    private func draw(_ scenes: [Scene]) throws -> [PixelRect] {
        guard let first = scenes.first else { throw RenderError(.internal, "a frame of the clip has no scene") }
        guard scenes.count > 1 else { return try rasterizer.draw(first) }
        guard scenes != mixed else { return [] }
        mixed = scenes
        return try mixer.draw(scenes, with: rasterizer)
    }
}

/// What the drawing thread and the fetching one tell each other.
///
/// Sendable: results are behind a mutex, and semaphores are made for several threads.
private final class Ahead: Sendable {
    /// Sets that may be drawn on.
    let room = DispatchSemaphore(value: 0)
    private let drawn = DispatchSemaphore(value: 0)
    private let state = Locked((results: [Result<PictureMaker.PictureSet, any Error>](), isStopped: false))

    init(_ count: Int) { for _ in 0..<count { room.signal() } }

    /// Waits for a set to draw on. Returns whether anything is still to be drawn.
    func takeRoom() -> Bool {
        guard !state.withLock({ $0.isStopped }) else { return false }
        room.wait()
        return !state.withLock { $0.isStopped }
    }

    func add(_ result: Result<PictureMaker.PictureSet, any Error>) {
        state.withLock { $0.results.append(result) }
        drawn.signal()
    }

    func next() throws -> PictureMaker.PictureSet {
        drawn.wait()
        return try state.withLock { $0.results.removeFirst() }.get()
    }

    /// Ends the drawing after the picture that is just drawn.
    func stop() {
        state.withLock { $0.isStopped = true }
        room.signal()
    }
}
