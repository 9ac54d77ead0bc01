import CLibAV

/// A container of one video stream and of what goes with it, or an animated picture.
public enum Container: String, CaseIterable, Sendable {
    /// MPEG-4 part 14.
    case mp4
    /// QuickTime.
    case mov
    /// MP4 as Apple's programs name films: H.264 and MPEG-4 video only.
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

    /// The container that a file's name asks for by its ending, in letters of any size; nil if it asks for none of these.
    public init?(ofFile path: String) {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return nil }
        self.init(rawValue: name[dot...].dropFirst().lowercased())
    }

    /// All of them in words, such as `mp4, mov, m4v, mkv or webm`.
    ///
    /// - Parameter prefix: what stands before each, such as a dot.
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

    /// Whether the container's standard has a place for a codec, by FFmpeg's codec name.
    public func holds(codec name: String) -> Bool {
        // The codecs of animated pictures are called as they are, and are nowhere else.
        if isAnimation || Container(rawValue: name)?.isAnimation ?? false { return name == rawValue }
        // FFmpeg lists these for QuickTime as well, and refuses to write them.
        if self == .mov, ["vp8", "vp9", "av1", "opus"].contains(name) { return false }
        guard let muxer = av_guess_format(muxerName, nil, nil), let codec = avcodec_descriptor_get_by_name(name) else {
            return false
        }
        return avformat_query_codec(muxer, codec.pointee.id, FF_COMPLIANCE_NORMAL) == 1
    }

    /// Whether it is of QuickTime's family, whose clocks are as fine as one likes and whose captions are timed text.
    var isQuickTime: Bool { [.mp4, .mov, .m4v].contains(self) }

    /// Whether it is an animated picture: with a clock of its own, played in a loop, without sound, captions and chapters.
    public var isAnimation: Bool { [.gif, .apng, .webp].contains(self) }

    /// The containers of video, which hold what goes with it.
    public static let videos = allCases.filter { !$0.isAnimation }

    /// Whether it can be written only where one can go back: its length, or the number of its pictures, stands at its
    /// beginning.
    ///
    /// - Parameter hasLongFrames: whether equal pictures become one, so that their number is not known before.
    public func needsSeeking(hasLongFrames: Bool) -> Bool { self == .webp || self == .apng && hasLongFrames }

    /// Whether the codec's header goes into the container.
    public var usesGlobalHeader: Bool {
        av_guess_format(muxerName, nil, nil).map { $0.pointee.flags & AVFMT_GLOBALHEADER != 0 } ?? false
    }
}
