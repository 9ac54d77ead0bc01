import Foundation
import TestSupport
import Testing

/// The words of `diff` for changes of objects, areas and times.
@Suite struct DiffWordsTests {
    /// A block in front of the background, as an overlay of ffmpeg.
    private struct Block {
        var color = "0x00ff00"
        var size = "40x32"
        var offset = 0
    }

    private static let lossy = ["-c:v", "libx264", "-crf", "20", "-pix_fmt", "yuv420p"]
    private static let lossless = ["-c:v", "ffv1", "-pix_fmt", "bgr0"]

    /// Makes a clip of 2 s in which a block moves by 2 px a frame. In frames 36 to 40 it is
    /// replaced by another block, or missing.
    private func make(
        _ fixture: VerificationFixture, _ name: String, _ codec: [String], _ other: Block? = Block(),
        extra: String = "null"
    ) throws {
        let block = Block()
        let changed = "between(n,36,40)"
        func source(_ block: Block, _ label: String) -> String {
            "color=\(block.color):s=\(block.size):r=30:d=2[\(label)];"
        }
        let x = "60+2*n"
        var graph = source(block, "o") + "color=white:s=320x240:r=30:d=2[b];"
        graph += "[b][o]overlay=x='\(x)':y=80:format=rgb:enable='not(\(changed))'[c]"
        if let other {
            graph += ";" + source(other, "p")
            graph += "[c][p]overlay=x='\(x)+\(other.offset)':y=80:format=rgb:enable='\(changed)',\(extra)"
        } else {
            graph += ";[c]\(extra)"
        }
        try fixture.ffmpeg(["-f", "lavfi", "-i", graph] + codec + [name])
    }

    private func lines(_ fixture: VerificationFixture, _ name: String, _ base: String) throws -> (Int32, String) {
        let outcome = try fixture.run(["diff", base, name])
        return (outcome.code, outcome.text)
    }

    @Test(.slow, arguments: ["lossy", "lossless"]) func objectsAreNamed(kind: String) throws {
        let fixture = try VerificationFixture()
        let codec = kind == "lossy" ? Self.lossy : Self.lossless
        try make(fixture, "base.mkv", codec)
        let spot = "drawbox=enable='between(n,36,40)':x=10:y=12:w=4:h=4:t=fill:c=black"
        let added = "drawbox=enable='between(n,36,40)':x=240:y=160:w=30:h=30:t=fill:c=red"
        let cases: [(Block?, String, Regex<Substring>)] = [
            (Block(offset: 6), "null", /near \(15[3-5], 9[67]\) is (?:6|5.9|6.1) px to the right/),
            (
                Block(color: "0x00c800"), "null",
                /near \(15[3-5], 9[67]\) is #0[0-2]c[7-9]0[0-2] instead of #0[0-2]f[ef]0[0-2]/
            ),
            (Block(size: "52x32"), "null", /is 1[3-5]% larger: 5[0-4]x3[0-6] px instead of (?:39|40|41)x3[0-4] px/),
            (Block(color: "0x80ff80"), "null", /has (?:49|50|51)% of its opacity/),
            (nil, "null", /near \(15[3-5], 9[67]\) is missing/),
            (
                Block(), added,
                /an object of (?:2[89]|3[01])x(?:29|30|31) px in #f[a-f]0[0-4]0[0-4] at \((?:239|24[0-2]), (?:159|16[0-2])\) is new/
            ),
            (Block(), spot, /a spot of 4x4 px at \(10, 12\) is new/),
        ]
        for (number, (block, extra, words)) in some(of: Array(cases.enumerated()), each: kind == "lossy" ? 1 : 2) {
            try make(fixture, "\(number).mkv", codec, block, extra: extra)
            let (code, text) = try lines(fixture, "\(number).mkv", "base.mkv")
            #expect(code == 1 && text.contains(words), "\(number): \(text)")
            #expect(text.contains("from 1.2 to 1.333 s (frames 36-40) "), "\(number): \(text)")
        }
    }

