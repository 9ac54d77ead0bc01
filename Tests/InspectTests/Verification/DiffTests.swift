import Foundation
import TestSupport
import Testing

/// The `diff` command.
@Suite struct DiffTests {
    private struct Difference: Decodable {
        struct Pair: Decodable {
            var frame: Int
            var otherFrame: Int
            var psnr: Double?
            var blockDifference: Double?
            var rule: String?
            var box: [Int]
        }
        var isSame: Bool
        var compared: Int
        var differing: Int
        var differingByRule: [String: Int]
        var maxBlockDifference: Double?
        var first: Pair?
        var worst: Pair?
        var remarks: [String]
        var motion: [String]
    }

    private static let clip = "qq-mail --size 240x120 --fps 25"

    private func diff(_ fixture: VerificationFixture, _ arguments: String...) throws -> (code: Int32, Difference) {
        let outcome = try fixture.run(["diff", "--json"] + arguments)
        return (outcome.code, try JSONDecoder().decode(Difference.self, from: Data(outcome.output)))
    }

    /// Players stretch frames whose pixels are not square.
    @Test func otherPixelAspectRatiosDiffer() throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip, to: "a.mp4")
        try fixture.ffmpeg(["-i", "a.mp4", "-c", "copy", "-aspect", "8:3", "wide.mp4"])
        let (code, difference) = try diff(fixture, "a.mp4", "wide.mp4")
        #expect(code == 1 && difference.differing == 0, "\(difference)")
        #expect(difference.remarks.map { $0.hasPrefix("pixel aspect ratios differ: 1 and 1.333") } == [true])
    }

    @Test(.slow) func reencodingIsNotADifference() throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip, to: "a.mp4")
        for (quality, name) in [("23", "b.mp4"), ("28", "c.mkv")] {
            try fixture.encode("\(Self.clip) --quality \(quality)", to: name)
            let (code, difference) = try diff(fixture, "a.mp4", name)
            #expect(code == 0 && difference.isSame && difference.compared == 36, "\(name): \(difference)")
        }
        try fixture.encode(Self.clip, to: "d.webm")
        #expect(try diff(fixture, "a.mp4", "d.webm").code == 0)
        // One long frame equals several equal ones.
        try fixture.encode("\(Self.clip) --hold 0.4", to: "even.mkv")
        try fixture.encode("\(Self.clip) --hold 0.4 --static vfr", to: "long.mkv")
        #expect(try diff(fixture, "even.mkv", "long.mkv").code == 0)
        // Such long frames look like a lower rate.
        for (name, mode) in [("even.gif", "cfr"), ("long.gif", "vfr")] {
            try fixture.encode("qq-mail --step --scale 1 --static \(mode)", to: name)
        }
        let (code, difference) = try diff(fixture, "even.gif", "long.gif")
        #expect(code == 0 && difference.remarks.isEmpty && difference.compared == 150, "\(difference)")
    }

    @Test(.slow) func aChangedRowIsLocated() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("\(Self.clip) --codec ffv1 --pixel-format bgra", to: "a.mkv")
        let row = "drawbox=enable='eq(n,17)':x=60:y=41:w=100:h=1:t=fill:c=black"
        try fixture.ffmpeg(["-i", "a.mkv", "-vf", row, "-c:v", "ffv1", "b.mkv"])
        try fixture.ffmpeg(["-i", "a.mkv", "-vf", row + ",format=rgba", "-f", "apng", "-plays", "0", "b.png"])
        for name in ["b.mkv", "b.png"] {
            let (code, difference) = try diff(fixture, "a.mkv", name)
            #expect(code == 1 && difference.differing == 1 && difference.worst?.frame == 17, "\(name): \(difference)")
            #expect(difference.worst?.box == [60, 41, 100, 1], "\(name): \(difference)")
        }
        // A row in a lossy clip is located as well.
        for (name, filter) in [("c.mp4", "null"), ("d.mp4", row)] {
            try fixture.ffmpeg([
                "-i", "a.mkv", "-vf", filter, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "18", name,
            ])
        }
        let (code, difference) = try diff(fixture, "c.mp4", "d.mp4")
        #expect(code == 1 && difference.differing == 1 && difference.first?.frame == 17, "\(difference)")
        #expect(difference.worst.map { $0.box[1] == 41 && $0.box[3] == 1 } == true, "\(difference)")
    }

    /// Text, JSON, HTML and JUnit name the violated rule with its value and its limit.
    @Test(.slow) func theViolatedRuleIsNamed() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("\(Self.clip) --codec ffv1 --pixel-format bgra", to: "a.mkv")
        let row = "drawbox=enable='eq(n,17)':x=104:y=41:w=24:h=1:t=fill:c=black"
        let all = "drawbox=enable='gte(n,30)':x=0:y=0:w=240:h=120:t=fill:c=black"
        for (name, filter) in [("old/c.mp4", "null"), ("new/c.mp4", row), ("old/d.mp4", "null"), ("new/d.mp4", all)] {
            try FileManager.default.createDirectory(
                atPath: fixture.file(String(name.prefix(3))), withIntermediateDirectories: true)
            try fixture.ffmpeg([
                "-i", "a.mkv", "-vf", filter, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "18", name,
            ])
        }
        let (code, block) = try diff(fixture, "old/c.mp4", "new/c.mp4")
        #expect(code == 1 && block.differingByRule == ["block": 1], "\(block)")
        #expect(block.first?.rule == "block" && block.first?.psnr ?? 0 > 30, "\(block)")
        #expect(block.first?.blockDifference ?? 0 > 24 && block.maxBlockDifference == 24, "\(block)")
        let (_, psnr) = try diff(fixture, "old/d.mp4", "new/d.mp4")
        #expect(psnr.differingByRule == ["psnr": 6] && psnr.worst?.rule == "psnr", "\(psnr)")
        try fixture.write(Array("This is no clip.".utf8), to: "old/e.mp4")
        try fixture.write(Array("Nor is this.".utf8), to: "new/e.mp4")
        let outcome = try fixture.run(["diff", "old", "new", "--report", "r.html", "--junit", "r.xml"])
        #expect(outcome.code == 65, "\(outcome.text)")
        let violation = "1 with a block of 8x8 pixels off by more than the maximum of 24 codes"
        let texts =
            [outcome.text] + (try ["r.html", "r.xml"].map { String(decoding: try fixture.bytes($0), as: UTF8.self) })
        for text in texts {
            #expect(text.contains("1 of 36 frames differ: \(violation)"), "\(text)")
            #expect(text.firstMatch(of: /, a block is off by [0-9.]+ codes/) != nil, "\(text)")
            #expect(text.contains("6 of 36 frames differ: 6 below the minimum of 30 dB"), "\(text)")
        }
        // An unreadable file is bad data, and a different one is not.
        #expect(texts[2].contains("type=\"badData\"") && texts[2].contains("type=\"differs\""), "\(texts[2])")
        #expect(try fixture.run(["diff", "old", "new", "--json"]).text.contains("\"kind\" : \"badData\""))
        let alone = try fixture.run(["diff", "old/c.mp4", "new/e.mp4", "--junit", "alone.xml"])
        let report = String(decoding: try fixture.bytes("alone.xml"), as: UTF8.self)
        #expect(alone.code == 65 && report.contains("\"badData\""), "\(report)")
    }

    /// CI systems show reports, so a comparison with a missing file writes them too.
    @Test func missingFilesAreReported() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("qq-mail --scale 1 --fps 10", to: "a.gif")
        try FileManager.default.createDirectory(atPath: fixture.file("old"), withIntermediateDirectories: true)
        for sides in [["a.gif", "none.gif"], ["none.gif", "a.gif"], ["old", "none"], ["none", "old"]] {
            let outcome = try fixture.run(["diff"] + sides + ["--junit", "d.xml", "--report", "d.html"])
            #expect(
                outcome.code == 66 && outcome.errorLines.count == 1 && outcome.output.isEmpty, "\(outcome.errorText)")
            let report = String(decoding: try fixture.bytes("d.xml"), as: UTF8.self)
            #expect(report.contains("\"missingInput\"") && report.contains("does not exist"), "\(report)")
            let page = String(decoding: try fixture.bytes("d.html"), as: UTF8.self)
            #expect(page.contains("does not exist"), "\(page)")
            for name in ["d.xml", "d.html"] { try FileManager.default.removeItem(atPath: fixture.file(name)) }
        }
    }

    @Test(.slow) func missingAndRepeatedFramesAreLocated() throws {
        let fixture = try VerificationFixture()
        try fixture.encode("\(Self.clip) --codec ffv1 --pixel-format bgra", to: "a.mkv")
        let repeatedFrame =
            "split[x][y];[x]trim=end_frame=10[a];[y]trim=start_frame=9:end_frame=35,setpts=PTS-STARTPTS[b];[a][b]concat"
        let mutants = [
            ("one.mkv", repeatedFrame, 10),
            ("lost.mkv", "select='not(eq(n,9))',setpts=N/25/TB", 9),
            ("hole.mkv", "select='not(eq(n,9))'", 9),
        ]
        for (name, filter, frame) in mutants {
            try fixture.ffmpeg(["-i", "a.mkv", "-vf", filter, "-fps_mode", "passthrough", "-c:v", "ffv1", name])
            let (code, difference) = try diff(fixture, "a.mkv", name)
            #expect(code == 1 && difference.first?.frame == frame, "\(name): \(difference)")
        }
        let (_, hole) = try diff(fixture, "a.mkv", "hole.mkv")
        #expect(hole.differing == 1 && hole.remarks.isEmpty, "\(hole)")
        let (_, lost) = try diff(fixture, "a.mkv", "lost.mkv")
        #expect(lost.remarks.contains { $0.hasPrefix("durations differ: 1.44 s with 36 frames") }, "\(lost)")
    }

    @Test(.slow) func motionOfKnownLoadersIsDescribed() throws {
        let fixture = try VerificationFixture()
        try fixture.encode(Self.clip, to: "a.mp4")
        // The second clip starts one frame later.
        try fixture.encode("qq-mail --size 240x120 --fps 25 --cycles 1 --from 0.04", to: "late.mp4")
        let (code, difference) = try diff(fixture, "a.mp4", "late.mp4")
        #expect(
            code == 1 && difference.motion.contains { $0.contains("early") && $0.contains("phase") }, "\(difference)")
        try fixture.encode("jelly --size 96x96 --fps 10", to: "b.mp4")
        try fixture.encode("jelly --size 96x96 --fps 10 --from 0.4", to: "c.mp4")
        #expect(try diff(fixture, "b.mp4", "c.mp4").1.motion.isEmpty)
    }

    @Test(.slow) func directoriesAndSizesAreCompared() throws {
        let fixture = try VerificationFixture()
        for folder in ["old", "new", "old/deep", "new/deep"] {
            try FileManager.default.createDirectory(atPath: fixture.file(folder), withIntermediateDirectories: true)
        }
        for (name, options) in [
            ("old/same", ""), ("new/same", ""), ("old/deep/<b>&", ""), ("new/deep/<b>&", "--set radius=9"),
            ("old/gone", ""), ("new/came", ""), ("old/size", ""), ("new/size", "--scale 1"),
        ] { try fixture.encode("qq-mail --fps 10 \(options)", to: "\(name).mp4") }
        for (folder, time) in [("old", "0"), ("new", "0.5")] {
            #expect(try fixture.run(["still", "qq-mail", "--at", time, "-o", "\(folder)/still.png"]).code == 0)
        }
        try fixture.write([1], to: "old/text")
        try fixture.write([2], to: "new/text")
        let outcome = try fixture.run(["diff", "old", "new", "--report", "r.html", "--junit", "r.xml"])
        #expect(outcome.code == 1 && outcome.lines.last == "7 files: 1 equal, 6 different", "\(outcome.text)")
        let page = String(decoding: try fixture.bytes("r.html"), as: UTF8.self)
        #expect(page.contains("deep/&lt;b&gt;&amp;.mp4") && !page.contains("<b>"), "names are escaped")
        #expect(page.contains("data:image/png;base64,") && !page.contains("http:") && !page.contains("https:"))
        let report = String(decoding: try fixture.bytes("r.xml"), as: UTF8.self)
        #expect(report.contains("tests=\"7\" failures=\"6\"") && report.contains("type=\"missing\""), "\(report)")
        #expect(outcome.text.contains("sizes differ: 480x240 and 120x60"), "\(outcome.text)")
        let image = try fixture.run(["diff", "old/deep/<b>&.mp4", "new/deep/<b>&.mp4", "--picture", "worst.png"])
        #expect(image.code == 1)
        try fixture.ffmpeg(["-i", "worst.png", "-f", "null", "-"])
        #expect(try fixture.run(["diff", "old", "new"]).code == 1)
        #expect(try fixture.run(["diff", "old", "old"]).code == 0)
        #expect(try fixture.run(["diff", "old", "new/same.mp4"]).code == 64)
        #expect(try fixture.run(["diff", "none.mp4", "new/same.mp4"]).code == 66)
        let none = try fixture.run(["diff", "none", "new"])
        #expect(none.code == 66 && none.errorText.contains("does not exist"), "\(none.errorText)")
        for folder in ["empty", "void"] {
            try FileManager.default.createDirectory(
                atPath: fixture.file(folder), withIntermediateDirectories: true)
        }
        let empty = try fixture.run(["diff", "empty", "void"])
        #expect(empty.code == 66 && empty.errorLines.count == 1, "\(empty.text) \(empty.errorText)")
    }
}
