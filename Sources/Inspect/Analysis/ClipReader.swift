import Core
import Media
import Render

/// A reader of a video file's frames in order, which decodes some frames ahead on another thread.
struct ClipReader {
    let path: String
    let limits: ClipLimits
    /// The pixel aspect ratio, width by height.
    let pixelAspect: Double
    /// Opened once, so that all passes read the same file even if another one takes its path.
    private let file: InputFile

    /// Creates a reader of a file. Throws `LoadervidError` if the file does not exist, is not a
    /// readable video or is an image sequence, is rotated in its metadata, or has more pixels than
    /// the limits allow. The pixels are counted from the packets before anything is decoded,
    /// because a few bytes can require minutes of work.
    init(path: String, limits: ClipLimits) throws {
        self.path = path
        self.limits = limits
        // Without a number in its name, a missing image is a missing file.
        guard !path.contains("%") || !SequenceStream.isPattern(path) else {
            throw LoadervidError(
                .badData,
                "\(path) is an image sequence; encode it as video first: "
                    + "ffmpeg -framerate 60 -i \(shellQuoted(path)) VIDEO.mp4")
        }
        file = try InputFile.clip(path: path, allowsSequences: false)
        let (demuxer, parameters, _) = try Self.open(file, path, limits)
        guard demuxer.rotation == 0 else {
            throw LoadervidError(
                .badData,
                "\(path) is rotated by \(demuxer.rotation)° in its metadata; make an upright copy: "
                    + "ffmpeg -i \(shellQuoted(path)) COPY.mp4")
        }
        pixelAspect = demuxer.pixelAspect()
        var budget = ClipBudget(limits, for: file)
        // Damage is reported when the data is decoded.
        while let packet = try? demuxer.readAny() {
            try budget.takePacket()
            if packet.isSelected { try budget.takeFrame(width: parameters.width, height: parameters.height) }
        }
    }

    private static func open(
        _ file: InputFile, _ path: String, _ limits: ClipLimits
    ) throws -> (Demuxer, CodecParameters, VideoDecoder) {
        do {
            let demuxer = try Demuxer(file)
            let parameters = try demuxer.parameters()
            return (demuxer, parameters, try VideoDecoder(parameters, isStrict: true, maxPixels: limits.pixels))
        } catch { throw LoadervidError(noVideo: error, path: path) }
    }

    /// Returns true if a GIF ends without its trailer.
    func isTruncatedGIF() throws -> Bool {
        let isGIF = try file.bytes(at: 0, count: 3) == Array("GIF".utf8)
        return try isGIF && !file.hasGIFTrailer()
    }

    /// The times that a container declares. Each of them may be missing.
    struct ContainerTimes {
        /// The duration of the video in seconds.
        var duration: Double?
        /// The duration of the video that was read, in seconds, including that of its last frame.
        var readDuration: Double?
        /// The declared duration of the longest stream in seconds, and the part of it that was
        /// read.
        var whole: (declared: Double, read: Double)?
        /// The time base in seconds.
        var clock: Double
    }

    /// Decodes the file and passes every frame to `body` with its index and its time in seconds
    /// from the first frame, until `body` returns false.
    ///
    /// Frames without a timestamp follow the previous one at the container's average interval.
    /// Throws `LoadervidError` of kind `badData` for damaged data, timestamps that do not increase,
    /// and more pixels than the limits allow.
    @discardableResult
    func forEachFrame(_ body: (VideoFrame, Int, Double) throws -> Bool) throws -> ContainerTimes {
        try forEachDecoded(scaler: nil) { frame, number, time in try body(frame.frame, number, time) }
    }

    /// Decodes the file and passes the RGBA pixels of every frame to `body`. The decoding thread
    /// converts them, so only it may use the scaler until the end.
    func forEachFrame(
        in scaler: FrameScaler, _ body: (UnsafeBufferPointer<UInt8>, Int, Double) throws -> Bool
    ) throws {
        _ = try forEachDecoded(scaler: scaler) { frame, number, time in
            try frame.pixels.withUnsafeBufferPointer { try body($0, number, time) }
        }
    }

    private func forEachDecoded(
        scaler: FrameScaler?, _ body: (RGBAFrame, Int, Double) throws -> Bool
    ) throws -> ContainerTimes {
        let (demuxer, parameters, decoder) = try Self.open(file, path, limits)
        var clock = FrameClock(
            unit: demuxer.timeBase.double, step: demuxer.averageFrameRate.map { 1 / $0.double } ?? 1.0 / 25)
        var budget = ClipBudget(limits, for: file)
        let decoding = DecodingAhead(
            PacketDecoder(demuxer, decoder, scaler),
            maxAhead: FramesAhead.count(width: parameters.width, height: parameters.height))
        var isComplete = true
        reading: while true {
            let frames = try checkDamage(after: clock.count) { () throws(FFmpegError) in try decoding.next() }
            guard let frames else { break }
            for frame in frames {
                try budget.takeFrame(width: frame.frame.width, height: frame.frame.height)
                guard let time = clock.time(of: frame.frame) else { throw nonMonotonicTimes(at: clock) }
                let wantsMore: Bool
                do { wantsMore = try body(frame, clock.count - 1, time) } catch let error as FFmpegError {
                    // Damage may change a frame's format to one that libav cannot convert.
                    throw LoadervidError(noVideo: error, path: path)
                }
                guard wantsMore else {
                    isComplete = false
                    break reading
                }
            }
        }
        decoding.stop()
        guard !isComplete || clock.isMostlyOnTime else { throw nonMonotonicTimes(at: clock) }
        return ContainerTimes(
            duration: demuxer.duration, readDuration: demuxer.readDuration, whole: demuxer.wholeDuration,
            clock: clock.unit)
    }

