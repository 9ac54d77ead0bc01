import Core
import Media
import Render

/// A frame of a clip with its index and time.
///
/// Sendable: nothing changes a frame after its decoding.
struct TimedFrame: @unchecked Sendable {
    let decoded: DecodedFrame
    /// The index, counted from 0.
    let frame: Int
    /// The time in seconds from the first frame.
    let time: Double
}

/// One of two clips during a comparison. Decodes frames ahead on its own thread.
final class ClipSide {
    private let decoder: SideDecoder
    private let tasks: OrderedTasks<TimedFrame?>
    private let maxAhead: Int
    private var isAtEnd = false
    /// The frame that `peek` has returned and `next` has not.
    private var peeked: TimedFrame?
    /// The colour matrix that YUV frames without one are assumed to have; nil for the decoder's
    /// default.
    private var assumedMatrix: ColorMatrix?

    /// The width of the frames in pixels.
    let width: Int
    /// The height of the frames in pixels.
    let height: Int
    /// The pixel aspect ratio, width by height.
    let pixelAspect: Double
    /// The angle by which players rotate the frames clockwise, in degrees.
    let rotation: Int
    /// True if the codec is lossless with all settings.
    let isLossless: Bool
    /// True if the codec reduces the colours of a frame to a palette.
    let hasPalette: Bool
    /// True for a sequence of image files, which have no times.
    var isSequence: Bool { decoder.stream is SequenceStream }
    /// The regular interval between frames in seconds; 0 if there is none.
    let step: Double
    /// The precision of frame times in seconds; 0 for a sequence.
    let precision: Double
    /// True if some frames last several intervals.
    let hasLongFrames: Bool

    /// Opens a clip.
    ///
    /// - Parameter frameDuration: the duration of a frame in seconds if the clip is a sequence,
    ///   which has no times; nil for the default.
    init(_ path: String, _ limits: ClipLimits, frameDuration: Double? = nil) throws {
        let decoder = try SideDecoder(path, limits, frameDuration)
        self.decoder = decoder
        width = decoder.side.width
        height = decoder.side.height
        pixelAspect = decoder.stream.description.pixelAspect
        rotation = decoder.stream.description.rotation
        isLossless = decoder.stream.description.isLossless
        hasPalette = decoder.stream.description.codec == "gif"
        step = decoder.step
        precision = decoder.precision
        hasLongFrames = decoder.hasLongFrames
        maxAhead = FramesAhead.count(width: width, height: height)
        tasks = OrderedTasks(threads: 1)
    }

    /// A summary of the clip. Only valid at its end.
    var side: ClipDifference.Side { decoder.side }
    /// True if a frame is translucent. Only valid at the clip's end.
    var hasAlpha: Bool { decoder.hasAlpha }

    /// Returns the next frame; nil at the end.
    func next() throws -> TimedFrame? {
        if let frame = peeked {
            peeked = nil
            return frame
        }
        guard !isAtEnd else { return nil }
        while tasks.count < maxAhead { tasks.submit { [decoder] in try decoder.next() } }
        let frame = try tasks.next() ?? nil
        if let assumedMatrix { frame?.decoded.frame.declareMatrix(assumedMatrix) }
        isAtEnd = frame == nil
        return frame
    }

    /// Returns the next frame without removing it; nil at the end.
    func peek() throws -> TimedFrame? {
        if peeked == nil { peeked = try next() }
        return peeked
    }

    /// Assumes BT.709 for Y4M, which stores no matrix, if the other clip has another one: `encode`
    /// writes BT.709, but FFmpeg reads BT.601.
    func assumeMatrix(besides other: ClipSide) throws {
        guard (decoder.stream as? LibAVStream)?.formatName == "yuv4mpegpipe",
            let frame = try other.peek()?.decoded.frame, frame.format.isRGB || frame.colorTags.matrix != nil
        else { return }
        assumedMatrix = .bt709
        try peek()?.decoded.frame.declareMatrix(.bt709)
    }

    func readToEnd(_ cancellation: CancellationToken) throws {
        while try next() != nil { try cancellation.check() }
    }

    /// Opens two clips. A sequence gets the frame duration of the clip beside it, because image
    /// files have no times.
    static func pair(_ expected: String, _ actual: String, _ limits: ClipLimits) throws -> (ClipSide, ClipSide) {
        guard SequenceStream.isPattern(expected), !SequenceStream.isPattern(actual) else {
            let first = try ClipSide(expected, limits)
            return (first, try ClipSide(actual, limits, frameDuration: first.regularStep))
        }
        let second = try ClipSide(actual, limits)
        return (try ClipSide(expected, limits, frameDuration: second.regularStep), second)
    }

