import CLibAV

/// A container of one video stream with optional captions and audio, or an animated image format.
public enum Container: String, CaseIterable, Sendable {
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

    /// The container for a file name's extension, ignoring case; nil if the extension is unknown.
    public init?(ofFile path: String) {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return nil }
        self.init(rawValue: name[dot...].dropFirst().lowercased())
    }

    /// Returns a list of all containers for messages, such as `mp4, mov, m4v, mkv or webm`.
    ///
    /// - Parameter prefix: the prefix of each name, such as a dot.
    public static func listed(prefix: String = "") -> String {
        let names = allCases.map { prefix + $0.rawValue }
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    /// FFmpeg's name of the muxer.
    public var muxerName: String {
        switch self {
        case .mkv: "matroska"
        case .m4v: "ipod"
        case .mp4, .mov, .webm, .gif, .apng, .webp: rawValue
        }
    }

    /// Returns true if the container supports a codec, by FFmpeg's codec name.
    public func supports(codec name: String) -> Bool {
        // Each animated image format has a codec of the same name, which no other container
        // supports.
        if isAnimation || Container(rawValue: name)?.isAnimation ?? false { return name == rawValue }
        // FFmpeg lists these codecs for QuickTime, too, but refuses to write them.
        if self == .mov, ["vp8", "vp9", "av1", "opus"].contains(name) { return false }
        guard let muxer = av_guess_format(muxerName, nil, nil), let codec = avcodec_descriptor_get_by_name(name) else {
            return false
        }
        return avformat_query_codec(muxer, codec.pointee.id, FF_COMPLIANCE_NORMAL) == 1
    }

    /// True for containers derived from QuickTime, which have an arbitrary time base and timed text
    /// captions.
    var isQuickTime: Bool { [.mp4, .mov, .m4v].contains(self) }

    /// True for animated image formats, which have a fixed time base and a loop count, but no
    /// audio, captions or chapters.
    public var isAnimation: Bool { [.gif, .apng, .webp].contains(self) }

    /// The video containers, which support several tracks.
    public static let videos = allCases.filter { !$0.isAnimation }

    /// Returns true if the container requires a seekable sink, since its header contains the file
    /// size or the frame count.
    ///
    /// - Parameter hasLongFrames: true if equal frames are merged, so that the number of stored
    ///   frames is not known in advance.
    public func needsSeeking(hasLongFrames: Bool) -> Bool { self == .webp || self == .apng && hasLongFrames }

    /// True if the codec's header goes into the container instead of the packets.
    public var usesGlobalHeader: Bool {
        av_guess_format(muxerName, nil, nil).map { $0.pointee.flags & AVFMT_GLOBALHEADER != 0 } ?? false
    }
}
