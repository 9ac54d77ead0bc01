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

    /// Runs `compare` and returns its exit code and the report of the only recording.
    private func compare(_ arguments: [String]) throws -> (code: Int32, recording: [String: Any]) {
        let outcome = try workspace.run(["compare"] + arguments + ["--json"])
        let report = try #require(
            JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any], "\(outcome.errorText)")
        #expect(report["schema"] as? Int == 1)
        let recordings = try #require(report["recordings"] as? [[String: Any]])
        return (outcome.code, try #require(recordings.first))
    }

    private func findings(_ recording: [String: Any]) -> [[String: Any]] {
        recording["findings"] as? [[String: Any]] ?? []
    }

    /// A loader matches its own clips, on another background and anywhere in the frame.
    @Test(.slow, arguments: some(of: ["iqiyi", "qq", "qq-mail", "oneloading"], each: 4))
    func ownClipsMatch(loader: String) throws {
        try clip(loader, "--slowmo", "2", "--cycles", "1", "--background", "#f4f0e8", "--quality", "12", to: "own.mp4")
        let filter = ["-vf", "pad=iw+60:ih+30:40:10:color=0xf4f0e8", "-crf", "12", "-color_range", "tv"]
        try TestSupport.run(
            "ffmpeg", ["-v", "error", "-i", "own.mp4"] + filter + ["placed.mp4"], directory: workspace.directory)
        let (code, recording) = try compare(["placed.mp4", "--as", loader, "--speed", "1/2"])
        #expect(code == 0 && recording["outcome"] as? String == "matches", "\(recording)")
        let fit = try #require(recording["fit"] as? [String: Any])
        func number(_ key: String) -> Double { fit[key] as? Double ?? .nan }
        #expect(number("scale") == 2 && abs(number("speed") - 0.5) < 0.002, "\(fit)")
        #expect(abs(number("x") - 40) < 0.5 && abs(number("y") - 10) < 0.5, "\(fit)")
    }

    /// A GIF may show its last frame for longer. Players stretch pixels that are not square.
    @Test(.slow) func containersMayHoldAndStretch() throws {
        try clip("qq-mail", to: "own.mp4")
        let animation = ["encode", "qq-mail", "--scale", "2", "--fps", "25", "--progress", "none", "-o", "own.gif"]
        try #require(workspace.run(animation).code == 0)
        for arguments in [
            ["own.gif", "-c", "copy", "-final_delay", "300", "held.gif"],
            ["own.mp4", "-c", "copy", "-aspect", "8:3", "wide.mp4"],
        ] {
            try TestSupport.run("ffmpeg", ["-v", "error", "-i"] + arguments, directory: workspace.directory)
        }
        #expect(try compare(["held.gif", "--as", "qq-mail"]).code == 0)
        let (code, recording) = try compare(["wide.mp4", "--as", "qq-mail"])
        #expect(code == 1 && findings(recording).map { $0["kind"] as? String } == ["size"], "\(recording)")
    }

    /// A colour within the tolerance does not hide another one, and a change has one name.
    @Test(.slow) func colorsWithinTheToleranceHideNoOthers() throws {
        try clip(
            "qq-mail", "--cycles", "2", "--quality", "12", "--set", "green=#00ff57", "--set", "yellow=#baff0b",
            to: "own.mp4")
        let (code, recording) = try compare(["own.mp4", "--as", "qq-mail"])
        let texts = findings(recording).compactMap { $0["text"] as? String }
        #expect(code == 1 && texts.count == 1 && texts.allSatisfy { $0.hasPrefix("yellow is") }, "\(texts)")
    }

    /// A part of a recording has the start of the whole, later by the time of its first frame.
    @Test(.slow) func partsMatchLikeTheWhole() throws {
        try clip("qq-mail", "--cycles", "2", to: "own.mp4")
        let arguments = ["own.mp4", "--as", "qq-mail"]
        let whole = try compare(arguments)
        let part = try compare(arguments + ["--from", "0.37"])
        #expect(whole.code == 0 && part.code == 0, "\(whole.recording) \(part.recording)")
    }

    /// Another speed is the only finding for a loader whose coloured area ends at the frame's edge,
    /// also if the recording is shorter than a designed cycle.
    @Test(.slow, arguments: [("4/5", 1.25), ("2", 0.5)])
    func speedsOfAreasAtTheEdgeAreNamed(slowMotion: String, speed: Double) throws {
        try clip("jelly", "--slowmo", slowMotion, to: "own.mp4")
        let (code, recording) = try compare(["own.mp4", "--as", "jelly"])
        let found = findings(recording)
        #expect(code == 1 && found.map { $0["kind"] as? String } == ["speed"], "\(found)")
        let fit = try #require(recording["fit"] as? [String: Any])
        #expect(abs((fit["speed"] as? Double ?? .nan) / speed - 1) < 0.005, "\(fit)")
    }

    @Test func anotherLoaderDoesNotMatch() throws {
        try clip("qq-mail", to: "own.mp4")
        let outcome = try workspace.run(["compare", "own.mp4", "--as", "iqiyi"])
        #expect([1, 65].contains(outcome.code), "\(outcome.text)")
    }

    /// A changed parameter is named with its value.
    @Test(
        .slow,
        arguments: some(
            of: [
                ("qq-mail", "offset=33", "offset", 33.0), ("oneloading", "radius=43", "radius", 43),
                ("iqiyi", "ringWidth=9", "ringWidth", 9),
            ], each: 2))
    func changedParametersAreNamed(loader: String, setting: String, name: String, value: Double) throws {
        try clip(loader, "--set", setting, to: "changed.mp4")
        let (code, recording) = try compare(["changed.mp4", "--as", loader])
        #expect(code == 1)
        let finding = try #require(findings(recording).first)
        #expect(finding["kind"] as? String == "parameter" && finding["object"] as? String == name, "\(finding)")
        let actual = try #require((finding["actual"] as? String).flatMap(Double.init))
        #expect(abs(actual - value) < 0.3, "\(finding)")
        #expect(try compare(["changed.mp4", "--as", loader, "--set", setting]).code == 0)
    }

    /// Lines less than a pixel wide in the usual view are judged in a detail view.
    @Test(.slow, arguments: [("turn", 1.25), ("circleRadius", 24.0)])
    func parametersOfThinLinesAreNamed(name: String, value: Double) throws {
        try clip("jelly", "--set", "\(name)=\(value)", to: "changed.mp4")
        let (code, recording) = try compare(["changed.mp4", "--as", "jelly"])
        let found = findings(recording).filter { $0["isAlternative"] as? Bool == false }
        #expect(code == 1 && found.count == 1, "\(found)")
        let finding = try #require(found.first)
        #expect(finding["object"] as? String == name, "\(finding)")
        let actual = try #require((finding["actual"] as? String).flatMap(Double.init))
        #expect(abs(actual / value - 1) < 0.02, "\(finding)")
        #expect(try compare(["changed.mp4", "--as", "jelly", "--set", "\(name)=\(value)"]).code == 0)
    }

    /// Two lengths that differ alike do not mean another size of the loader, or jumps in time. A
    /// larger radius looks like a wider outline, so the second one may be named after either.
    @Test(.slow) func twoParametersAreParameters() throws {
        try clip("qq-mail", "--set", "offset=33", "--set", "radius=7", to: "changed.mp4")
        let (code, recording) = try compare(["changed.mp4", "--as", "qq-mail"])
        #expect(code == 1)
        let found = findings(recording).filter { $0["isAlternative"] as? Bool == false }
        #expect(Set(found.compactMap { $0["kind"] as? String }) == ["parameter"], "\(found)")
        let objects = Set(found.compactMap { $0["object"] as? String })
        #expect(objects.contains("offset") && !objects.isDisjoint(with: ["radius", "strokeWidth"]), "\(found)")
    }

    /// A record that turns twice as fast does not mean another speed of the loader.
    @Test(.slow) func anotherSpeedOfOneElementIsNamed() throws {
        try clip("douyin", "--set", "turn=1.5", to: "fast.mp4")
        let finding = try #require(findings(try compare(["fast.mp4", "--as", "douyin"]).recording).first)
        #expect(finding["object"] as? String == "turn" && finding["actual"] as? String == "1.5", "\(finding)")
    }

    /// The distance of a gesture is a parameter, although it is a part of a text.
    @Test(.slow) func aShorterPullIsNamed() throws {
        let gesture = "gesture=0:0,0.36:0,1.44:50:easeInEaseOut,1.8:50,2.34:0:easeOut,2.88:0"
        try clip("qq-pull", "--set", gesture, to: "short.mp4")
        let finding = try #require(findings(try compare(["short.mp4", "--as", "qq-pull"]).recording).first)
        #expect(finding["object"] as? String == "gesture", "\(finding)")
        #expect(abs((finding["size"] as? Double ?? 0) - 10) < 1.5, "\(finding)")
    }

    /// Another timing function of one interval is named although other elements move meanwhile, so
    /// that no other time shows the same.
    @Test(.slow) func theEasingOfAGestureIsNamed() throws {
        let gesture = "gesture=0:0,0.36:0,1.44:60:easeInEaseOut,1.8:60,2.34:0:linear,2.88:0"
        try clip("qq", "--set", gesture, to: "linear.mp4")
        let (code, recording) = try compare(["linear.mp4", "--as", "qq"])
        let found = findings(recording)
        #expect(code == 1 && found.map { $0["kind"] as? String } == ["easing"], "\(found)")
        let finding = try #require(found.first)
        #expect(finding["expected"] as? String == "easeOut" && finding["actual"] as? String == "linear", "\(finding)")
    }

    /// A delay between elements is named, although the start was fitted to one of those it moves.
    @Test(.slow) func aDelayRatioIsNamed() throws {
        try clip("preloader", "--set", "delayRatio=0.1", to: "delayed.mp4")
        let (code, recording) = try compare(["delayed.mp4", "--as", "preloader"])
        let found = findings(recording)
        #expect(code == 1 && found.map { $0["object"] as? String } == ["delayRatio"], "\(found)")
        let finding = try #require(found.first)
        let actual = try #require((finding["actual"] as? String).flatMap(Double.init))
        #expect(abs(actual - 0.1) < 0.003, "\(finding)")
    }

    /// Until the colour is known, its difference hides the frames that the delay changes.
    @Test(.slow) func aDelayRatioIsNamedBesideAColor() throws {
        try clip("preloader", "--set", "delayRatio=0.1", "--set", "color=#c03060", to: "both.mp4")
        let (code, recording) = try compare(["both.mp4", "--as", "preloader"])
        let found = findings(recording)
        #expect(code == 1 && found.map { $0["object"] as? String } == ["color", "delayRatio"], "\(found)")
    }

    /// The ends of a thin line do not overlap their designed positions after a skip of four frames,
    /// so the time that they show is found in a series of small steps.
    @Test(.slow) func missingFramesAreCounted() throws {
        let options = ["--scale", "2", "--fps", "60", "--cycles", "2", "--progress", "none", "-o", "own.mp4"]
        try #require(try workspace.run(["encode", "oneloading"] + options).code == 0)
        let filter = "select='not(between(n,150,153))',setpts=N/60/TB"
        try TestSupport.run(
            "ffmpeg", ["-v", "error", "-i", "own.mp4", "-vf", filter, "-r", "60", "skips.mp4"],
            directory: workspace.directory)
        let found = findings(try compare(["skips.mp4", "--as", "oneloading"]).recording)
        #expect(found.map { $0["kind"] as? String } == ["missingFrames"], "\(found)")
        #expect(found.first.flatMap { $0["size"] as? Double } == 4, "\(found)")
    }

    /// Content other than a loader cannot be judged, instead of having differences.
    @Test(.slow, arguments: some(of: ["iqiyi", "qq-mail"], each: 2))
    func otherContentIsRefused(loader: String) throws {
        try workspace.shellMustSucceed("ffmpeg -v error -f lavfi -i testsrc=s=320x240:r=30:d=3 pattern.mp4")
        let outcome = try workspace.run(["compare", "pattern.mp4", "--as", loader])
        expectRefusal(outcome, 65, ["pattern.mp4 cannot be judged", loader])
    }

    /// Findings are printed even if a file that shows them cannot be written.
    @Test(.slow) func aFailedPictureKeepsTheVerdict() throws {
        try clip("qq-mail", "--set", "offset=34", to: "far.mp4")
        try makeFile(
            "int cairo_surface_write_to_png_stream(void *a, void *b, void *c) { return 1; }",
            at: workspace.directory.file("fault.c"))
        let fault = workspace.directory.file("fault.so")
        _ = try run("clang", ["-shared", "-fPIC", "-o", fault, workspace.directory.file("fault.c")])
        let outcome = try workspace.run(
            ["compare", "far.mp4", "--as", "qq-mail", "--picture", "w.png"], environment: ["LD_PRELOAD": fault])
        #expect(outcome.code == 70, "\(outcome.errorText)")
        #expect(outcome.text.contains("- offset 34"), "\(outcome.text)")
    }

    @Test(arguments: [
        ("--scale", "0", "--scale: 0 is below the minimum of 0.025"),
        ("--speed", "1000", "--speed: 1000 is above the maximum of 100"),
    ])
    func numbersOutOfRangeAreUsageErrors(option: String, value: String, message: String) throws {
        try clip("qq-mail", to: "own.mp4")
        expectRefusal(try workspace.run(["compare", "own.mp4", "--as", "qq-mail", option, value]), 64, [message])
    }

    @Test(.slow) func aRecolouredBallIsNamed() throws {
        try clip("qq-mail", "--set", "green=#00c800", to: "dark.mp4")
        let (code, recording) = try compare(["dark.mp4", "--as", "qq-mail"])
        #expect(code == 1)
        let finding = try #require(findings(recording).first)
        #expect(finding["object"] as? String == "green" && finding["expected"] as? String == "#00ff00", "\(finding)")
        let told = try workspace.run(["compare", "dark.mp4", "--as", "qq-mail", "--set", "green=#00c800"])
        #expect(told.code == 0 && told.text.contains("matches qq-mail"), "\(told.errorText)")
        expectRefusal(try workspace.run(["compare", "dark.mp4", "--as", "qq-mail", "--set", "green=grue"]), 64)
    }

    @Test(.slow) func anotherSpeedIsNamed() throws {
        try clip("qq-mail", "--slowmo", "10/9", to: "slow.mp4")
        let (code, recording) = try compare(["slow.mp4", "--as", "qq-mail"])
        #expect(code == 1)
        let finding = try #require(findings(recording).first)
        #expect(finding["kind"] as? String == "speed", "\(finding)")
        #expect(abs((finding["size"] as? Double ?? 0) - 0.9) < 0.01, "\(finding)")
    }

    /// The exit code is the worst of all recordings, and the JUnit report has a case for each.
    @Test(.slow) func severalRecordings() throws {
        try clip("qq-mail", to: "own.mp4")
        let arguments = ["compare", "own.mp4", "none.mp4", "--as", "qq-mail", "--junit", "report.xml"]
        let outcome = try workspace.run(arguments)
        #expect(outcome.code == 66 && outcome.text.contains("own.mp4: matches qq-mail"), "\(outcome.text)")
        let report = try String(contentsOfFile: workspace.directory.file("report.xml"), encoding: .utf8)
        #expect(report.contains("tests=\"2\"") && report.contains("none.mp4"), "\(report)")
    }

    @Test(arguments: [
        ["--tolerance", "points"], ["--tolerance", "inches=1"], ["--crop", "1,2,3"], ["--crop", "0,0,0,9"],
        ["--from", "2", "--to", "1"], ["--speed", "0"],
    ])
    func wrongOptionsAreUsageErrors(options: [String]) throws {
        try clip("qq-mail", to: "own.mp4")
        expectRefusal(try workspace.run(["compare", "own.mp4", "--as", "qq-mail"] + options), 64)
    }

    /// Lack of memory for an image is an internal error (70), not a usage error.
    @Test(
        .slow,
        arguments: [
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
