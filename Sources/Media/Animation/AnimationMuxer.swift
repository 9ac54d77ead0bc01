import CLibAV
import Motion

/// What an animated picture's file says of all its pictures.
struct AnimationHead {
    /// Width in pixels.
    let width: Int
    /// Height in pixels.
    let height: Int
    /// The format of the pictures that were encoded.
    let pixelFormat: PixelFormat
    /// What the pictures' red, green and blue are.
    let gamut: ColorGamut
    /// How many times it plays; nil for without end.
    let plays: Int?
    /// How many pictures it has, if that is known before.
    let pictureCount: Int?
}

/// A format of animated pictures: how a file of it begins, what stands around a picture, and how it ends.
protocol AnimationFile {
    /// The file's beginning.
    mutating func beginning() -> [UInt8]
    /// What a packet becomes that is shown for so many ticks of the container's clock.
    mutating func picture(_ packet: UnsafeBufferPointer<UInt8>, delay: Int) -> [UInt8]
    /// The file's end.
    mutating func end() -> [UInt8]
    /// What stands at places that were written before, once all is known, in a file of so many bytes; nothing if it was
    /// known before.
    func corrections(fileSize: Int) throws(FFmpegError) -> [(offset: Int, bytes: [UInt8])]
}

/// Writes the packets of an animated picture into a file.
///
/// Not for use from two threads at once.
public final class AnimationMuxer: PacketMuxer {
    private let sink: any ByteSink
    private let clock: AnimationClock
    private var file: any AnimationFile
    private var buffer: [UInt8] = []
    private var byteCount = 0

    private static let bufferSize = 1 << 16

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - container: an animated picture that takes the frame rate.
    ///   - sink: where the file goes; where it cannot seek, only what `Container.needsSeeking` allows is possible.
    ///   - parameters: what the encoder says of the pictures.
    ///   - frameRate: frames a second, the unit of the packets' times.
    ///   - gamut: what the pictures' red, green and blue are; APNG alone can say that they are not sRGB's.
    ///   - plays: how many times it plays, 1...65535; nil for without end.
    ///   - pictureCount: how many pictures there will be, if that is known.
    public init(
        _ container: Container, to sink: any ByteSink, parameters: CodecParameters, frameRate: FrameRate,
        gamut: ColorGamut = .bt709, plays: Int? = nil, pictureCount: Int? = nil
    ) throws {
        let head = AnimationHead(
            width: parameters.width, height: parameters.height, pixelFormat: parameters.pixelFormat, gamut: gamut,
            plays: plays, pictureCount: pictureCount)
        file = try AnimationMuxer.file(container, head)
        (self.sink, clock) = (sink, AnimationClock(container, frameRate))
        try append(file.beginning())
    }

    private static func file(_ container: Container, _ head: AnimationHead) throws(FFmpegError) -> any AnimationFile {
        switch container {
        case .apng: return APNGFile(head)
        case .webp: return WebPFile(head)
        case .gif, .mp4, .mov, .m4v, .mkv, .webm:
            throw FFmpegError(
                code: LV_ERROR_INVALIDDATA, operation: "open muxer \(container)", reason: "it is no animated picture")
        }
    }

    public func write(_ packet: Packet, pts: Int, dts: Int, duration: Int) throws {
        try append(file.picture(packet.bytes, delay: clock.delay(of: pts..<pts + duration)))
    }

    public func finish() throws {
        try append(file.end())
        try flush()
        for (offset, bytes) in try file.corrections(fileSize: byteCount) {
            try sink.seek(to: Int64(offset))
            try bytes.withUnsafeBytes { try sink.write($0) }
        }
    }

    private func append(_ bytes: [UInt8]) throws {
        buffer += bytes
        if buffer.count >= AnimationMuxer.bufferSize { try flush() }
    }

    private func flush() throws {
        guard !buffer.isEmpty else { return }
        try buffer.withUnsafeBytes { try sink.write($0) }
        byteCount += buffer.count
        buffer.removeAll(keepingCapacity: true)
    }
}
