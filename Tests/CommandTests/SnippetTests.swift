import Foundation
import TestSupport
import Testing

/// `snippet`.
@Suite struct SnippetTests {
    /// The elements of an HTML fragment, in order, with their attributes.
    private func elements(_ html: String) throws -> [[String]] {
        try python(
            """
            from html.parser import HTMLParser
            class Reader(HTMLParser):
                def __init__(self):
                    super().__init__()
                    self.elements = []
                def handle_starttag(self, tag, attributes):
                    self.elements.append([tag] + [f"{name}={value or ''}" for name, value in attributes])
            reader = Reader()
            reader.feed(given)
            result = reader.elements
            """, html)
    }

    /// Headers may hold any sides.
    @Test(arguments: [("FFFFFFFF", 65), ("80000000", 65), ("00000000", 65), ("00000040", 0)])
    func sidesAreLimited(side: String, code: Int32) throws {
        let fixture = try CommandFixture()
        let sides = (0..<8).map { UInt8(side.dropFirst(2 * ($0 % 4)).prefix(2), radix: 16) ?? 0 }
        let header = Array("\u{89}PNG\r\n\u{1A}\n\0\0\0\rIHDR".unicodeScalars.map { UInt8($0.value) })
        try Data(header + sides + [8, 6, 0, 0, 0, 0, 0, 0, 0] + Array("\0\0\0\u{8}acTL".utf8))
            .write(to: URL(fileURLWithPath: fixture.directory.file("a.apng")))
        let outcome = try fixture.run(["snippet", "a.apng"])
        #expect(outcome.code == code, "\(outcome.errorText)")
    }

    @Test(arguments: [
        ("<svg viewBox='0,0,24,12'></svg>", 0, "width=\"24\" height=\"12\""),
        ("<svg width=\"3em\"></svg>", 65, "has no size in pixels"), ("<html></html>", 65, "does not contain SVG"),
    ]) func drawingsMayHaveAViewBoxOnly(text: String, code: Int32, words: String) throws {
        let fixture = try CommandFixture()
        try makeFile(text, at: fixture.directory.file("a.svg"))
        let outcome = try fixture.run(["snippet", "a.svg"])
        #expect(outcome.code == code && (outcome.text + outcome.errorText).contains(words), "\(outcome.errorText)")
    }

    @Test func aFileIsNamedOnce() throws {
        let fixture = try CommandFixture()
        try makeFile("<svg viewBox='0,0,24,12'></svg>", at: fixture.directory.file("a.svg"))
        expectRefusal(try fixture.run(["snippet", "a.svg", "./a.svg"]), 64, ["./a.svg is a.svg; name each file once"])
    }

    /// Browsers without AV1 choose the next source by the codec string.
    @Test(.slow) func av1StatesItsCodec() throws {
        let fixture = try CommandFixture()
        try fixture.encode("qq-mail", "--fps", "10", "--scale", "1", "--codec", "libaom-av1", to: "a.mp4")
        try fixture.encode("qq-mail", "--fps", "10", "--scale", "1", to: "b.mp4")
        let outcome = try fixture.run(["snippet", "a.mp4", "b.mp4"])
        #expect(outcome.text.contains("type=\"video/mp4; codecs=av01.0.0"), "\(outcome.text)\(outcome.errorText)")
        expectRefusal(try fixture.run(["snippet", "a.mp4", "a.mp4"]), 64, ["a.mp4 is named twice"])
        for name in ["a.png", "b.png"] {
            try #require(try fixture.run(["still", "qq-mail", "--scale", "1", "-o", name]).code == 0)
        }
        expectRefusal(try fixture.run(["snippet", "a.mp4", "a.png", "b.png"]), 64, ["a.png and b.png are both stills"])
    }

