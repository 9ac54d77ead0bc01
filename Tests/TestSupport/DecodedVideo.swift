import Media
import Motion

/// A video file as the project's own demuxer and decoder read it.
public struct DecodedVideo {
    /// When each picture is shown, in seconds, in the order of presentation.
    public private(set) var times: [Rational] = []
    /// How long each picture is shown, in seconds, in the order of presentation, by the packets.
    public private(set) var durations: [Rational] = []
    /// The samples of each picture, plane after plane.
    public private(set) var samples: [[UInt8]] = []
    /// The pictures as straight RGBA, if they were asked for.
    public private(set) var pictures: [Picture] = []
    /// What the container says of the stream.
    public let parameters: CodecParameters
    /// The unit of its clock, in seconds.
    public let timeBase: Rational
    /// FFmpeg's name of the pictures' format.
    public private(set) var format = ""

    /// Decodes a whole file. Samples are kept of the frames that `keeps` names only.
    public init(path: String, rgba: Bool = false, keeps: (Int) -> Bool = { _ in true }) throws {
        let demuxer = try Demuxer(path: path)
        (parameters, timeBase) = (try demuxer.parameters(), demuxer.timeBase)
        let decoder = try VideoDecoder(parameters)
        var spans: [(pts: Int64, duration: Int64)] = []
        while true {
            let packet = try demuxer.read()
            if let packet { spans.append((packet.pts ?? -1, packet.duration)) }
            for frame in try decoder.decode(packet) { try add(frame, rgba: rgba, keeps: keeps(times.count)) }
            if packet == nil { break }
        }
        durations = spans.sorted { $0.pts < $1.pts }.map { timeBase * Rational(Int($0.duration)) }
    }

    private mutating func add(_ frame: VideoFrame, rgba: Bool, keeps: Bool) throws {
        times.append(timeBase * Rational(Int(frame.pts ?? -1)))
        format = frame.format.description
        samples.append(keeps ? frame.samples : [])
        if rgba, keeps { pictures.append(Picture(width: frame.width, height: frame.height, rgba: try frame.rgba())) }
    }
}

/// Straight RGBA pixels.
public struct Picture: Sendable {
    /// Width in pixels.
    public let width: Int
    /// Height in pixels.
    public let height: Int
    /// Four bytes a pixel, rows without padding.
    public let rgba: [UInt8]

    /// A picture from its pixels.
    public init(width: Int, height: Int, rgba: [UInt8]) { (self.width, self.height, self.rgba) = (width, height, rgba) }

    /// Red, green and blue at a pixel.
    public func color(_ x: Int, _ y: Int) -> [Int] { (0..<3).map { Int(rgba[4 * (y * width + x) + $0]) } }
}

extension VideoFrame {
    /// The bytes of all planes of a planar picture, rows without padding.
    public var samples: [UInt8] {
        var samples: [UInt8] = []
        for index in 0..<4 {
            guard let plane = plane(index) else { break }
            let isChroma = index == 1 || index == 2
            let count = format.bytesPerRow(ofPlane: index, width: width)
            for y in 0..<(isChroma ? height / format.verticalStep : height) {
                samples.append(contentsOf: UnsafeBufferPointer(start: plane.data + y * plane.stride, count: count))
            }
        }
        return samples
    }
}
