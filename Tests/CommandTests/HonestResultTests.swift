import Foundation
import TestSupport
import Testing

/// Messages about results that are lost, files beside the clip, and options without effect.
@Suite struct HonestResultTests {
    @Test(arguments: ["list", "telemetry qq-mail --fps 10", "phases qq-mail --json"])
    func resultsForAClosedOutputAreAnError(line: String) throws {
        let workspace = try CommandFixture()
        let shell = try Subprocess(
            "/bin/sh", ["-c", "exec \"$0\" \(line) >&-", Program.path], directory: workspace.directory)
        let outcome = try shell.wait()
        #expect(outcome.code == 73)
        #expect(
            outcome.errorText == "loadervid: standard output is closed; redirect it to a file or a pipe\n")
    }

    @Test func optionsWithoutEffectGiveANote() throws {
        let workspace = try CommandFixture()
        func notes(_ options: String...) throws -> [String] {
            let outcome = try workspace.run(
                ["encode", "qq-mail", "--scale", "1", "--progress", "plain", "--force", "-o", "a.mp4"] + options)
            try #require(outcome.code == 0, "\(outcome.errorText)")
            return outcome.errorLines.filter { $0.contains(": note: ") }
        }
        #expect(try notes("--step").isEmpty)
        let stepped = try notes("--step", "--slowmo", "2")
        #expect(stepped.count == 1 && stepped[0].hasPrefix("a.mp4: note: --slowmo has no effect with --step"))
        let plain = try notes("--font", "DejaVu Sans")
        #expect(plain == ["a.mp4: note: --font has no effect, because the frames have no text"])
        #expect(try notes("--font", "DejaVu Sans", "--title", "Balls").isEmpty)
    }

    @Test func filesBesideTheClipAreNamed() throws {
        let workspace = try CommandFixture()
        let clip = ["encode", "qq-mail", "--scale", "1", "--poster", "--progress", "none"]
        #expect(try workspace.run(clip + ["-o", "a.mp4"]).text.contains(", with a.png"))
        #expect(try workspace.directory.names() == ["a.mp4", "a.png"])
        let piped = try workspace.run(clip + ["-o", "-", "--format", "mp4"])
        #expect(piped.code == 0 && !piped.errorText.contains(".png"), "\(piped.errorText)")
    }

    @Test func namesInCaptionsChooseObjects() throws {
        let workspace = try CommandFixture()
        func phases(_ objects: String) throws -> Outcome {
            try workspace.run([
                "still", "qq-mail", "--annotate", "labels", "--objects", objects, "-o", "a.png", "--force",
            ])
        }
        #expect(try phases("红球").code == 0)
        let twice = try phases("red,红球")
        #expect(twice.code == 64)
        #expect(twice.errorText == "loadervid: --objects: 'red' is chosen twice; remove one of them\n")
    }

    @Test func anAnimationIsNotAScript() throws {
        let workspace = try CommandFixture()
        try makeFile("{}", at: workspace.directory.file("my spinner.json"))
        let outcome = try workspace.run(["tutorial", "my spinner.json", "-o", "a.mp4"])
        #expect(outcome.code == 65)
        #expect(outcome.errorText.hasSuffix("tutorial new \"my spinner.json\" -o \"my spinner.yaml\"\n"))
        #expect(try workspace.run(["tutorial", "none.json", "-o", "a.mp4"]).code == 66)
    }

    @Test func aLoopOfLinksIsNotMissing() throws {
        let workspace = try CommandFixture()
        let path = workspace.directory.file("loop.yaml")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "loop.yaml")
        let outcome = try workspace.run(["presets", "validate", "loop.yaml"])
        #expect(outcome.code == 66 && outcome.errorText.hasSuffix("; name the file itself instead of the link\n"))
    }
}