    /// The contents decide: `still` writes AVIF and WebP, and many sites take animated PNG by the
    /// name of PNG only.
    @Test(.slow, arguments: ["still.png", "still.jpg", "still.webp", "still.avif"])
    func stillsOfAnyFormatArePosters(still: String) throws {
        let fixture = try CommandFixture()
        try fixture.encode("qq-mail", "--fps", "10", "--scale", "1", "--format", "apng", to: "clip.png")
        try #require(try fixture.run(["still", "qq-mail", "--scale", "2", "-o", still]).code == 0)
        let outcome = try fixture.run(["snippet", still, "clip.png"])
        #expect(outcome.code == 0 && outcome.errorText.isEmpty, "\(outcome.errorText)")
        let found = try elements(outcome.text)
        #expect(found[1] == ["source", "media=(prefers-reduced-motion: reduce)", "srcset=\(still)"])
        // The clip decides the size.
        #expect(found[2].contains("src=clip.png") && found[2].contains("width=120"), "\(found)")
        expectRefusal(try fixture.run(["snippet", still]), 64, ["\(still) does not move"])
    }

    @Test func theContainerMustFitTheName() throws {
        let fixture = try CommandFixture()
        try fixture.encode("qq-mail", "--fps", "10", "--scale", "1", "--format", "mp4", to: "clip.webm")
        expectRefusal(try fixture.run(["snippet", "clip.webm"]), 65, ["clip.webm does not contain WEBM"])
        try fixture.encode("qq-mail", "--fps", "10", "--scale", "1", "--format", "mkv", to: "other.webm")
        expectRefusal(try fixture.run(["snippet", "other.webm"]), 65, ["other.webm does not contain WEBM"])
    }

    /// A browser loads only what it shows: there is no poster, the images are outside the `video`
    /// element and lazy, and the videos do not apply to viewers who prefer reduced motion.
    @Test func videosComeFirstWithFallbacks() throws {
        let fixture = try CommandFixture()
        for format in ["mp4", "webm", "gif"] {
            try fixture.encode("qq-mail", "--fps", "25", "--scale", "1", to: "balls.\(format)")
        }
        try #require(try fixture.run(["still", "qq-mail", "--scale", "1", "-o", "balls.png"]).code == 0)
        let outcome = try fixture.run(["snippet", "balls.gif", "balls.png", "balls.mp4", "balls.webm"])
        #expect(outcome.code == 0, "\(outcome.errorText)")
        let found = try elements(outcome.text)
        let video = try #require(found.first { $0[0] == "video" })
        for attribute in [
            "width=120", "height=60", "class=clip-moving", "muted=", "playsinline=", "loop=", "autoplay=",
        ] {
            #expect(video.contains(attribute), "\(video)")
        }
        #expect(!outcome.text.contains("poster"))
        let sources = found.filter { $0[0] == "source" }.map { $0.joined(separator: " ") }
        let moving = "media=(prefers-reduced-motion: no-preference)"
        #expect(sources[0] == "source src=balls.webm type=video/webm \(moving)")
        #expect(sources[1].hasPrefix("source src=balls.mp4 type=video/mp4 \(moving) onerror="))
        #expect(sources[2] == "source media=(prefers-reduced-motion: reduce) srcset=balls.png")
        let text = outcome.text
        let end = try #require(text.range(of: "</video>"))
        #expect(text[end.upperBound...].contains("<picture class=\"clip-image\">"))
        #expect(found.last { $0[0] == "img" }?.contains("loading=lazy") == true, "\(found)")
        // Without images, nothing can replace the videos.
        let alone = try fixture.run(["snippet", "balls.mp4", "balls.webm"])
        #expect(!["style", "onerror", "media", "picture"].contains { alone.text.contains($0) }, "\(alone.text)")
        #expect(outcome.lines.last == "![balls](<balls.gif>)")
    }

