import Media
import Motion
import Pipeline

/// Reads the pictures of a video file one after the other, never more than one at a time.
struct ClipReader {
    let path: String
    let limits: ClipLimits

    /// A reader of a file. Throws `RenderError` if there is no such file, it is none that can be read, or its pictures have
    /// more pixels than the limits allow, as far as the container tells: a few bytes can ask for minutes of work.
    init(path: String, limits: ClipLimits) throws {
        (self.path, self.limits) = (path, limits)
        let (file, demuxer, parameters, _) = try open()
        var budget = ClipBudget(limits, for: file)
        // What is damaged is found when it is decoded.
        while let packet = try? demuxer.readAny() {
            try budget.takePacket()
            if packet.isVideo { try budget.takePicture(width: parameters.width, height: parameters.height) }
        }
    }

    private func open() throws -> (InputFile, Demuxer, CodecParameters, VideoDecoder) {
        let file = try InputFile.clip(path: path)
        do {
            let demuxer = try Demuxer(file)
            let parameters = try demuxer.parameters()
            return (file, demuxer, parameters, try VideoDecoder(parameters, isStrict: true, mostPixels: limits.pixels))
        } catch { throw RenderError(noVideo: error, path: path) }
    }

    /// Whether a GIF ends without its trailer, byte 0x3B (GIF89a, section 27): FFmpeg reads it as if it were whole.
    func isCutOffGIF() throws -> Bool {
        let file = try InputFile.clip(path: path)
        guard try file.bytes(at: 0, count: 3) == Array("GIF".utf8) else { return false }
        // Some writers fill up with zeros.
        let tail = try file.bytes(at: max(0, file.byteCount - 64), count: 64)
        return tail.last { $0 != 0 } != 0x3B
    }

    /// What a container says of itself; every item may be missing.
    struct Claims {
        /// Length of the video in seconds.
        var duration: Double?
        /// Length of the longest stream in seconds, and how much of it there is.
        var whole: (promised: Double, read: Double)?
        /// The unit of its times in seconds.
        var clock: Double
    }

    /// Decodes the whole file and hands over every picture with its number and its time in seconds from the first.
    ///
    /// Pictures without a time follow the one before at the container's mean distance. `body` returns whether it wants
    /// more. Throws `RenderError` of kind `badData` for damaged data, times that do not grow, and more pixels than the
    /// limits allow.
    @discardableResult
    func forEachFrame(_ body: (VideoFrame, Int, Double) throws -> Bool) throws -> Claims {
        let (file, demuxer, _, decoder) = try open()
        var clock = PictureClock(
            unit: demuxer.timeBase.double, step: demuxer.averageFrameRate.map { 1 / $0.double } ?? 1.0 / 25)
        var claims: Claims {
            Claims(duration: demuxer.duration, whole: demuxer.wholeDuration, clock: clock.unit)
        }
        var budget = ClipBudget(limits, for: file)
        while true {
            let packet = try damaged(after: clock.count) { () throws(FFmpegError) in try demuxer.read() }
            let frames = try damaged(after: clock.count) { () throws(FFmpegError) in try decoder.decode(packet) }
            for frame in frames {
                try budget.takePicture(width: frame.width, height: frame.height)
                guard let time = clock.time(of: frame) else { throw standsStill(at: clock) }
                guard try body(frame, clock.count - 1, time) else { return claims }
            }
            if packet == nil { break }
        }
        guard clock.isUseful else { throw standsStill(at: clock) }
        return claims
    }

    private func damaged<T>(after count: Int, _ body: () throws(FFmpegError) -> T) throws -> T {
        do { return try body() } catch {
            if error.isMemoryShort || error.isSystemFailure { throw RenderError(error) }
            guard error.code != FFmpegError.tooManyPixels else { throw RenderError(noVideo: error, path: path) }
            throw RenderError(
                .badData, "\(path) is damaged or cut off after \(count) pictures: \(error.reason); give a whole file")
        }
    }

    private func standsStill(at clock: PictureClock) -> RenderError {
        RenderError(
            .badData,
            "\(path): the times of its pictures stand still or run backwards, first at picture \(clock.firstLate + 1): "
                + "give a clip that says when its pictures are shown")
    }
}

/// When pictures are shown, in seconds from the first.
private struct PictureClock {
    /// The unit of the container's times in seconds.
    let unit: Double
    /// What lies between pictures that have no times.
    let step: Double
    /// Pictures so far.
    private(set) var count = 0
    private var last = 0.0
    private var first: Double?
    private var late: (inRow: Int, all: Int) = (0, 0)
    /// The first picture, counted from 0, whose time was not after the one before; 0 if there is none.
    private(set) var firstLate = 0

    init(unit: Double, step: Double) { (self.unit, self.step) = (unit, step) }

    /// The time of the next picture; nil if the times do not grow. One that does not is moved a little behind the one
    /// before: some recorders stamp a picture twice.
    mutating func time(of frame: VideoFrame) -> Double? {
        let stamp = frame.bestTimestamp.map { Double($0) * unit }
        let start = first ?? stamp ?? 0
        first = start
        var time = stamp.map { $0 - start } ?? (count == 0 ? 0 : last + step)
        let isLate = count > 0 && time <= last
        if isLate {
            time = last + step / 16
            firstLate = late.all == 0 ? count : firstLate
        }
        late = isLate ? (late.inRow + 1, late.all + 1) : (0, late.all)
        guard late.inRow < 2 else { return nil }
        (last, count) = (time, count + 1)
        return time
    }

    /// Whether nearly all times are the container's own.
    var isUseful: Bool { late.all * 10 <= count }
}
