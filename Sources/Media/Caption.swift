import CLibAV
import Motion

/// Words that are shown or spoken from one instant to another.
public struct Caption: Sendable, Hashable {
    /// What is said, in lines.
    public var text: String
    /// When it begins, in seconds.
    public var start: Rational
    /// When it ends, in seconds.
    public var end: Rational

    /// Words from `start` to `end` (seconds).
    public init(_ text: String, start: Rational, end: Rational) {
        (self.text, self.start, self.end) = (text, start, end)
    }

    /// The lines as formats of captions can hold them: ends of lines of all kinds are one, other control characters are
    /// spaces, and lines without anything to see, which would end a cue of WebVTT, are left out.
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

    /// The lines as one text.
    var plainText: String { lines.joined(separator: "\n") }
}

/// Captions as a stream of a clip.
public struct CaptionTrack: Sendable, Hashable {
    /// In order of time, none beside another.
    public var captions: [Caption]
    /// Their language, as ISO 639-2 has it in three letters for terminology, such as `eng` or `zho`; nil if it is not known.
    public var language: String?
    /// The clip's length in seconds.
    public var length: Rational

    /// Captions of a clip of `length` seconds.
    public init(_ captions: [Caption], language: String? = nil, length: Rational) {
        (self.captions, self.language, self.length) = (captions, language, length)
    }
}

/// Captions as a stream of a container.
final class CaptionStream: SideStream {
    /// What a packet says; no text where there is silence.
    private struct Cue {
        let text: String
        let start: Rational
        let end: Rational
    }

    let stream: UnsafeMutablePointer<AVStream>
    private let isWebVTT: Bool
    private var rest: ArraySlice<Cue>

    /// Describes the track in a container that has not begun.
    ///
    /// - Parameters:
    ///   - video: the stream of the pictures, which is described already.
    ///   - soundClock: samples a second of the sound, 0 if there is none.
    init(
        _ track: CaptionTrack, in context: UnsafeMutablePointer<AVFormatContext>, _ container: Container,
        beside video: UnsafeMutablePointer<AVStream>, soundClock: Int32
    ) throws(FFmpegError) {
        stream = try unwrap(avformat_new_stream(context, nil), "add captions")
        isWebVTT = !container.isQuickTime
        rest = CaptionStream.cues(of: track, fillsGaps: !isWebVTT)[...]
        stream.pointee.codecpar.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
        stream.pointee.disposition |= AV_DISPOSITION_DEFAULT
        if let language = track.language.map({ CaptionStream.language($0, in: container) }) {
            av_dict_set(&stream.pointee.metadata, "language", language, 0)
        }
        guard !isWebVTT else {
            stream.pointee.codecpar.pointee.codec_id = AV_CODEC_ID_WEBVTT
            return
        }
        let picture = video.pointee.codecpar.pointee
        stream.pointee.codecpar.pointee.codec_id = AV_CODEC_ID_MOV_TEXT
        stream.pointee.codecpar.pointee.codec_tag = LV_TAG_TX3G
        (stream.pointee.codecpar.pointee.width, stream.pointee.codecpar.pointee.height) = (
            picture.width, picture.height
        )
        try stream.setHeader(TimedText.description(width: Int(picture.width), height: Int(picture.height)))
        // The muxer compares when a caption ends with when packets of other streams begin, as numbers of either's clock as if
        // there were one clock only, and writes an empty sample where it finds it late. So ours is the finest of all. The
        // pictures' is made finer by it in the same way, so that times at frames are exact.
        let frame = video.pointee.time_base
        var picturesClock = frame.den
        while picturesClock < 10_000 { picturesClock *= 2 }
        let finest = max(picturesClock, soundClock)
        let clock = (finest + picturesClock - 1) / picturesClock * picturesClock
        stream.pointee.time_base = av_make_q(1, clock)
    }

    /// A language as a container says it. Matroska has the codes for bibliography; FFmpeg's QuickTime knows some names of
    /// its own, of which Chinese, whatever its letters, is one.
    private static func language(_ code: String, in container: Container) -> String {
        let others = ["zho": "chi", "deu": "ger", "nld": "dut", "fra": "fre", "ces": "cze"]
        return switch container {
        case .mkv, .webm: others[code] ?? code
        case .mov: ["zho", "deu", "nld"].contains(code) ? others[code] ?? code : code
        default: code
        }
    }

    /// The captions, and what is between them where the container wants that said.
    private static func cues(of track: CaptionTrack, fillsGaps: Bool) -> [Cue] {
        var (cues, end) = ([Cue](), Rational.zero)
        func silence(until start: Rational) {
            if fillsGaps, end < start { cues.append(Cue(text: "", start: end, end: start)) }
        }
        for caption in track.captions {
            silence(until: caption.start)
            let text = fillsGaps ? caption.plainText : WebVTT.payload(of: caption)
            cues.append(Cue(text: text, start: caption.start, end: caption.end))
            end = caption.end
        }
        silence(until: track.length)
        return cues
    }

    var nextTime: Rational? { rest.first?.start }

    func next() throws(FFmpegError) -> Packet? {
        guard let cue = rest.popFirst() else { return nil }
        let bytes = isWebVTT ? Array(cue.text.utf8) : TimedText.sample(cue.text)
        let packet = try Packet(bytes)
        let clock = 1 / Rational(stream.pointee.time_base)
        let start = (cue.start * clock).rounded
        packet.packet.pointee.pts = Int64(start)
        packet.packet.pointee.dts = Int64(start)
        packet.packet.pointee.duration = Int64((cue.end * clock).rounded - start)
        packet.packet.pointee.flags |= AV_PKT_FLAG_KEY
        return packet
    }
}

/// Timed text of 3GPP (TS 26.245), which MP4 and QuickTime call `tx3g`.
enum TimedText {
    /// A sample: the text's length in bytes, and the text.
    static func sample(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return number(bytes.count) + bytes
    }

    /// The description of samples without the head of its box: white letters at the bottom of pictures of a size.
    static func description(width: Int, height: Int) -> [UInt8] {
        let font = Array("Sans-Serif".utf8)
        let (centre, bottom): (UInt8, UInt8) = (1, 0xFF)
        var bytes: [UInt8] = [0, 0, 0, 0, centre, bottom, 0, 0, 0, 0]
        // Top, left, bottom and right of the box.
        bytes += number(0) + number(0) + number(height) + number(width)
        // The style: of no characters in particular, font 1, upright, its size in pixels, white.
        let size = UInt8(min(max(min(width, height) / 18, 8), 255))
        bytes += number(0) + number(0) + number(1) + [0, size, 255, 255, 255, 255]
        // The table of fonts, a box of its own.
        bytes += [0, 0, 0, UInt8(13 + font.count)] + Array("ftab".utf8) + number(1) + number(1)
        return bytes + [UInt8(font.count)] + font
    }

    private static func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
}
