import Media

/// A video stream that libav decodes.
final class LibAVStream: FrameStream {
    private(set) var description = StreamDescription()
    private let demuxer: Demuxer
    private let decoder: VideoDecoder
    private var alphaDecoder: VideoDecoder?
    /// A check of the packets; nil if the codec needs none.
    private var damageDetector: DamageDetector?
    private var alphas: [VideoFrame] = []
    /// The stream whose luma is the alpha of the frames; nil if there is none.
    private var alphaStream: Int?
    private let parameters: CodecParameters
    private let limits: ClipLimits
    private var budget: ClipBudget
    private var ready: [VideoFrame] = []
    private var keyframes = KeyframeTimes()
    private var isAtEnd = false
    /// The time of the latest frame; nil before the first.
    private var latestTime: Int64?
    /// True if the container numbers its frames instead of storing times, as AVI does. Then the
    /// last reordered frames have no time.
    private var countsFrames: Bool { formatName == "avi" && description.declaresUnitClock }

    /// The lossless codecs.
    private static let losslessCodecs: Set = [
        "gif", "apng", "png", "ffv1", "qtrle", "rawvideo", "huffyuv", "ffvhuff", "utvideo",
    ]
    /// The containers whose streams have one time base, by libavformat's names.
    private static let formatsWithOneClock: Set = ["matroska,webm", "mpegts", "flv", "live_flv"]
    /// The codecs that store alpha in a separate stream.
    private static let codecsWithSideAlpha: Set = ["vp8", "vp9"]

    /// The maximum number of frames that wait for their alpha.
    private static let maxWaiting = 32

    /// Opens the best video stream of a file.
    ///
    /// - Parameters:
    ///   - hasAlphaStream: true if a second video stream, if there is one, is its alpha.
    ///   - findsDamage: true to look for damaged data that the decoder accepts.
    init(
        _ file: InputFile, _ limits: ClipLimits, hasAlphaStream: Bool = false, findsDamage: Bool = false
    ) throws {
        demuxer = try Demuxer(file)
        parameters = try demuxer.parameters()
        decoder = try VideoDecoder(parameters, isStrict: true, maxPixels: limits.pixels)
        damageDetector = findsDamage ? try DamageDetector(parameters) : nil
        self.limits = limits
        budget = ClipBudget(limits, for: file)
        description.codec = parameters.codecName
        description.width = parameters.width
        description.height = parameters.height
        description.clock = demuxer.timeBase.double
        description.declaredRate = demuxer.averageFrameRate?.double
        description.declaredFrameCount = demuxer.declaredFrameCount
        description.colors = parameters.colorTags
        description.pixelAspect = demuxer.pixelAspect()
        description.rotation = demuxer.rotation
        description.isMirrored = demuxer.isMirrored
        description.declaresAlpha = demuxer.declaresAlpha
        description.isLossless = Self.losslessCodecs.contains(description.codec)
        description.sharesClock = Self.formatsWithOneClock.contains(formatName)
        description.timecode = demuxer.timecode
        if hasAlphaStream, let alpha = try demuxer.otherVideoStream() {
            alphaStream = alpha.index
            description.hasAlphaStream = true
            alphaDecoder = try VideoDecoder(alpha.parameters, isStrict: true, maxPixels: limits.pixels)
        }
        // Raw streams may not declare the size of their frames.
        while description.width < 1 || description.height < 1, ready.isEmpty, !isAtEnd { try decodeMore() }
        guard let first = ready.first else { return }
        description.width = first.width
        description.height = first.height
    }

    /// libavformat's name of the container.
    var formatName: String { demuxer.formatName }

    var declaredDuration: Double? { demuxer.declaredDuration }

