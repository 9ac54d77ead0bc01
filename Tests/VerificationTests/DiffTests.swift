import Foundation
import TestSupport
import Testing

/// `diff` as users meet it.
@Suite struct DiffTests {
    private struct Difference: Decodable {
        struct Place: Decodable {
            var frame: Int
            var otherFrame: Int
            var psnr: Double?
            var box: [Int]
        }
        var isSame: Bool
        var compared: Int
        var differing: Int
        var first: Place?
        var worst: Place?
        var remarks: [String]
        var motion: [String]
    }

    private static let clip = "qq-mail --size 240x120 --fps 25"

    private func diff(_ bench: Bench, _ arguments: String...) throws -> (code: Int32, Difference) {
        let outcome = try bench.run(["diff", "--json"] + arguments)
        return (outcome.code, try JSONDecoder().decode(Difference.self, from: Data(outcome.output)))
    }

    @Test func encodingAgainIsNoDifference() throws {
        let bench = try Bench()
        try bench.encode(Self.clip, to: "a.mp4")
        for (quality, name) in [("23", "b.mp4"), ("28", "c.mkv")] {
            try bench.encode("\(Self.clip) --quality \(quality)", to: name)
            let (code, difference) = try diff(bench, "a.mp4", name)
            #expect(code == 0 && difference.isSame && difference.compared == 36, "\(name): \(difference)")
        }
        try bench.encode(Self.clip, to: "d.webm")
        #expect(try diff(bench, "a.mp4", "d.webm").code == 0)
        // One long picture is as good as several equal ones.
        try bench.encode("\(Self.clip) --hold 0.4", to: "even.mkv")
        try bench.encode("\(Self.clip) --hold 0.4 --static vfr", to: "long.mkv")
        #expect(try diff(bench, "even.mkv", "long.mkv").code == 0)
        // So long that they look like a rate of their own.
        for (name, mode) in [("even.gif", "cfr"), ("long.gif", "vfr")] {
            try bench.encode("qq-mail --step --scale 1 --static \(mode)", to: name)
        }
        let (code, difference) = try diff(bench, "even.gif", "long.gif")
        #expect(code == 0 && difference.remarks.isEmpty && difference.compared == 150, "\(difference)")
    }

    @Test func aChangedRowIsFoundWhereItIs() throws {
        let bench = try Bench()
        try bench.encode("\(Self.clip) --codec ffv1 --pixel-format bgra", to: "a.mkv")
        let row = "drawbox=enable='eq(n,17)':x=60:y=41:w=100:h=1:t=fill:c=black"
        try bench.ffmpeg(["-i", "a.mkv", "-vf", row, "-c:v", "ffv1", "b.mkv"])
        try bench.ffmpeg(["-i", "a.mkv", "-vf", row + ",format=rgba", "-f", "apng", "-plays", "0", "b.png"])
        for name in ["b.mkv", "b.png"] {
            let (code, difference) = try diff(bench, "a.mkv", name)
            #expect(code == 1 && difference.differing == 1 && difference.worst?.frame == 17, "\(name): \(difference)")
            #expect(difference.worst?.box == [60, 41, 100, 1], "\(name): \(difference)")
        }
        // Of a row that was encoded with loss as well.
        for (name, filter) in [("c.mp4", "null"), ("d.mp4", row)] {
            try bench.ffmpeg([
                "-i", "a.mkv", "-vf", filter, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "18", name,
            ])
        }
        let (code, difference) = try diff(bench, "c.mp4", "d.mp4")
        #expect(code == 1 && difference.differing == 1 && difference.first?.frame == 17, "\(difference)")
        #expect(difference.worst.map { $0.box[1] == 41 && $0.box[3] == 1 } == true, "\(difference)")
    }

