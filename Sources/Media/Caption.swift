import CLibAV
import Core

/// A text that is shown or spoken during a time span.
public struct Caption: Sendable, Hashable {
    /// The text, which may have several lines.
    public var text: String
    /// The start time in seconds.
    public var start: Rational
    /// The end time in seconds.
    public var end: Rational

    /// A text from `start` to `end` (seconds).
    public init(_ text: String, start: Rational, end: Rational) {
        self.text = text
        self.start = start
        self.end = end
    }

    /// The lines as all caption formats support them: split at every kind of line break, with
    /// spaces in place of other control characters, and without blank lines, which would end a cue
    /// of WebVTT.
    public var lines: [String] {
        let unified = text.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar {
            case "\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}": "\n"
            default: scalar.properties.generalCategory == .control ? " " : scalar
            }
        }
        return unified.split(separator: "\n").filter { $0.contains { !$0.properties.isWhitespace } }
            .map { String(String.UnicodeScalarView($0)) }
    }

    /// The lines, joined by line feeds.
    var plainText: String { lines.joined(separator: "\n") }
}

/// A caption track of a clip.
public struct CaptionTrack: Sendable, Hashable {
    /// The captions in time order, without overlaps.
    public var captions: [Caption]
    /// The language as an ISO 639-2/T code, such as `eng` or `zho`; nil if unknown.
    public var language: String?
    /// The duration of the clip in seconds.
    public var length: Rational

    /// A caption track of a clip of `length` seconds.
    public init(_ captions: [Caption], language: String? = nil, length: Rational) {
        self.captions = captions
        self.language = language
        self.length = length
    }
}

/// A stream of captions in a container.
final class CaptionStream: SideStream {
    /// The contents of a packet; empty text fills the gap between captions.
    private struct Cue {
        let text: String
        let start: Rational
        let end: Rational
    }

    let stream: UnsafeMutablePointer<AVStream>
    private let isWebVTT: Bool
    private var remainingCues: ArraySlice<Cue>

    /// Adds the track to a container before its header is written.
    ///
    /// - Parameters:
    ///   - video: the video stream, with its parameters already set.
    ///   - soundClock: the audio sample rate in Hz; 0 without audio.
    init(
        _ track: CaptionTrack, in context: UnsafeMutablePointer<AVFormatContext>, _ container: Container,
        beside video: UnsafeMutablePointer<AVStream>, soundClock: Int32
    ) throws(FFmpegError) {
        stream = try unwrap(avformat_new_stream(context, nil), "add captions")
        isWebVTT = !container.isQuickTime
        remainingCues = CaptionStream.cues(of: track, fillsGaps: !isWebVTT)[...]
        stream.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
        stream.pointee.disposition |= AV_DISPOSITION_DEFAULT
        if let language = track.language.map({ CaptionStream.language($0, in: container) }) {
            av_dict_set(&stream.pointee.metadata, "language", language, 0)
        }
        guard !isWebVTT else {
            stream.pointee.codecpar.pointee.codec_id = AV_CODEC_ID_WEBVTT
            return
        }
        let videoParameters = video.pointee.codecpar.pointee
        stream.pointee.codecpar.pointee.codec_id = AV_CODEC_ID_MOV_TEXT
        stream.pointee.codecpar.pointee.codec_tag = LV_TAG_TX3G
        stream.pointee.codecpar.pointee.width = videoParameters.width
        stream.pointee.codecpar.pointee.height = videoParameters.height
        try stream.setHeader(
            TimedText.sampleDescription(width: Int(videoParameters.width), height: Int(videoParameters.height)))
        // FFmpeg's muxer compares the end of a caption with the start of other streams' packets as
        // plain numbers, without converting time bases, and writes an empty sample if the end looks
        // late. So captions use the finest time base of all streams. The muxer doubles the video's
        // timescale up to 10,000 or more; a multiple of that makes times at frames exact.
        var videoTimescale = video.pointee.time_base.den
        while videoTimescale < 10_000 { videoTimescale *= 2 }
        let minTimescale = max(videoTimescale, soundClock)
        let timescale = (minTimescale + videoTimescale - 1) / videoTimescale * videoTimescale
        stream.pointee.time_base = av_make_q(1, timescale)
    }

    /// Returns the language code that a container uses. Matroska uses ISO 639-2/B codes. FFmpeg
    /// maps some of them to QuickTime's language numbers, such as `chi`, but not their 639-2/T
    /// equivalents.
    private static func language(_ code: String, in container: Container) -> String {
        let bibliographicCodes = ["zho": "chi", "deu": "ger", "nld": "dut", "fra": "fre", "ces": "cze"]
        return switch container {
        case .mkv, .webm: bibliographicCodes[code] ?? code
        case .mov: ["zho", "deu", "nld"].contains(code) ? bibliographicCodes[code] ?? code : code
        default: code
        }
    }

    /// Returns the track's cues. Timed text requires empty samples in the gaps between captions.
    private static func cues(of track: CaptionTrack, fillsGaps: Bool) -> [Cue] {
        var cues: [Cue] = []
        var end = Rational.zero
        func fillGap(until start: Rational) {
            if fillsGaps, end < start { cues.append(Cue(text: "", start: end, end: start)) }
        }
        for caption in track.captions {
            fillGap(until: caption.start)
            let text = fillsGaps ? caption.plainText : WebVTT.payload(of: caption)
            cues.append(Cue(text: text, start: caption.start, end: caption.end))
            end = caption.end
        }
        fillGap(until: track.length)
        return cues
    }

    var nextTime: Rational? { remainingCues.first?.start }

    func next() throws(FFmpegError) -> Packet? {
        guard let cue = remainingCues.popFirst() else { return nil }
        let bytes = isWebVTT ? Array(cue.text.utf8) : TimedText.sample(cue.text)
        let packet = try Packet(bytes)
        let timescale = 1 / Rational(stream.pointee.time_base)
        let start = (cue.start * timescale).rounded
        packet.packet.pointee.pts = Int64(start)
        packet.packet.pointee.dts = Int64(start)
        packet.packet.pointee.duration = Int64((cue.end * timescale).rounded - start)
        packet.packet.pointee.flags |= AV_PKT_FLAG_KEY
        return packet
    }
}

/// 3GPP timed text (TS 26.245), which MP4 and QuickTime call `tx3g`.
enum TimedText {
    /// Returns a text sample: the text's length in bytes and the text.
    static func sample(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return bigEndian16(bytes.count) + bytes
    }

    /// Returns the body of a sample description box for white text at the bottom of a frame. The
    /// size is in pixels.
    static func sampleDescription(width: Int, height: Int) -> [UInt8] {
        let font = Array("Sans-Serif".utf8)
        let centre: UInt8 = 1
        let bottom: UInt8 = 0xFF
        var bytes: [UInt8] = [0, 0, 0, 0, centre, bottom, 0, 0, 0, 0]
        // Top, left, bottom and right edge of the text box.
        bytes += bigEndian16(0) + bigEndian16(0) + bigEndian16(height) + bigEndian16(width)
        // The default style: an empty range of characters, font 1, plain, the font size in pixels,
        // white.
        let size = UInt8(min(max(min(width, height) / 18, 8), 255))
        bytes += bigEndian16(0) + bigEndian16(0) + bigEndian16(1) + [0, size, 255, 255, 255, 255]
        // The font table box.
        bytes += [0, 0, 0, UInt8(13 + font.count)] + Array("ftab".utf8) + bigEndian16(1) + bigEndian16(1)
        return bytes + [UInt8(font.count)] + font
    }

    private static func bigEndian16(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
}
