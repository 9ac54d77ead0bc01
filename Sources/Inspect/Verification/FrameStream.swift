import Core
import Media

/// The properties that a video stream declares.
struct StreamDescription {
    /// FFmpeg's name of the codec.
    var codec = ""
    /// The width of the frames in pixels.
    var width = 0
    /// The height of the frames in pixels.
    var height = 0
    /// The time base in seconds.
    var clock = 1.0
    /// The declared frame rate; nil if there is none.
    var declaredRate: Double?
    /// True if the time base is the duration of a frame.
    var declaresUnitClock: Bool { declaredRate.map { abs($0 * clock - 1) < 1e-6 } ?? false }
    /// The declared number of frames; nil if there is none.
    var declaredFrameCount: Int?
    /// The colour tags of the container; nil if there are none.
    var colors: ColorTags?
    /// The pixel aspect ratio, width by height; 1 if undeclared.
    var pixelAspect = 1.0
    /// The angle by which players rotate the frames clockwise, in 0..<360 degrees.
    var rotation = 0
    /// True if players mirror the frames horizontally before they rotate them.
    var isMirrored = false
    /// True if the container declares alpha beside the video.
    var declaresAlpha = false
    /// True if a second video stream has the alpha.
    var hasAlphaStream = false
    /// True if the codec is lossless with any settings.
    var isLossless = false
    /// True if all streams of the container have the same time base.
    var sharesClock = false
    /// The timecode of the first frame in the container; nil if there is none.
    var timecode: String?
    /// FFmpeg's name of the codec's profile; nil if it has none. Valid after the first frame.
    var profile: String?
}

/// A source of a clip's decoded frames in display order, one at a time.
protocol FrameStream: AnyObject {
    /// The properties that are known before the first frame.
    var description: StreamDescription { get }
    /// Returns the next frame; nil at the end. Throws `FFmpegError` for damaged data and
    /// `LoadervidError` if a limit is exceeded.
    func next() throws -> DecodedFrame?
    /// The declared duration in seconds from the first frame; nil if there is none. Only valid at
    /// the end.
    var declaredDuration: Double? { get }
}

/// A factory that opens the frame stream of a file.
package enum FrameStreams {
    /// Opens the stream of a file.
    ///
    /// - Parameter findsDamage: true to look for damaged data that the decoder accepts, which takes
    ///   about twice the time.
    static func open(
        _ file: InputFile, _ structure: FileStructure, _ limits: ClipLimits, findsDamage: Bool = false
    ) throws -> any FrameStream {
        structure.kind == .webp
            ? try WebPStream(file, limits)
            : try LibAVStream(file, limits, hasAlphaStream: structure.isAVIF, findsDamage: findsDamage)
    }

    /// Returns FFmpeg's name of the codec of a file's video; nil if the file cannot be read.
    package static func codec(of path: String, _ limits: ClipLimits) -> String? {
        guard let file = try? InputFile.clip(path: path), let structure = try? FileStructure(file) else { return nil }
        return try? open(file, structure, limits).description.codec
    }
}
