import Media
import Render

/// One of two clips during a comparison.
final class ClipSide {
    /// A frame with its index and time.
    struct TimedFrame {
        var pixels: Pixels
        var frame: Int
        /// The time in seconds from the first frame.
        var time: Double
    }

    let stream: any FrameStream
    private(set) var side: ClipDifference.Side
    /// The regular interval between frames in seconds; 0 if there is none.
    let step: Double
    /// The precision of frame times in seconds.
    let precision: Double
    private let clock: Double
    /// True if some frames last longer than others.
    let hasLongFrames: Bool
    private(set) var hasAlpha = false
    private let reader: PixelReader
    private var times: TimeCheck
    private let path: String
    private let structure: FileStructure

    init(_ path: String, _ limits: ClipLimits) throws {
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
            reader = try PixelReader(width: description.width, height: description.height)
            let rate = survey.grid.count > 1 && !survey.grid.isVariable && step > 0 ? 1 / step : nil
            side = ClipDifference.Side(
                file: path, width: description.width, height: description.height,
                rate: rate?.millionths)
        } catch let error as FFmpegError { throw LoadervidError(noVideo: error, path: path) }
    }

    func next() throws -> TimedFrame? {
        let decoded: DecodedFrame?
        do { decoded = try stream.next() } catch let error as FFmpegError {
            if error.isOutOfMemory || error.isSystemFailure { throw LoadervidError(error) }
            throw LoadervidError(
                .badData,
                "\(path) is damaged or truncated after \(side.frames) frames: \(error.reason); use a complete file")
        }
        guard let decoded else {
            try end()
            return nil
        }
        guard (decoded.frame.width, decoded.frame.height) == (side.width, side.height) else {
            throw LoadervidError(
                .badData,
                "\(path): frame \(side.frames) has a different size from the first; use clips of one size")
        }
        times.add(decoded.time, duration: decoded.duration)
        hasAlpha = hasAlpha || decoded.hasAlpha
        defer { side.frames += 1 }
        do {
            return TimedFrame(pixels: try reader.pixels(decoded), frame: side.frames, time: times.seconds)
        } catch let error as FFmpegError { throw LoadervidError(noVideo: error, path: path) }
    }

    /// Records the clip's length. Throws `LoadervidError` if its container declares more frames
    /// than the file has.
    private func end() throws {
        guard side.frames > 0 else { throw LoadervidError(.badData, "\(path) has no frames; use a complete file") }
        let duration = times.duration(stream.declaredDuration)
        side.duration = duration.millionths
        let missing = structure.missingEnd(
            count: side.frames, duration: duration, declaredDuration: stream.declaredDuration, step: step, clock: clock)
        if let missing { throw LoadervidError(.badData, "\(path) is truncated: \(missing); use a complete file") }
    }

    func readToEnd(_ cancellation: CancellationToken) throws {
        while try next() != nil { try cancellation.check() }
    }
}

/// Pairs the frames of two clips by time, so that one long frame equals several equal ones. Holds
/// two frames of each clip.
final class FramePairs {
    /// Two frames that are shown at the same time.
    struct Pair {
        let expected: ClipSide.TimedFrame
        let actual: ClipSide.TimedFrame
        let time: Double
    }

    private let (a, b): (ClipSide, ClipSide)
    private var (shownA, shownB): (ClipSide.TimedFrame?, ClipSide.TimedFrame?)
    private var (nextA, nextB): (ClipSide.TimedFrame?, ClipSide.TimedFrame?)
    private var isStarted = false
    /// The difference in seconds below which times are equal.
    private let tolerance: Double
    private let cancellation: CancellationToken

    init(_ a: ClipSide, _ b: ClipSide, _ cancellation: CancellationToken) {
        self.a = a
        self.b = b
        self.cancellation = cancellation
        let steps = [a.step, b.step].filter { $0 > 0 }
        let precision = 1.01 * max(a.precision, b.precision)
        // The bound keeps two frames of one clip apart.
        tolerance = steps.min().map { max(0.3 * $0, min(precision, 0.6 * $0)) } ?? precision
    }

    /// Returns the next pair. At the end of either clip, reads both to their ends and returns nil.
    func next() throws -> Pair? {
        if !isStarted {
            nextA = try a.next()
            nextB = try b.next()
            isStarted = true
        }
        guard nextA != nil || nextB != nil else { return nil }
        let timeA = nextA?.time ?? .infinity
        let timeB = nextB?.time ?? .infinity
        let time = min(timeA, timeB)
        if timeA <= time + tolerance, nextA != nil { (shownA, nextA) = (nextA, try a.next()) }
        if timeB <= time + tolerance, nextB != nil { (shownB, nextB) = (nextB, try b.next()) }
        guard let shownA, let shownB else { return nil }
        // Past the end of the shorter clip there is nothing to compare.
        for (side, next, shown, other) in [(a, nextA, shownA, b), (b, nextB, shownB, a)]
        where next == nil && side.side.duration > 0 && time >= side.side.duration - tolerance
            && shown.time < time - tolerance
        {
            try other.readToEnd(cancellation)
            return nil
        }
        return Pair(expected: shownA, actual: shownB, time: time)
    }
}