    @Test func aPictureThatIsMissingOrDoubledIsFoundWhereItIs() throws {
        let bench = try Bench()
        try bench.encode("\(Self.clip) --codec ffv1 --pixel-format bgra", to: "a.mkv")
        let twice =
            "split[x][y];[x]trim=end_frame=10[a];[y]trim=start_frame=9:end_frame=35,setpts=PTS-STARTPTS[b];[a][b]concat"
        let mutants = [
            ("one.mkv", twice, 10),
            ("lost.mkv", "select='not(eq(n,9))',setpts=N/25/TB", 9),
            ("hole.mkv", "select='not(eq(n,9))'", 9),
        ]
        for (name, filter, frame) in mutants {
            try bench.ffmpeg(["-i", "a.mkv", "-vf", filter, "-fps_mode", "passthrough", "-c:v", "ffv1", name])
            let (code, difference) = try diff(bench, "a.mkv", name)
            #expect(code == 1 && difference.first?.frame == frame, "\(name): \(difference)")
        }
        let (_, hole) = try diff(bench, "a.mkv", "hole.mkv")
        #expect(hole.differing == 1 && hole.remarks.isEmpty, "\(hole)")
        let (_, lost) = try diff(bench, "a.mkv", "lost.mkv")
        #expect(lost.remarks.contains { $0.hasPrefix("lengths differ: 1.44 s with 36") }, "\(lost)")
    }

    @Test func knownLoadersAreSpokenOf() throws {
        let bench = try Bench()
        try bench.encode(Self.clip, to: "a.mp4")
        // Half a picture late throughout.
        try bench.encode("qq-mail --size 240x120 --fps 25 --cycles 1 --from 0.04", to: "late.mp4")
        let (code, difference) = try diff(bench, "a.mp4", "late.mp4")
        #expect(
            code == 1 && difference.motion.contains { $0.contains("early") && $0.contains("phase") }, "\(difference)")
        try bench.encode("jelly --size 96x96 --fps 10", to: "b.mp4")
        try bench.encode("jelly --size 96x96 --fps 10 --from 0.4", to: "c.mp4")
        #expect(try diff(bench, "b.mp4", "c.mp4").1.motion.isEmpty)
    }

    @Test func sizesAndDirectories() throws {
        let bench = try Bench()
        for folder in ["old", "new", "old/deep", "new/deep"] {
            try FileManager.default.createDirectory(atPath: bench.file(folder), withIntermediateDirectories: true)
        }
        for (name, options) in [
            ("old/same", ""), ("new/same", ""), ("old/deep/<b>&", ""), ("new/deep/<b>&", "--set radius=9"),
            ("old/gone", ""), ("new/came", ""), ("old/size", ""), ("new/size", "--scale 1"),
        ] { try bench.encode("qq-mail --fps 10 \(options)", to: "\(name).mp4") }
        for (folder, time) in [("old", "0"), ("new", "0.5")] {
            #expect(try bench.run(["still", "qq-mail", "--at", time, "-o", "\(folder)/still.png"]).code == 0)
        }
        try bench.write([1], to: "old/text")
        try bench.write([2], to: "new/text")
        let outcome = try bench.run(["diff", "old", "new", "--report", "r.html", "--junit", "r.xml"])
        #expect(outcome.code == 1 && outcome.lines.last == "7 files: 1 alike, 6 not", "\(outcome.text)")
        let page = String(decoding: try bench.bytes("r.html"), as: UTF8.self)
        #expect(page.contains("deep/&lt;b&gt;&amp;.mp4") && !page.contains("<b>"), "names are escaped")
        #expect(page.contains("data:image/png;base64,") && !page.contains("http:") && !page.contains("https:"))
        let report = String(decoding: try bench.bytes("r.xml"), as: UTF8.self)
        #expect(report.contains("tests=\"7\" failures=\"6\"") && report.contains("type=\"missing\""), "\(report)")
        #expect(outcome.text.contains("sizes differ: 480x240 and 120x60"), "\(outcome.text)")
        let picture = try bench.run(["diff", "old/deep/<b>&.mp4", "new/deep/<b>&.mp4", "--picture", "worst.png"])
        #expect(picture.code == 1)
        try bench.ffmpeg(["-i", "worst.png", "-f", "null", "-"])
        #expect(try bench.run(["diff", "old", "new"]).code == 1)
        #expect(try bench.run(["diff", "old", "old"]).code == 0)
        #expect(try bench.run(["diff", "old", "new/same.mp4"]).code == 64)
        #expect(try bench.run(["diff", "none.mp4", "new/same.mp4"]).code == 66)
        let none = try bench.run(["diff", "none", "new"])
        #expect(none.code == 66 && none.errorText.contains("no such file or directory"), "\(none.errorText)")
        for folder in ["empty", "void"] {
            try FileManager.default.createDirectory(
                atPath: bench.file(folder), withIntermediateDirectories: true)
        }
        let empty = try bench.run(["diff", "empty", "void"])
        #expect(empty.code == 66 && empty.errorLines.count == 1, "\(empty.text) \(empty.errorText)")
    }
}
