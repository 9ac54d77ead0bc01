import Analysis
import Media
import Motion

/// A decoded picture, and when it is shown.
struct StreamPicture {
    /// Its pixels, in whatever format the decoder gives.
    let frame: VideoFrame
    /// The picture whose luma is its transparency, where that goes beside it.
    let alpha: VideoFrame?
    /// When it is shown, in units of the stream's clock; nil if nobody knows.
    let time: Int64?
    /// How long it is shown in the same units; 0 if nobody knows.
    let duration: Int64
    /// Whether decoding can begin with it.
    let isKey: Bool

    /// Whether its pixels can be transparent.
    var hasAlpha: Bool { alpha != nil || frame.format.hasAlpha || frame.format.isPaletted }
}

/// What a file's stream of pictures says of itself.
struct StreamDescription {
    /// FFmpeg's name of the codec.
    var codec = ""
    /// Width of the pictures in pixels.
    var width = 0
    /// Height of the pictures in pixels.
    var height = 0
    /// The unit of its times in seconds.
    var clock = 1.0
    /// Pictures a second as the container says it; nil if it says nothing.
    var saidRate: Double?
    /// How many pictures the container says there are.
    var saidFrames: Int?
    /// What the container says of colours.
    var colors: ColorTags?
    /// Width of a pixel by its height; 0 if nothing is said.
    var pixelAspect = 0.0
    /// Whether the container says that there is transparency beside the pictures.
    var saysAlpha = false
    /// Whether decoding gives back the very pixels that were encoded, whatever the stream's settings are.
    var isLossless = false
}

/// Reads the pictures of a clip one after the other, never more than one at a time.
protocol PictureStream: AnyObject {
    /// What is known before the first picture.
    var description: StreamDescription { get }
    /// The next picture; nil at the end. Throws `FFmpegError` where it is damaged, `RenderError` beyond the limits.
    func next() throws -> StreamPicture?
    /// How long the container says the clip is, in seconds from its first picture; nil if it says nothing. To be asked at the end.
    var saidDuration: Double? { get }
}

/// Opens the pictures of a file.
enum PictureStreams {
    static func open(_ file: InputFile, _ structure: FileStructure, _ limits: ClipLimits) throws -> any PictureStream {
        structure.kind == .webp
            ? try WebPStream(file, limits) : try LibAVStream(file, limits)
    }
}

/// What libav decodes.
final class LibAVStream: PictureStream {
    private(set) var description = StreamDescription()
    private let demuxer: Demuxer
    private let decoder: VideoDecoder
    private var alphaDecoder: VideoDecoder?
    private var alphas: [VideoFrame] = []
    private let parameters: CodecParameters
    private let limits: ClipLimits
    private var budget: ClipBudget
    private var ready: [VideoFrame] = []
    private var isAtEnd = false

    /// Codecs that keep all they are given.
    private static let lossless: Set = [
        "gif", "apng", "png", "ffv1", "qtrle", "rawvideo", "huffyuv", "ffvhuff", "utvideo",
    ]
    /// Codecs whose transparency is a stream of its own beside them.
    private static let codecsWithSideAlpha: Set = ["vp8", "vp9"]

    init(_ file: InputFile, _ limits: ClipLimits) throws {
        demuxer = try Demuxer(file)
        parameters = try demuxer.parameters()
        decoder = try VideoDecoder(parameters, isStrict: true, mostPixels: limits.pixels)
        (self.limits, budget) = (limits, ClipBudget(limits, for: file))
        description.codec = parameters.codecName
        (description.width, description.height) = (parameters.width, parameters.height)
        description.clock = demuxer.timeBase.double
        description.saidRate = demuxer.averageFrameRate?.double
        description.saidFrames = demuxer.saidFrameCount
        description.colors = parameters.colorTags
        description.pixelAspect = parameters.pixelAspect
        description.saysAlpha = demuxer.saysAlpha
        description.isLossless = Self.lossless.contains(description.codec)
        // Streams by themselves may not say how large their pictures are.
        while description.width < 1 || description.height < 1, ready.isEmpty, !isAtEnd { try decodeMore() }
        guard let first = ready.first else { return }
        (description.width, description.height) = (first.width, first.height)
    }

    /// libavformat's name of the container.
    var formatName: String { demuxer.formatName }

    var saidDuration: Double? { demuxer.duration ?? demuxer.wholeDuration?.promised }

    func next() throws -> StreamPicture? {
        while ready.isEmpty, !isAtEnd { try decodeMore() }
        guard !ready.isEmpty else { return nil }
        let frame = ready.removeFirst()
        try budget.takePicture(width: frame.width, height: frame.height)
        let alpha = alphas.firstIndex { $0.bestTimestamp == frame.bestTimestamp }.map { alphas.remove(at: $0) }
        return StreamPicture(
            frame: frame, alpha: alpha, time: frame.bestTimestamp, duration: frame.duration, isKey: frame.isKeyFrame)
    }

    /// Goes to the key frame at an instant and decodes it alone. Nil if what comes first is another.
    func picture(at time: Int64) throws -> StreamPicture? {
        try demuxer.seek(to: time)
        decoder.flush()
        alphaDecoder?.flush()
        (ready, alphas, isAtEnd) = ([], [], false)
        // What was open at the seek may come before it.
        for _ in 0..<32 {
            guard let picture = try next(), let found = picture.time else { return nil }
            if found >= time { return found == time ? picture : nil }
        }
        return nil
    }

    private func decodeMore() throws {
        var packet: Packet?
        while let (next, isVideo) = try demuxer.readAny() {
            try budget.takePacket()
            guard isVideo else { continue }
            packet = next
            break
        }
        if packet?.isCorrupt == true {
            throw FFmpegError(code: FFmpegError.invalidData, operation: "read a packet", reason: "it is damaged")
        }
        if let packet, Self.codecsWithSideAlpha.contains(description.codec), let alpha = try packet.alpha() {
            let decoder = try alphaDecoder ?? VideoDecoder(parameters, isStrict: true, mostPixels: limits.pixels)
            alphaDecoder = decoder
            alphas += try decoder.decode(alpha)
            // Those of pictures that were never shown.
            alphas.removeFirst(max(0, alphas.count - 8))
        }
        ready += try decoder.decode(packet)
        isAtEnd = packet == nil
    }
}