    /// Only Safari plays HEVC in MOV, with its alpha, so it comes first with the type of MOV.
    /// H.264 in MOV comes after MP4.
    @Test(.slow) func codecsDecideTheOrderOfVideos() throws {
        let fixture = try CommandFixture()
        let clip = ["qq", "--fps", "10", "--duration", "0.3", "--size", "96x96"]
        let codecs = [("a.mov", "h264"), ("b.mp4", "h264"), ("c.mp4", "hevc"), ("d.webm", "vp8"), ("e.webm", "vp9")]
        for (name, codec) in codecs + [("f.mp4", "libaom-av1"), ("g.mov", "hevc")] {
            let outcome = try fixture.run(["encode"] + clip + ["--codec", codec, "-o", name])
            try #require(outcome.code == 0, "\(outcome.errorText)")
        }
        let outcome = try fixture.run(
            ["snippet"] + ["a.mov", "b.mp4", "c.mp4", "d.webm", "e.webm", "f.mp4", "g.mov"])
        let sources = try elements(outcome.text).filter { $0[0] == "source" }
        let names = ["g.mov", "f.mp4", "e.webm", "d.webm", "c.mp4", "b.mp4", "a.mov"]
        #expect(sources.map { $0[1] } == names.map { "src=\($0)" }, "\(outcome.text)")
        #expect(sources[0][2] == "type=video/quicktime; codecs=hvc1" && sources[6][2] == "type=video/mp4")
    }

    @Test func imagesAreOfferedSmallFormatsFirst() throws {
        let fixture = try CommandFixture()
        for format in ["gif", "webp", "svg", "apng"] {
            try fixture.encode("qq-mail", "--fps", "25", to: "a&b <1>.\(format)")
        }
        let names = ["a&b <1>.gif", "a&b <1>.apng", "a&b <1>.webp", "a&b <1>.svg"]
        let outcome = try fixture.run(["snippet", "--alt", "\"Loading\" & <b>", "--width", "240"] + names)
        #expect(outcome.code == 0, "\(outcome.errorText)")
        let html = outcome.lines.prefix { !$0.isEmpty }.joined(separator: "\n")
        let found = try elements(html)
        #expect(found.map { $0[0] } == ["picture", "source", "source", "source", "img"])
        #expect(
            found.filter { $0[0] == "source" }.map { $0[1] } == [
                "type=image/webp", "type=image/svg+xml", "type=image/apng",
            ])
        let image = try #require(found.last)
        #expect(
            image == [
                "img", "src=a%26b%20%3C1%3E.gif", "width=240", "height=120", "alt=\"Loading\" & <b>", "loading=lazy",
            ])
    }

    /// A clip without a still moves for everyone, which a note says. SVG needs no still: it stops
    /// for viewers who prefer reduced motion.
    @Test func aNoteSaysWhoSeesMotion() throws {
        let fixture = try CommandFixture()
        for name in ["a.gif", "a.svg"] { try fixture.encode("qq-mail", "--fps", "25", to: name) }
        try #require(try fixture.run(["still", "qq-mail", "-o", "a.jpg"]).code == 0)
        let moving = try fixture.run(["snippet", "a.gif", "a.svg"])
        #expect(
            moving.code == 0 && moving.errorText.contains("note: viewers who prefer reduced motion still see it move"))
        #expect(try fixture.run(["snippet", "a.svg"]).errorText.isEmpty)
        let still = try fixture.run(["snippet", "a.gif", "a.jpg"])
        #expect(still.errorText.isEmpty)
        #expect(still.text.contains("<source media=\"(prefers-reduced-motion: reduce)\" srcset=\"a.jpg\">"))
    }

    @Test func otherFilesAreRefused() throws {
        let fixture = try CommandFixture()
        try fixture.encode("qq-mail", "--fps", "25", to: "a.gif")
        try fixture.encode("jelly", "--fps", "25", to: "b.svg")
        expectRefusal(try fixture.run(["snippet", "a.gif", "b.svg"]), 64, ["a.gif", "b.svg", "shape"])
        expectRefusal(try fixture.run(["snippet", "c.gif"]), 66, ["c.gif"])
        expectRefusal(try fixture.run(["snippet", "a.txt"]), 64, ["a.txt", ".webm"])
        try makeFile("text", at: fixture.directory.file("d.gif"))
        expectRefusal(try fixture.run(["snippet", "d.gif"]), 65, ["d.gif"])
    }
}
