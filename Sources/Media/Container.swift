import CLibAV
import Core

/// A container of one video stream with optional captions and audio, an animated image format, a
/// sequence of image files, or frames without compression.
public enum Container: String, CaseIterable, Sendable, CustomStringConvertible {
    /// MPEG-4 part 14.
    case mp4
    /// QuickTime.
    case mov
    /// MP4 by Apple's file name extension for video: H.264 and MPEG-4 only.
    case m4v
    /// Matroska.
    case mkv
    /// WebM.
    case webm
    /// GIF.
    case gif
    /// Animated PNG.
    case apng
    /// Animated WebP.
    case webp
    /// AVIF, still or animated.
    case avif
    /// Numbered PNG files of 8 bits.
    case pngSequence = "png-sequence"
    /// Numbered TIFF files of 16 bits.
    case tiffSequence = "tiff-sequence"
    /// Numbered WebP files.
    case webpSequence = "webp-sequence"
    /// Numbered JPEG files.
    case jpegSequence = "jpeg-sequence"
    /// YUV4MPEG2: frames without compression, each after a short header.
    case y4m
    /// Frames without compression and without any header.
    case rawvideo

    /// The format's name, such as `png-sequence`.
    public var description: String { rawValue }

    /// The container for a file name's extension, ignoring case; nil if the extension is unknown. A
    /// number such as `%04d` in the name makes `.webp` a sequence.
    public init?(ofFile path: String) {
        let name = String(path.split(separator: "/").last ?? "")
        let ending = path.fileExtension
        if let sequence = Container.sequences[ending], ending != "webp" || FramePattern.isLikely(name) {
            self = sequence
        } else {
            self.init(rawValue: ending)
            if isFrameSequence { return nil }
        }
    }

    /// The containers of sequences by the file extensions of their frames.
    private static let sequences: [String: Container] = [
        "png": .pngSequence, "tif": .tiffSequence, "tiff": .tiffSequence, "webp": .webpSequence,
        "jpg": .jpegSequence, "jpeg": .jpegSequence,
    ]

    /// The file extensions of the frames of sequences, in lower case.
    package static var sequenceExtensions: Set<String> { Set(sequences.keys) }

    /// True for numbered image files, one for each frame.
    public var isFrameSequence: Bool { Container.sequences.values.contains(self) }

    /// True for frames without compression.
    public var isRaw: Bool { [.y4m, .rawvideo].contains(self) }

    /// Returns the default file name of a clip: a file, or a directory with a pattern for frames.
    ///
    /// - Parameter stem: the clip's name without an extension.
    public func fileName(stem: String) -> String {
        switch self {
        case .pngSequence: "\(stem)/%04d.png"
        case .tiffSequence: "\(stem)/%04d.tif"
        case .webpSequence: "\(stem)/%04d.webp"
        case .jpegSequence: "\(stem)/%04d.jpg"
        case .mp4, .mov, .m4v, .mkv, .webm, .gif, .apng, .webp, .avif, .y4m, .rawvideo: "\(stem).\(rawValue)"
        }
    }

    /// FFmpeg's name of the muxer.
    public var muxerName: String {
        switch self {
        case .mkv: "matroska"
        case .m4v: "ipod"
        case .y4m: "yuv4mpegpipe"
        case .pngSequence, .tiffSequence, .webpSequence, .jpegSequence: "image2"
        case .mp4, .mov, .webm, .gif, .apng, .webp, .avif, .rawvideo: rawValue
        }
    }

    /// Returns true if the container supports a codec, by FFmpeg's codec name.
    public func supports(codec name: String) -> Bool {
        // Each animated image format has a codec of the same name, which no other container
        // supports.
        if isAnimatedImage || Container(rawValue: name)?.isAnimatedImage ?? false, !isFrameSequence {
            return name == rawValue
        }
        if let codecName = CodecProfile.only(in: self)?.codecName { return name == codecName }
        // FFmpeg lists these codecs for QuickTime, too, but refuses to write them.
        if self == .mov, ["vp8", "vp9", "av1", "opus"].contains(name) { return false }
        // FFmpeg 5.1 calls FLAC in MP4 experimental, and refuses it in MOV.
        if [.mp4, .m4v, .mov].contains(self), name == "flac" { return false }
        guard let muxer = av_guess_format(muxerName, nil, nil), let codec = avcodec_descriptor_get_by_name(name) else {
            return false
        }
        return avformat_query_codec(muxer, codec.pointee.id, FF_COMPLIANCE_NORMAL) == 1
    }

    /// True for containers derived from QuickTime, which have an arbitrary time base and timed text
    /// captions.
    var isQuickTime: Bool { [.mp4, .mov, .m4v].contains(self) }

    /// True if the container supports a timecode track.
    public var supportsTimecode: Bool { [.mp4, .mov].contains(self) }

    /// True for animated image formats, which have a fixed time base and a loop count, but no
    /// audio, captions or chapters.
    public var isAnimatedImage: Bool { [.gif, .apng, .webp].contains(self) }

    /// The video containers, which support several tracks.
    public static let videos: [Container] = [.mp4, .mov, .m4v, .mkv, .webm]

    /// True for the video containers, which support several tracks.
    public var isVideo: Bool { Container.videos.contains(self) }

    /// Returns true if the container requires a seekable sink, since its header contains the file
    /// size or the frame count.
    ///
    /// - Parameter hasLongFrames: true if equal frames are merged, so that the number of stored
    ///   frames is not known in advance.
    public func needsSeeking(hasLongFrames: Bool) -> Bool {
        [.webp, .avif].contains(self) || self == .apng && hasLongFrames
    }

    /// True if the codec's header goes into the container instead of the packets.
    public var usesGlobalHeader: Bool {
        av_guess_format(muxerName, nil, nil).map { $0.pointee.flags & AVFMT_GLOBALHEADER != 0 } ?? false
    }
}