    /// The regular interval in seconds; nil if there is none, or for a sequence.
    private var regularStep: Double? { isSequence || step <= 0 ? nil : step }
}

/// The decoder of one of two clips. Used by one thread at a time.
private final class SideDecoder {
    let stream: any FrameStream
    private(set) var side: ClipDifference.Side
    let step: Double
    let precision: Double
    let hasLongFrames: Bool
    private(set) var hasAlpha = false
    private var isAtEnd = false
    private let clock: Double
    private var times: TimeCheck
    private let path: String
    private let structure: FileStructure

    convenience init(_ path: String, _ limits: ClipLimits, _ frameDuration: Double?) throws {
        if SequenceStream.isPattern(path) {
            try self.init(sequence: path, limits, frameDuration)
        } else {
            try self.init(file: path, limits)
        }
    }

    private init(sequence path: String, _ limits: ClipLimits, _ frameDuration: Double?) throws {
        self.path = path
        let sequence = try SequenceStream(path, limits, frameDuration: frameDuration)
        let clock = sequence.description.clock
        structure = FileStructure(kind: .other("frame sequence"))
        stream = sequence
        let grid = FrameInterval(clock: clock, precision: 0, declaredRate: 1 / clock) { add in
            for index in sequence.files.indices { add(Int64(index)) }
        }
        self.clock = clock
        precision = 0
        step = clock
        hasLongFrames = false
        times = TimeCheck(grid, clock: clock, structure)
        side = ClipDifference.Side(
            file: path, width: sequence.description.width, height: sequence.description.height, rate: nil)
    }

    private init(file path: String, _ limits: ClipLimits) throws {
        self.path = path
        let file = try InputFile.clip(path: path)
        do {
            let structure = try FileStructure(file)
            if let truncation = structure.truncation {
                throw LoadervidError(.badData, "\(path) is truncated: \(truncation); use a complete file")
            }
            if let damage = structure.damage {
                throw LoadervidError(.badData, "\(path) is damaged: \(damage); use a complete file")
            }
            self.structure = structure
            stream = try FrameStreams.open(file, structure, limits)
            let description = stream.description
            let survey = try PacketSurvey(file, structure, description, limits)
            clock = description.clock
            precision = structure.precision(clock: clock)
            step = survey.grid.step * clock
            hasLongFrames = survey.grid.hasLongFrames
            times = TimeCheck(survey.grid, clock: clock, structure)
            let rate = survey.grid.count > 1 && !survey.grid.isVariable && step > 0 ? 1 / step : nil
            side = ClipDifference.Side(
                file: path, width: description.width, height: description.height, rate: rate?.roundedToMillionths)
        } catch let error as FFmpegError { throw LoadervidError(noVideo: error, path: path) }
    }

    func next() throws -> TimedFrame? {
        guard !isAtEnd else { return nil }
        let decoded: DecodedFrame?
        do { decoded = try stream.next() } catch let error as FFmpegError {
            if error.isOutOfMemory || error.isSystemFailure { throw LoadervidError(error) }
            throw LoadervidError(
                .badData,
                "\(path) is damaged or truncated after \(side.frames) frames: \(error.reason); use a complete file")
        }
        guard let decoded else {
            isAtEnd = true
            try end()
            return nil
        }
        guard (decoded.frame.width, decoded.frame.height) == (side.width, side.height) else {
            throw LoadervidError(
                .badData,
                "\(path): frame \(side.frames) has a different size from the first; use clips of one size")
        }
        times.add(decoded.time, duration: decoded.duration)
        hasAlpha = hasAlpha || decoded.alpha != nil || decoded.frame.isTranslucent
        defer { side.frames += 1 }
        return TimedFrame(decoded: decoded, frame: side.frames, time: times.seconds)
    }

    /// Records the clip's length. Throws `LoadervidError` if its container declares more frames
    /// than the file has.
    private func end() throws {
        guard side.frames > 0 else { throw LoadervidError(.badData, "\(path) has no frames; use a complete file") }
        let duration = times.duration(stream.declaredDuration)
        side.duration = duration.roundedToMillionths
        let missing = structure.missingEnd(
            count: side.frames, duration: duration, start: times.start, declaredDuration: stream.declaredDuration,
            step: step, clock: clock)
        if let missing { throw LoadervidError(.badData, "\(path) is truncated: \(missing); use a complete file") }
    }
}