    private func checkDamage<T>(after count: Int, _ body: () throws(FFmpegError) -> T) throws -> T {
        do { return try body() } catch {
            if error.isOutOfMemory || error.isSystemFailure { throw LoadervidError(error) }
            guard error.code != FFmpegError.tooManyPixels else { throw LoadervidError(noVideo: error, path: path) }
            throw LoadervidError(
                .badData, "\(path) is damaged or truncated after \(count) frames: \(error.reason); use a complete file")
        }
    }

    private func nonMonotonicTimes(at clock: FrameClock) -> LoadervidError {
        LoadervidError(
            .badData,
            "\(path): its timestamps do not increase, first at frame \(clock.firstLate); use a clip with valid timestamps"
        )
    }
}

/// A queue of a file's decoded packets in order, which another thread fills some packets ahead.
private final class DecodingAhead {
    private typealias Decoded = Result<[RGBAFrame]?, FFmpegError>

    private let packets: PacketDecoder
    private let tasks = OrderedTasks<Decoded>(threads: 1)
    private let maxAhead: Int

    init(_ packets: PacketDecoder, maxAhead: Int) {
        self.packets = packets
        self.maxAhead = maxAhead
    }

    /// Returns the frames of the next packet; nil after the last one.
    func next() throws(FFmpegError) -> [RGBAFrame]? {
        while tasks.count < maxAhead {
            tasks.submit { [packets] in
                Decoded { () throws(FFmpegError) in try packets.next() }
            }
        }
        // The tasks themselves throw nothing, and one was submitted.
        guard let decoded = try? tasks.next() else { return nil }
        return try decoded.get()
    }

    /// Waits until decoding has stopped.
    func stop() { while tasks.count > 0 { _ = try? tasks.next() } }
}

/// A frame, and its pixels in RGBA if they were requested.
///
/// Sendable: nothing changes a frame after its decoding.
private struct RGBAFrame: @unchecked Sendable {
    let frame: VideoFrame
    let pixels: [UInt8]
}

/// A decoder of a file's packets in order. Sendable: used by one thread at a time.
private final class PacketDecoder: @unchecked Sendable {
    private let demuxer: Demuxer
    private let decoder: VideoDecoder
    private let scaler: FrameScaler?
    /// True for Y4M, which stores no matrix. `encode` writes BT.709, but FFmpeg reads BT.601.
    private let isY4M: Bool
    private var isAtEnd = false

    init(_ demuxer: Demuxer, _ decoder: VideoDecoder, _ scaler: FrameScaler?) {
        self.demuxer = demuxer
        self.decoder = decoder
        self.scaler = scaler
        isY4M = demuxer.formatName == "yuv4mpegpipe"
    }

    /// Decodes the next packet, or flushes the decoder after the last one. Returns nil afterwards.
    func next() throws(FFmpegError) -> [RGBAFrame]? {
        guard !isAtEnd else { return nil }
        let packet = try demuxer.read()
        isAtEnd = packet == nil
        var frames: [RGBAFrame] = []
        for frame in try decoder.decode(packet) {
            if isY4M { frame.declareMatrix(.bt709) }
            var pixels: [UInt8] = []
            if let scaler { pixels = Array(try scaler.rgba(frame)) }
            frames.append(RGBAFrame(frame: frame, pixels: pixels))
        }
        return frames
    }
}

/// A clock that converts timestamps to seconds from the first frame.
private struct FrameClock {
    /// The time base in seconds.
    let unit: Double
    /// The interval between frames without timestamps, in seconds.
    let step: Double
    /// The number of frames so far.
    private(set) var count = 0
    private var last = 0.0
    private var first: Double?
    private var late: (inRow: Int, all: Int) = (0, 0)
    /// The index of the first frame whose time is not later than the previous one; 0 if there is
    /// none.
    private(set) var firstLate = 0

    init(unit: Double, step: Double) {
        self.unit = unit
        self.step = step
    }

    /// Returns the time of the next frame; nil if times do not increase. A single repeated
    /// timestamp moves slightly later, because some recorders write duplicates.
    mutating func time(of frame: VideoFrame) -> Double? {
        let stamp = frame.bestTimestamp.map { Double($0) * unit }
        let next = count == 0 ? 0 : last + step
        // The time of the first frame, also if a later one is the first with a timestamp.
        if first == nil { first = stamp.map { $0 - next } }
        var time = stamp.flatMap { stamp in first.map { stamp - $0 } } ?? next
        let isLate = count > 0 && time <= last
        if isLate {
            time = last + step / 16
            firstLate = late.all == 0 ? count : firstLate
        }
        late = isLate ? (late.inRow + 1, late.all + 1) : (0, late.all)
        guard late.inRow < 2 else { return nil }
        last = time
        count += 1
        return time
    }

    /// True if at least 90% of the times, or all but one, are the container's own.
    var isMostlyOnTime: Bool { late.all <= max(1, count / 10) }
}
