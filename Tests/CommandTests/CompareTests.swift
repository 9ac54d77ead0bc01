import Foundation
import TestSupport
import Testing

/// The results and errors of `compare`.
@Suite struct CompareTests {
    private let workspace: CommandFixture

    init() throws { workspace = try CommandFixture() }

    private func clip(_ loader: String, _ options: String..., to name: String) throws {
        let common = ["--scale", "2", "--fps", "30", "--speed", "ultrafast", "--progress", "none", "-o", name]
        let outcome = try workspace.run(["encode", loader] + options + common)
        try #require(outcome.code == 0, "\(outcome.errorText)")
    }

    /// Loaders without balls are compared by frames, which finds their position, scale, speed and
    /// start.
    @Test(arguments: some(of: ["iqiyi", "qq", "preloader", "jelly", "oneloading"], each: 2))
    func otherLoadersAreComparedByFrames(loader: String) throws {
        try clip(loader, "--slowmo", "2", "--cycles", "1", "--background", "#f4f0e8", "--quality", "8", to: "own.mp4")
        let filter = ["-vf", "pad=iw+60:ih+30:40:10:color=0xf4f0e8", "-crf", "8", "-color_range", "tv"]
        try TestSupport.run(
            "ffmpeg", ["-v", "error", "-i", "own.mp4"] + filter + ["placed.mp4"], directory: workspace.directory)
        let outcome = try workspace.run(["compare", "placed.mp4", "--as", loader, "--json"])
        #expect(outcome.code == 0, "\(outcome.errorText)")
        let report = try #require(JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
        func number(_ key: String) -> Double { report[key] as? Double ?? .nan }
        #expect(number("psnr") >= 28, "\(report)")
        #expect(abs(number("scale") - 2) < 0.03 && abs(number("speed") - 0.5) < 0.006, "\(report)")
        #expect(abs(number("x") - 40) < 1.5 && abs(number("y") - 10) < 1.5, "\(report)")
    }

    @Test func anotherLoaderDoesNotMatch() throws {
        try clip("jelly", to: "own.mp4")
        let outcome = try workspace.run(["compare", "own.mp4", "--as", "iqiyi"])
        expectRefusal(outcome, 65, ["own.mp4 does not show iqiyi", "dB"])
    }

    @Test func theReportIsAsDocumented() throws {
        try clip("qq-mail", "--slowmo", "2", to: "own.mp4")
        let outcome = try workspace.run(["compare", "own.mp4", "--as", "qq-mail", "--json"])
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errorText)")
        let report = try #require(JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
        let keys = ["loader", "scale", "speed", "start", "x", "y", "rmsPx", "rms", "phases", "worst"]
        #expect(Set(report.keys) == Set(keys))
        let phases = try #require(report["phases"] as? [[String: Any]])
        #expect(phases.count == 6 && phases.allSatisfy { Set($0.keys) == ["phase", "name", "rms", "max"] })
        let worst = try #require(report["worst"] as? [String: Any])
        #expect(Set(worst.keys) == ["frame", "time", "object", "deviation"])
        let numbers = keys.compactMap { key in (report[key] as? Double).map { (key, $0) } }
        let figures = Dictionary(uniqueKeysWithValues: numbers)
        for (key, value, slack) in [
            ("scale", 2, 0.04), ("speed", 0.5, 0.005), ("x", 0, 1), ("y", 0, 1), ("rmsPx", 0, 0.5), ("rms", 0, 0.25),
        ] { #expect(abs((figures[key] ?? .infinity) - value) <= slack, "\(key): \(figures)") }
    }

    /// A ball with another colour is a different object, unless its colour is set.
    @Test func aRecolouredBallIsNotMissing() throws {
        try clip("qq-mail", "--set", "green=hotpink", to: "pink.mp4")
        let refused = try workspace.run(["compare", "pink.mp4", "--as", "qq-mail"])
        expectRefusal(refused, 65, ["not those of qq-mail", "green #00ff00", "--set"])
        let told = try workspace.run(["compare", "pink.mp4", "--as", "qq-mail", "--set", "green=hotpink"])
        #expect(told.code == 0 && told.text.contains("worst"), "\(told.errorText)")
        expectRefusal(try workspace.run(["compare", "pink.mp4", "--as", "qq-mail", "--set", "green=grue"]), 64)
    }

    /// Lack of memory for an image is an internal error (70), not a usage error.
    @Test(arguments: [
        "analyze own.mp4 --plot picture.png", "still qq-mail --at 0 -o picture.png", "sheet qq-mail -o picture.png",
        "phases qq-mail --plot picture.png", "list --picture picture.png",
    ])
    func failedImagesAreInternalErrors(command: String) throws {
        if command.hasPrefix("analyze") { try clip("qq-mail", to: "own.mp4") }
        let before = try workspace.directory.names()
        try makeFile(
            "int cairo_surface_write_to_png_stream(void *a, void *b, void *c) { return 1; }",
            at: workspace.directory.file("fault.c"))
        let fault = workspace.directory.file("fault.so")
        _ = try run("clang", ["-shared", "-fPIC", "-o", fault, workspace.directory.file("fault.c")])
        let words = command.split(separator: " ").map(String.init)
        let outcome = try workspace.run(words, environment: ["LD_PRELOAD": fault])
        expectRefusal(outcome, 70, ["PNG: out of memory"])
        #expect(try Set(workspace.directory.names()) == Set(before + ["fault.c", "fault.so"]))
    }
}
