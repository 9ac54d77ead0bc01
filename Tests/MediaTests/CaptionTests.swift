import Core
import Foundation
import Media
import TestSupport
import Testing

/// A packet of a stream that was read with the ffmpeg command.
private struct DemuxedPacket {
    let pts: Int
    let duration: Int
    let bytes: [UInt8]
}

/// Captions with times on frames and between frames.
private let captions = [
    Caption("Three balls\nswap places", start: 0, end: Rational(1, 2)),
    Caption("a < b && c > d --> &lt; {\\an8} <i>x</i>", start: Rational(1, 2), end: Rational(6, 5)),
    Caption("三个小球不断换位 👩‍🔬🎈\r\n\r\nÄ \u{2028}e\u{301}", start: Rational(4, 3), end: Rational(2003, 1000)),
    Caption(String(repeating: "长 ", count: 700), start: Rational(11, 5), end: 3),
]

@Suite struct CaptionTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Creates a clip of three seconds with captions. Returns its path.
    private func clip(
        _ container: Container, _ rate: FrameRate, _ track: CaptionTrack?, isSeekable: Bool = true
    ) throws -> String {
        let codec = container == .webm ? "vp8" : "h264"
        let profile = try #require(CodecProfile.find(codec))
        let settings = smallSettings(profile, rate: rate, container: container)
        let (packets, parameters) = try encode(settings, frames: (3 * rate.framesPerSecond).rounded)
        let path = directory.file("\(UUID().uuidString).\(container.rawValue)")
        let sink = try FileSink(path, isSeekable: isSeekable)
        try mux(
            packets, parameters, container, rate: rate, to: sink, tracks: SideTracks(captions: track))
        return path
    }

    private func packets(of path: String, stream: String) throws -> [DemuxedPacket] {
        let entries = ["-show_entries", "packet=pts,duration,size", "-of", "csv=p=0", path]
        let lines = try run("ffprobe", ["-v", "error", "-select_streams", stream] + entries).lines
        let numbers = lines.map { $0.split(separator: ",").map { Int($0) ?? 0 } }
        var bytes = try run(
            "ffmpeg", ["-v", "error", "-i", path, "-map", "0:\(stream)", "-c", "copy", "-f", "data", "-"]
        )
        .output[...]
        return try numbers.map { fields in
            try #require(fields.count == 3 && bytes.count >= fields[2])
            defer { bytes = bytes.dropFirst(fields[2]) }
            return DemuxedPacket(pts: fields[0], duration: fields[1], bytes: Array(bytes.prefix(fields[2])))
        }
    }

    private func text(_ packet: DemuxedPacket, _ container: Container) throws -> String {
        guard ![.mkv, .webm].contains(container) else {
            return String(decoding: packet.bytes, as: UTF8.self).replacingOccurrences(of: "&lt;", with: "<")
                .replacingOccurrences(of: "&gt;", with: ">").replacingOccurrences(of: "&amp;", with: "&")
        }
        let count = try Int(#require(packet.bytes.first)) << 8 + Int(packet.bytes[1])
        // Style boxes would follow the text.
        try #require(packet.bytes.count == count + 2)
        return String(decoding: packet.bytes.dropFirst(2), as: UTF8.self)
    }

    private func timeBase(_ path: String, _ stream: String) throws -> Rational {
        let entry = ["-show_entries", "stream=time_base", "-of", "csv=p=0", path]
        let line = try #require(run("ffprobe", ["-v", "error", "-select_streams", stream] + entry).lines.first)
        return try #require(Rational(text: line))
    }

    @Test(
        .slow,
        arguments: some(of: Container.videos, and: ["10", "24000/1001", "25", "30000/1001", "50", "60"], each: 5))
    func captionsKeepTheirTextAndTimes(container: Container, rate: String) throws {
        let rate = try FrameRate.of(rate)
        let length = Rational((3 * rate.framesPerSecond).rounded) / rate.framesPerSecond
        var expected = captions
        expected[3].end = length
        let path = try clip(container, rate, CaptionTrack(expected, language: "eng", length: length))
        let timeBase = try timeBase(path, "s:0")
        let isTimedText = ![.mkv, .webm].contains(container)
        if isTimedText {
            #expect(try (self.timeBase(path, "v:0") / timeBase).denominator == 1)
        } else {
            #expect(timeBase == Rational(1, 1000))
        }
        let read = try packets(of: path, stream: "s:0")
        let shown = try read.filter { try !text($0, container).isEmpty }
        #expect(try shown.map { try text($0, container) } == expected.map { $0.lines.joined(separator: "\n") })
        #expect(expected[2].lines == ["三个小球不断换位 👩‍🔬🎈", "Ä ", "e\u{301}"])
        for (packet, caption) in zip(shown, expected) {
            #expect(packet.pts == (caption.start / timeBase).rounded)
            #expect(packet.pts + packet.duration == (caption.end / timeBase).rounded)
        }
        guard isTimedText else { return }
        // Samples cover the whole clip, with empty ones between captions.
        #expect(read.first?.pts == 0)
        for (packet, next) in zip(read, read.dropFirst()) { #expect(packet.pts + packet.duration == next.pts) }
        #expect(read.last.map { $0.pts + $0.duration } == (length / timeBase).rounded)
        #expect(read.filter { $0.duration > 0 }.count == 6)
    }

    /// FFmpeg decodes the same cues from timed text and WebVTT.
    @Test(arguments: some(of: Container.videos, each: 3))
    func cuesAreTheSameInAllContainers(container: Container) throws {
        let expected = [
            Caption("Three balls\nswap places", start: Rational(1, 5), end: Rational(9, 10)),
            Caption("三个小球 🎈 a & b", start: Rational(9, 10), end: Rational(31, 20)),
            Caption("5 < 6 > 4", start: 2, end: 3),
        ]
        let path = try clip(container, .of("20"), CaptionTrack(expected, language: "zho", length: 3))
        let text = try run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:s:0", "-f", "srt", "-"]).text
        // Some versions of FFmpeg write font tags.
        let plain = text.replacing(/<\/?font[^>]*>/, with: "").replacingOccurrences(of: "\r", with: "")
        #expect(
            plain == """
                1
                00:00:00,200 --> 00:00:00,900
                Three balls
                swap places

                2
                00:00:00,900 --> 00:00:01,550
                三个小球 🎈 a & b

                3
                00:00:02,000 --> 00:00:03,000
                5 < 6 > 4


                """)
    }

    /// Captions do not change the video, which stays the first stream and has the same times and
    /// duration.
    @Test(.slow, arguments: some(of: Container.videos, and: [true, false], each: 3))
    func captionsDoNotChangeTheVideo(container: Container, isSeekable: Bool) throws {
        let rate = try FrameRate.of("25")
        let track = CaptionTrack([captions[1]], language: "zho", length: 3)
        let paths = try [nil, track, track].map { try clip(container, rate, $0, isSeekable: isSeekable) }
        #expect(try bytes(of: paths[1]) == bytes(of: paths[2]))
        let videos = try paths.map { try packets(of: $0, stream: "v:0").map { [$0.pts, $0.duration, $0.bytes.count] } }
        #expect(videos[0] == videos[1] && videos[0].count == 75)
        let entries = "stream=index,codec_type,codec_name:stream_disposition=default:stream_tags=language"
        let lines = try run("ffprobe", ["-v", "error", "-show_entries", entries, "-of", "csv=p=0", paths[1]]).lines
        let isMatroska = [.mkv, .webm].contains(container)
        let codec = container == .webm ? "vp8" : "h264"
        #expect(
            lines.map { $0.replacingOccurrences(of: ",und", with: "") } == [
                "0,\(codec),video,1",
                "1,\(isMatroska ? "webvtt" : "mov_text"),subtitle,1,\(isMatroska || container == .mov ? "chi" : "zho")",
            ])
        let lengths = try paths[..<2].map { path in
            try run("ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path]).text
        }
        #expect(lengths[0] == lengths[1])
    }

    @Test func webVTTFilesHaveTimesInMilliseconds() {
        let hours = Rational(3661) + Rational(1001, 24000)
        let text = WebVTT.text(of: [
            Caption("a < b\n\n&amp;", start: Rational(1001, 30000), end: hours),
            Caption(" \n", start: hours, end: hours + 1), Caption("三 --> 个", start: hours + 1, end: 360_000),
        ])
        #expect(
            text == """
                WEBVTT

                00:00:00.033 --> 01:01:01.042
                a &lt; b
                &amp;amp;

                01:01:02.042 --> 100:00:00.000
                三 --&gt; 个

                """)
        #expect(WebVTT.text(of: []) == "WEBVTT\n")
    }
}