    func next() throws -> DecodedFrame? {
        while ready.isEmpty || waitsForAlpha, !isAtEnd { try decodeMore() }
        guard !ready.isEmpty else { return nil }
        let frame = ready.removeFirst()
        try budget.takeFrame(width: frame.width, height: frame.height)
        // Containers such as MPEG-TS declare no ratio, and only the decoder knows it.
        if latestTime == nil { description.pixelAspect = demuxer.pixelAspect(of: frame) }
        let time = frame.bestTimestamp ?? (countsFrames ? latestTime.map { $0 + 1 } : nil)
        latestTime = time ?? latestTime
        let alpha = alphas.firstIndex { $0.bestTimestamp == frame.bestTimestamp }.map { alphas.remove(at: $0) }
        // Some decoders, such as that of QuickTime Animation, mark every frame as a keyframe.
        let isKey = frame.isKeyFrame && keyframes.remove(frame.bestTimestamp)
        return DecodedFrame(frame: frame, alpha: alpha, time: time, duration: frame.duration, isKey: isKey)
    }

    /// Seeks to the keyframe at a time and decodes it. Returns nil if decoding yields a different
    /// frame.
    func keyframe(at time: Int64) throws -> DecodedFrame? {
        try demuxer.seek(to: time)
        decoder.flush()
        alphaDecoder?.flush()
        ready = []
        alphas = []
        keyframes = KeyframeTimes()
        isAtEnd = false
        // With open GOPs, earlier frames may come first, whose references are missing.
        for _ in 0..<32 {
            let decoded: DecodedFrame?
            do { decoded = try next() } catch let error as FFmpegError where error.code == FFmpegError.invalidData {
                continue
            }
            guard let decoded, let found = decoded.time else { return nil }
            if found >= time { return found == time ? decoded : nil }
        }
        return nil
    }

    /// True if the alpha of the next frame is in packets that were not read yet.
    private var waitsForAlpha: Bool {
        guard alphaStream != nil, let next = ready.first, ready.count < Self.maxWaiting else { return false }
        return !alphas.contains { $0.bestTimestamp == next.bestTimestamp }
    }

    /// Adds decoded alpha. Only planes of 8 bits are read, which is all that AVIF files of
    /// animations have.
    private func add(alpha frames: [VideoFrame]) {
        alphas += frames
        if frames.contains(where: { $0.format.depth > 8 }) { alphaStream = nil }
    }

    private func decodeMore() throws {
        var packet: Packet?
        while let (next, isSelected) = try demuxer.readAny() {
            try budget.takePacket()
            if next.streamIndex == alphaStream { add(alpha: try alphaDecoder?.decode(next) ?? []) }
            guard isSelected else { continue }
            packet = next
            break
        }
        if packet == nil, alphaStream != nil { add(alpha: try alphaDecoder?.decode(nil) ?? []) }
        if packet?.isCorrupt == true {
            throw FFmpegError(
                code: FFmpegError.invalidData, operation: "read a packet", reason: "the packet is corrupt")
        }
        if let packet, Self.codecsWithSideAlpha.contains(description.codec), let alpha = try packet.alpha() {
            let decoder = try alphaDecoder ?? VideoDecoder(parameters, isStrict: true, maxPixels: limits.pixels)
            alphaDecoder = decoder
            alphas += try decoder.decode(alpha)
            // Drops the alpha of frames that were never shown.
            alphas.removeFirst(max(0, alphas.count - 8))
        }
        if let packet { keyframes.add(packet) }
        let frames = try decoder.decode(packet)
        try damageDetector?.check(packet, decodedTo: frames)
        ready += frames
        if description.profile == nil, !ready.isEmpty { description.profile = decoder.profileName }
        isAtEnd = packet == nil
    }
}

/// The times of the packets that a container marks as keyframes and whose frames were not decoded
/// yet.
struct KeyframeTimes {
    private var times: [Int64] = []
    /// True if a packet has no time, so that the decoder alone tells which frames are keyframes.
    private var hasUntimed = false

    /// The maximum number of waiting times: more than any decoder delays frames. A packet may have
    /// no frame.
    private static let maxCount = 256

    mutating func add(_ packet: Packet) {
        guard let time = packet.pts else {
            hasUntimed = true
            return
        }
        guard packet.isKeyFrame else { return }
        times.append(time)
        if times.count > Self.maxCount { times.removeFirst() }
    }

    /// Returns true if the container marks the frame at a time as a keyframe.
    mutating func remove(_ time: Int64?) -> Bool {
        guard let time, !hasUntimed else { return true }
        guard let index = times.firstIndex(of: time) else { return false }
        times.remove(at: index)
        return true
    }
}
