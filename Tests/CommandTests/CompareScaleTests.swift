import Foundation
import TestSupport
import Testing

/// The scale of Lottie files in recordings, and the parts of a recording that `compare` judges.
@Suite struct CompareScaleTests {
    private let workspace: CommandFixture

    init() throws { workspace = try CommandFixture() }

    private func still(_ value: Any) -> [String: Any] { ["a": 0, "k": value] }

    /// Returns keyframes from pairs of frame and value.
    private func keyframes(_ keys: [(Double, [Double])]) -> [String: Any] {
        let list: [[String: Any]] = keys.map { frame, value in
            ["t": frame, "s": value, "o": ["x": [0.42], "y": [0.0]], "i": ["x": [0.58], "y": [1.0]]]
        }
        return ["a": 1, "k": list]
    }

    /// Returns a layer with a disc in a canvas of 1000 units.
    private func disc(_ name: String, _ path: [(Double, [Double])], diameter: Double) -> [String: Any] {
        let transform: [String: Any] = [
            "o": still(100), "r": still(0), "p": keyframes(path), "a": still([0, 0, 0]), "s": still([100, 100, 100]),
        ]
        let shapes: [[String: Any]] = [
            ["ty": "el", "p": still([0, 0]), "s": still([diameter, diameter])],
            ["ty": "fl", "c": still([0.1, 0.3, 0.8, 1]), "o": still(100), "r": 1],
            ["ty": "tr", "p": still([0, 0]), "a": still([0, 0]), "s": still([100, 100]), "o": still(100)],
        ]
        return [
            "ind": 1, "ty": 4, "nm": name, "ks": transform, "shapes": [["ty": "gr", "nm": "g", "it": shapes]],
            "ip": 0, "op": 60, "st": 0, "sr": 1,
        ]
    }

    private func write(_ name: String, _ layers: [[String: Any]]) throws {
        let file: [String: Any] = [
            "v": "5.7.0", "fr": 60, "ip": 0, "op": 60, "w": 1000, "h": 800, "assets": [], "layers": layers,
        ]
        try JSONSerialization.data(withJSONObject: file).write(
            to: URL(fileURLWithPath: workspace.directory.file(name)))
    }

    /// Writes a file in which one disc moves from side to side, and another up and down.
    private func writeDiscs(_ name: String, second: Double = 160) throws {
        let left = disc("left", [(0, [200, 400]), (30, [700, 400]), (60, [200, 400])], diameter: 160)
        let right = disc("right", [(0, [820, 150]), (30, [820, 650]), (60, [820, 150])], diameter: second)
        try write(name, [left, right])
    }

    /// Records a file at a width in pixels, on a page of 390x500 pixels.
    private func record(_ file: String, width: Int, to name: String) throws {
        let size = "\(width)x\(width * 4 / 5)"
        let options = ["--size", size, "--fps", "30", "--cycles", "2", "--progress", "none", "-o", "own.mp4"]
        let encoded = try workspace.run(["encode", file] + options)
        try #require(encoded.code == 0, "\(encoded.errorText)")
        let filter = ["-vf", "pad=390:500:70:130:color=white", "-crf", "18", "-color_range", "tv", "-y"]
        try run("ffmpeg", ["-v", "error", "-i", "own.mp4"] + filter + [name], directory: workspace.directory)
    }

    /// Runs `compare` and returns its exit code, and its output with that of errors.
    private func compare(_ arguments: String...) throws -> (code: Int32, text: String) {
        let outcome = try workspace.run(["compare"] + arguments)
        return (outcome.code, outcome.text + outcome.errorText)
    }

    /// The view of an app scales the canvas of a Lottie file as it likes.
    @Test(.slow, arguments: some(of: [100, 240, 320], each: 2)) func anyScaleOfALottieFileIsRight(width: Int) throws {
        try writeDiscs("discs.json")
        try record("discs.json", width: width, to: "page.mp4")
        let (code, text) = try compare("page.mp4", "--as", "discs.json")
        #expect(code == 0 && text.contains("note: the canvas of 1000 x 800 is shown at \(width) x"), "\(text)")
        let strict = try compare("page.mp4", "--as", "discs.json", "--strict")
        #expect(strict.code == 1 && strict.text.contains("which no device has; pass --scale 0."), "\(strict.text)")
    }

    /// A scale that is not known does not hide what differs, and elements have the names of layers.
    @Test(.slow) func differencesAreFoundAtAnyScale() throws {
        try writeDiscs("discs.json")
        try writeDiscs("small.json", second: 120)
        try record("small.json", width: 240, to: "page.mp4")
        let (code, text) = try compare("page.mp4", "--as", "discs.json")
        #expect(code == 1 && text.contains("- right is 2"), "\(text)")
        let turn: [(Double, [Double])] = [(0, [300, 300]), (20, [700, 300]), (40, [500, 650]), (60, [300, 300])]
        try write("other.json", [disc("turn", turn, diameter: 160)])
        let other = try compare("page.mp4", "--as", "other.json")
        #expect([1, 65].contains(other.code), "\(other.text)")
    }

    /// The reason why a part cannot be judged names the part.
    @Test func partsWithoutTheLoaderAreNamed() throws {
        try writeDiscs("discs.json")
        try record("discs.json", width: 240, to: "page.mp4")
        let late = try compare("page.mp4", "--as", "discs.json", "--from", "10")
        let end = "from: 10.0 s is after the end of page.mp4 at 2.0 s"
        #expect(late.code == 65 && late.text.contains(end), "\(late.text)")
        let short = try compare("page.mp4", "--as", "discs.json", "--from", "0.5", "--to", "0.54")
        #expect(short.code == 65 && short.text.contains("has 2 frames from 0.5 s to 0.54 s"), "\(short.text)")
        let empty = try compare("page.mp4", "--as", "discs.json", "--crop", "0,0,390,100")
        let words = "nothing inside the crop moves like discs.json; compare another loader, or pass another --crop"
        #expect(empty.code == 65 && empty.text.contains(words), "\(empty.text)")
    }

    /// Another colour does not make a larger loader one with another parameter.
    @Test(.slow) func aLargerLoaderOfAnotherColorIsLarger() throws {
        let options = ["--set", "green=#00b060", "--size", "256x128", "--fps", "60", "--cycles", "2"]
        let encoded = try workspace.run(["encode", "qq-mail"] + options + ["--progress", "none", "-o", "own.mp4"])
        try #require(encoded.code == 0, "\(encoded.errorText)")
        let filter = ["-vf", "crop=240:120", "-crf", "18", "-color_range", "tv", "-y"]
        try run("ffmpeg", ["-v", "error", "-i", "own.mp4"] + filter + ["large.mp4"], directory: workspace.directory)
        let (code, text) = try compare("large.mp4", "--as", "qq-mail")
        #expect(code == 1 && text.contains(/the loader is 6\.\d% larger than designed/), "\(text)")
        #expect(text.contains("green is #") && !text.contains("offset"), "\(text)")
    }

    @Test(.slow) func reportsHaveTheTimeThatJudgingTook() throws {
        try writeDiscs("discs.json")
        try record("discs.json", width: 240, to: "page.mp4")
        _ = try compare("page.mp4", "--as", "discs.json", "--junit", "report.xml")
        let report = try String(contentsOfFile: workspace.directory.file("report.xml"), encoding: .utf8)
        #expect(report.contains("name=\"page.mp4\"") && !report.contains("time=\"0.000\""), "\(report)")
    }
}
