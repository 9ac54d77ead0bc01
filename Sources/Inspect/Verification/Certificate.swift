import Core
import Media
import Render

/// The properties and findings of a verified clip.
package struct Certificate: Sendable, Encodable {
    /// The declared colour properties. Nil means undeclared.
    package struct Colors: Sendable, Encodable {
        /// FFmpeg's names of the matrix, the primaries and the transfer characteristics.
        package var matrix, primaries, transfer: String?
        /// The range, `tv` or `pc`.
        package var range: String?
    }

    /// The transparency of a clip.
    package struct Alpha: Sendable, Encodable {
        /// True if the pixel format has alpha.
        package var isPresent: Bool
        /// True if any pixel is transparent.
        package var isUsed: Bool
        /// `straight`, `premultiplied` or `unknown`, from the colours at edges; nil if no pixel is
        /// transparent.
        package var kind: String?
    }

    /// The path of the file.
    package let file: String
    /// The name of the container, such as `MP4`.
    package internal(set) var container = ""
    /// FFmpeg's name of the codec.
    package internal(set) var codec = ""
    /// FFmpeg's name of the pixel format.
    package internal(set) var pixelFormat = ""
    /// The dimensions of the frames in pixels.
    package internal(set) var width = 0, height = 0
    /// Frames per second; nil if the frames have no regular interval.
    package internal(set) var rate: Double?
    /// The number of frames.
    package internal(set) var frames = 0
    /// The total duration in seconds.
    package internal(set) var duration = 0.0
    /// The file size in bytes.
    package internal(set) var bytes = 0
    /// The declared colour properties; nil for RGB.
    package internal(set) var colors: Colors?
    /// The transparency.
    package internal(set) var alpha = Alpha(isPresent: false, isUsed: false, kind: nil)
    /// The loop count of an animated image, 0 for endless; nil if the container has none.
    package internal(set) var plays: Int?
    /// The number of keyframes, and the number of those that were verified by seeking.
    package internal(set) var keyFrames = 0, keyFramesSought = 0
    /// True if the index precedes the media data; nil for containers without that distinction.
    package internal(set) var isFastStart: Bool?
    /// The PSNR of the worst frame in dB; nil without a comparison, or if all frames are equal.
    package internal(set) var worstPSNR: Double?
    /// True if the frames were compared with expected ones.
    package internal(set) var isCompared = false
    /// The findings, the most severe first.
    package internal(set) var findings: [Finding] = []

    init(file: String) { self.file = file }

    /// Creates a certificate for a file that cannot be read.
    package init(file: String, unreadable error: LoadervidError) {
        self.init(file: file)
        findings = [Finding(.unreadable, .error, error.description)]
        unreadableKind = error.kind
    }

    private var unreadableKind: LoadervidError.Kind?

    /// The error kind for a file that is missing, damaged or unreadable; nil for all others.
    package var errorKind: LoadervidError.Kind? { unreadableKind ?? (isDamaged ? .badData : nil) }

    /// True if there are no errors.
    package var isRight: Bool { !findings.contains { $0.severity == .error } }
    /// True if the file is truncated, damaged or unreadable.
    package var isDamaged: Bool { findings.contains { $0.id.isDamage && $0.severity == .error } }
    /// True if no frame differs from the expected ones in its content or time.
    package var showsExpectedFrames: Bool {
        !findings.contains { [.expectedPicture, .expectedTimes, .expectedFrames].contains($0.id) }
    }
    /// Returns the number of findings with a severity.
    package func count(_ severity: Finding.Severity) -> Int { findings.count { $0.severity == severity } }

    private enum CodingKeys: String, CodingKey {
        case file, isRight, kind, container, codec, pixelFormat, width, height, rate, frames, duration, bytes, colors,
            alpha
        case plays, keyFrames, keyFramesSought, isFastStart, isCompared, worstPSNR, findings
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(file, forKey: .file)
        try values.encode(isRight, forKey: .isRight)
        try values.encodeIfPresent(errorKind, forKey: .kind)
        try values.encode(findings, forKey: .findings)
        guard !container.isEmpty else { return }
        try values.encode(container, forKey: .container)
        // Vector graphics have neither.
        if !codec.isEmpty { try values.encode(codec, forKey: .codec) }
        if !pixelFormat.isEmpty { try values.encode(pixelFormat, forKey: .pixelFormat) }
        try values.encode(width, forKey: .width)
        try values.encode(height, forKey: .height)
        try values.encodeIfPresent(rate?.roundedToMillionths, forKey: .rate)
        try values.encode(frames, forKey: .frames)
        try values.encode(duration.roundedToMillionths, forKey: .duration)
        try values.encode(bytes, forKey: .bytes)
        try values.encodeIfPresent(colors, forKey: .colors)
        try values.encode(alpha, forKey: .alpha)
        try values.encodeIfPresent(plays, forKey: .plays)
        try values.encode(keyFrames, forKey: .keyFrames)
        try values.encode(keyFramesSought, forKey: .keyFramesSought)
        try values.encodeIfPresent(isFastStart, forKey: .isFastStart)
        try values.encode(isCompared, forKey: .isCompared)
        try values.encodeIfPresent(worstPSNR?.roundedToThousandths, forKey: .worstPSNR)
    }
}
