import Motion
import Media

/// What is known of a clip, and what is wrong with it.
public struct Certificate: Sendable, Encodable {
    /// What the colours are said to be; nil is what nothing says.
    public struct Colors: Sendable, Encodable {
        /// How luma and chroma are made, which primaries are meant, and how codes become light, by FFmpeg's names.
        public var matrix, primaries, transfer: String?
        /// `tv` or `pc`.
        public var range: String?
    }

    /// Transparency.
    public struct Alpha: Sendable, Encodable {
        /// Whether the format has a place for it.
        public var isPresent: Bool
        /// Whether any pixel is transparent.
        public var isUsed: Bool
        /// `straight`, `premultiplied` or `unknown`, by how colours look at edges; nil if it is not used.
        public var kind: String?
    }

    /// The file.
    public let file: String
    /// The container in words, such as `MP4`.
    public internal(set) var container = ""
    /// FFmpeg's name of the codec.
    public internal(set) var codec = ""
    /// FFmpeg's name of the pictures' format.
    public internal(set) var pixelFormat = ""
    /// Size of the pictures in pixels.
    public internal(set) var width = 0, height = 0
    /// Pictures a second; nil if they have no even distance.
    public internal(set) var rate: Double?
    /// How many pictures there are.
    public internal(set) var frames = 0
    /// How long all are shown, in seconds.
    public internal(set) var duration = 0.0
    /// Size in bytes.
    public internal(set) var bytes = 0
    /// What is said of colours; nil for red, green and blue.
    public internal(set) var colors: Colors?
    /// Transparency.
    public internal(set) var alpha = Alpha(isPresent: false, isUsed: false, kind: nil)
    /// How often it is played by its own word, 0 without end; nil if its container has none.
    public internal(set) var plays: Int?
    /// Key frames, and how many of them were gone to.
    public internal(set) var keyFrames = 0, keyFramesSought = 0
    /// Whether what players need first comes first; nil where that is no question.
    public internal(set) var isFastStart: Bool?
    /// PSNR of the worst picture beside the expected one, in dB; nil if nothing was expected, or all are equal.
    public internal(set) var worstPSNR: Double?
    /// Whether pictures were compared with expected ones.
    public internal(set) var isCompared = false
    /// What there is to say, the worst first.
    public internal(set) var findings: [Finding] = []

    init(file: String) { self.file = file }

    /// A certificate that says why a file cannot be read.
    public init(file: String, unreadable reason: String) {
        self.init(file: file)
        findings = [Finding(.unreadable, .error, reason)]
    }

    /// Whether nothing is wrong.
    public var isRight: Bool { !findings.contains { $0.severity == .error } }
    /// Whether the file is not whole, or cannot be read.
    public var isDamaged: Bool { findings.contains { $0.id.isDamage && $0.severity == .error } }
    /// How many findings are as bad as this.
    public func count(_ severity: Finding.Severity) -> Int { findings.count { $0.severity == severity } }

    private enum CodingKeys: String, CodingKey {
        case file, isRight, container, codec, pixelFormat, width, height, rate, frames, duration, bytes, colors, alpha
        case plays, keyFrames, keyFramesSought, isFastStart, isCompared, worstPSNR, findings
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(file, forKey: .file)
        try values.encode(isRight, forKey: .isRight)
        try values.encode(findings, forKey: .findings)
        guard !codec.isEmpty else { return }
        try values.encode(container, forKey: .container)
        try values.encode(codec, forKey: .codec)
        try values.encode(pixelFormat, forKey: .pixelFormat)
        try values.encode(width, forKey: .width)
        try values.encode(height, forKey: .height)
        try values.encodeIfPresent(rate?.millionths, forKey: .rate)
        try values.encode(frames, forKey: .frames)
        try values.encode(duration.millionths, forKey: .duration)
        try values.encode(bytes, forKey: .bytes)
        try values.encodeIfPresent(colors, forKey: .colors)
        try values.encode(alpha, forKey: .alpha)
        try values.encodeIfPresent(plays, forKey: .plays)
        try values.encode(keyFrames, forKey: .keyFrames)
        try values.encode(keyFramesSought, forKey: .keyFramesSought)
        try values.encodeIfPresent(isFastStart, forKey: .isFastStart)
        try values.encode(isCompared, forKey: .isCompared)
        try values.encodeIfPresent(worstPSNR?.thousandths, forKey: .worstPSNR)
    }
}