    /// A change of one or two codes over an area is seen, and re-encoding is not.
    @Test(.slow) func faintAreasAreSeen() throws {
        let fixture = try VerificationFixture()
        try make(fixture, "base.mkv", Self.lossy)
        // In limited range a code of luma is 1.16 codes of RGB.
        let darker = "format=yuv444p,lutyuv=y='val-1':enable='between(n,36,40)'"
        for (name, filter) in [
            ("whole.mkv", darker),
            (
                "part.mkv",
                "format=yuv444p,split[u][v];[v]crop=100:100:20:130,lutyuv=y='val-1'[w];"
                    + "[u][w]overlay=x=20:y=130:format=yuv444:enable='between(n,36,40)'"
            ),
        ] {
            try make(fixture, name, Self.lossy, extra: filter)
            let outcome = try fixture.run(["diff", "base.mkv", name])
            #expect(
                outcome.code == 1 && outcome.text.contains("the background is 1 code darker"),
                "\(name): \(outcome.text)")
            #expect(outcome.text.contains("from 1.2 to 1.333 s (frames 36-40)"), "\(name): \(outcome.text)")
            #expect(outcome.text.contains("px at (") == (name == "part.mkv"), "\(name): \(outcome.text)")
        }
        for quality in ["23", "28"] {
            try fixture.ffmpeg(["-i", "base.mkv", "-c:v", "libx264", "-crf", quality, "again.mkv"])
            let (code, text) = try lines(fixture, "again.mkv", "base.mkv")
            #expect(code == 0, "\(quality): \(text)")
        }
    }

    /// The height of 1080p is not a multiple of 16.
    @Test func areasAtTheEdgeAreSeen() throws {
        let fixture = try VerificationFixture()
        let crop = "crop=312:232:0:0"
        // Coarser coding of the moving block raises the limit of areas.
        let fine = ["-c:v", "libx264", "-crf", "10", "-pix_fmt", "yuv420p"]
        try make(fixture, "base.mkv", fine, extra: crop)
        let darker = "[v]crop=312:20:0:212,lutyuv=y='val-2'[w]"
        let edges = "format=yuv444p,split[u][v];\(darker);[u][w]overlay=y=212:format=yuv444"
        try make(fixture, "edge.mkv", fine, extra: "\(crop),\(edges)")
        let (code, text) = try lines(fixture, "edge.mkv", "base.mkv")
        #expect(code == 1 && text.contains("the background is"), "\(text)")
    }

    @Test(.slow) func missingAndLateFramesAreNamed() throws {
        let fixture = try VerificationFixture()
        try make(fixture, "base.mkv", Self.lossy)
        let cases = [
            (
                "lost.mkv", "select='not(between(n,30,32))',setpts=N/30/TB",
                ["frames 30-32 are missing", "after 1 s is 3 frames earlier"]
            ),
            ("still.mkv", "select='not(between(n,30,32))'", ["at 1 s frames 30-32 are missing"]),
            ("late.mkv", "loop=loop=2:size=1:start=44,setpts=N/30/TB", ["everything after 1.5 s is 2 frames later"]),
        ]
        for (name, filter, words) in cases {
            try fixture.ffmpeg(["-i", "base.mkv", "-vf", filter, "-fps_mode", "passthrough"] + Self.lossy + [name])
            let (code, text) = try lines(fixture, name, "base.mkv")
            #expect(code == 1 && words.allSatisfy(text.contains), "\(name): \(text)")
        }
    }

    /// JSON and the reports have the changes, too.
    @Test func changesAreReported() throws {
        struct Difference: Decodable {
            struct Change: Decodable {
                var kind: String
                var text: String
                var from: Double
                var to: Double
                var firstFrame: Int
                var lastFrame: Int
                var box: [Int]
                var weight: Double
            }
            var changes: [Change]
        }
        let fixture = try VerificationFixture()
        try make(fixture, "base.mkv", Self.lossless)
        try make(fixture, "other.mkv", Self.lossless, Block(offset: 6))
        let outcome = try fixture.run(
            ["diff", "base.mkv", "other.mkv", "--json", "--report", "r.html", "--junit", "r.xml"])
        let changes = try JSONDecoder().decode(Difference.self, from: Data(outcome.output)).changes
        #expect(outcome.code == 1 && changes.count == 1, "\(changes)")
        let change = try #require(changes.first)
        #expect(change.kind == "position" && change.firstFrame == 36 && change.lastFrame == 40, "\(change)")
        #expect(change.from == 1.2 && abs(change.to - 1.333) < 0.001 && change.box.count == 4, "\(change)")
        #expect(change.weight > 0 && change.text.hasSuffix("px to the right"), "\(change)")
        for name in ["r.html", "r.xml"] {
            let text = String(decoding: try fixture.bytes(name), as: UTF8.self)
            #expect(text.contains("6 px to the right"), "\(text)")
        }
    }
}
