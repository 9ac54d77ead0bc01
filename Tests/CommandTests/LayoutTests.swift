import Foundation
import TestSupport
import Testing

/// Layouts, themes, titles, marks and speed labels, checked in output files.
@Suite struct LayoutTests {
    private let workspace: CommandFixture

    init() throws { workspace = try CommandFixture() }

    /// The image that `still` makes with some options.
    private func still(_ loader: String, _ options: String...) throws -> RGBABitmap {
        let common = ["still", loader, "--at", "1.1", "-o", "a.png", "--force"]
        let outcome = try workspace.run(common + options)
        try #require(outcome.code == 0, "\(outcome.errorText)")
        return try picture("a.png")
    }

    /// Annotated frames fill the layout up to its margins, given by name or by size.
    @Test(
        .slow,
        arguments: [
            ("--layout", "vertical", 1080, 1920), ("--layout", "square", 1080, 1080), ("--size", "640x480", 640, 480),
        ])
    func annotatedFramesFillTheLayout(option: String, value: String, width: Int, height: Int) throws {
        let picture = try still("jelly", "--annotate", "all", option, value)
        #expect((picture.width, picture.height) == (width, height))
        let (rows, columns) = try #require(picture.extent)
        let (across, down) = (Double(width) / 20, Double(height) / 20)
        #expect(Double(rows.lowerBound) > down - 2 && Double(rows.upperBound) < Double(height) - down + 2)
        #expect(Double(columns.lowerBound) > across - 4 && Double(columns.upperBound) < Double(width) - across + 4)
        #expect(Double(rows.count) > 0.85 * Double(height) && Double(columns.count) > 0.85 * Double(width))
    }

    @Test func plainFramesHaveTheLayoutsSize() throws {
        let plain = try still("qq-mail", "--layout", "square")
        #expect((plain.width, plain.height) == (1080, 1080) && plain.color(2, 2) == [255, 255, 255])
        let dark = try still("qq-mail", "--layout", "square", "--theme", "dark")
        #expect(dark.color(2, 2).allSatisfy { $0 < 50 } && dark.color(540, 400) == [255, 255, 255])
    }

    /// A title makes a frame taller; in a frame of a given size it takes space from the canvas.
    @Test func titlesAreDrawn() throws {
        let bare = try still("qq-mail")
        let titled = try still("qq-mail", "--title", "Three balls")
        #expect(titled.width == bare.width && titled.height > bare.height + 20)
        let (rows, _) = try #require(titled.extent)
        #expect(rows.lowerBound < titled.height - bare.height)
        let sized = try still("qq-mail", "--size", "800x600", "--title", "Three balls")
        #expect((sized.width, sized.height) == (800, 600))
        let refused = try workspace.run([
            "encode", "iqiyi", "--title", String(repeating: "x", count: 150), "-o", "b.mp4",
        ])
        expectRefusal(refused, 64, ["title", "does not fit", "shorter"])
        #expect(try workspace.directory.names() == ["a.png"])
    }

    /// A mark is in the upper right corner, within the margins.
    @Test(.slow) func marksAreDrawn() throws {
        let logo = try run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "color=0xff00ff:s=64x32,format=rgb24", "-frames:v", "1",
                path("m.png"),
            ])
        try #require(logo.code == 0, "\(logo.errorText)")
        for options in [[], ["--layout", "wide"], ["--layout", "vertical", "--annotate", "all"]] as [[String]] {
            let common = ["still", "jelly", "--at", "1", "--mark", "m.png", "--background", "#ffffff", "--force"]
            let outcome = try workspace.run(common + options + ["-o", "a.png"])
            try #require(outcome.code == 0, "\(outcome.errorText)")
            let picture = try picture("a.png")
            let pink = picture.positions(of: [255, 0, 255])
            let side = min(picture.width, picture.height)
            #expect(pink.count > side * side / 400 && pink.count < side * side / 40, "\(pink.count)")
            #expect(pink.allSatisfy { $0.x > picture.width / 2 && $0.y < picture.height / 4 })
            #expect(pink.allSatisfy { Double($0.x) <= 0.95 * Double(picture.width) + 1 })
            #expect(pink.allSatisfy { Double($0.y) >= 0.05 * Double(picture.height) - 1 })
        }
        expectRefusal(
            try workspace.run(["still", "jelly", "--at", "1", "--mark", "no.png", "-o", "b.png"]), 66, ["no.png"])
        try Data("this is no picture".utf8).write(to: URL(fileURLWithPath: path("bad.png")))
        let bad = try workspace.run(["still", "jelly", "--at", "1", "--mark", "bad.png", "-o", "b.png"])
        expectRefusal(bad, 65, ["bad.png"])
    }

    /// With `--side-by-side`, slow motion adds a line of speed labels.
    @Test func speedsAreLabelled() throws {
        func height(_ options: String...) throws -> Int {
            let outcome = try workspace.run(
                ["encode", "qq-mail", "--fps", "10", "--progress", "none", "--force", "-o", "s.mp4"] + options)
            try #require(outcome.code == 0, "\(outcome.errorText)")
            return try Probe(path("s.mp4"), frames: false).stream.height
        }
        let same = try height("--side-by-side")
        #expect(same == 240)
        #expect(try height("--side-by-side", "--slowmo", "4") > same, "a line of speeds above")
        #expect(try height("--slowmo", "4") == same)
    }

    /// A still, decoded by ffmpeg.
    private func picture(_ name: String) throws -> RGBABitmap {
        let size = ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", path(name)]
        let sides = try run("ffprobe", size).text.split { !$0.isNumber }.compactMap { Int($0) }
        let raw = ["-v", "error", "-i", path(name), "-pix_fmt", "rgba", "-f", "rawvideo", "-"]
        let pixels = try run("ffmpeg", raw).output
        try #require(sides.count == 2 && pixels.count == 4 * sides[0] * sides[1])
        return RGBABitmap(width: sides[0], height: sides[1], rgba: pixels)
    }

    private func path(_ name: String) -> String { workspace.directory.file(name) }
}
