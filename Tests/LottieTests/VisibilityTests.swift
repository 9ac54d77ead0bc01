import Foundation
import TestSupport
import Testing

@testable import Lottie

/// A clip in which nothing is visible is rendered with a warning.
@Suite struct VisibilityTests {
    private func whiteDisc(_ more: [String: JSON] = [:]) -> JSON {
        lottie(shapes(ellipse([0, 0], [40, 40]), fill([1, 1, 1]), at: ["p": [50, 50]], more))
    }
    private static let reason = "warning: nothing is visible: everything is drawn in the background's colour #ffffff"

    /// Returns the standard error of a command, which must succeed, without progress lines.
    private func errors(_ fixture: LottieCommandFixture, _ line: String) throws -> String {
        let outcome = try Subprocess(
            builtProgram, line.split(separator: " ").map(String.init), directory: fixture.directory
        ).wait()
        try #require(outcome.code == 0, "\(outcome.errorText)")
        return outcome.errorLines.filter { !$0.contains(" frames/s") }.map { $0 + "\n" }.joined()
    }

    @Test(
        .slow,
        arguments: [
            "encode film.json -o a.mp4", "encode film.json -o a.gif",
            "encode film.json --slowmo 3 --cycles 2 -o a.webm", "encode film.json --progress none -o a.mp4",
            "still film.json -o a.png",
            "still film.json --at 0.5 -o a.png",
        ])
    func whiteOnWhiteIsReported(command: String) throws {
        let fixture = try LottieCommandFixture(whiteDisc())
        let name = String(command.split(separator: " ").last ?? "")
        let warnings = try errors(fixture, command)
        #expect(warnings == "\(name): \(Self.reason); use --background black\n", "\(warnings)")
        // The suggested option makes the drawing visible.
        #expect(try errors(fixture, command + " --force --background black").isEmpty)
    }

    /// Frames with notes are drawn on a background on which the art is visible.
    @Test(.slow, arguments: ["encode film.json --annotate all -o a.mp4", "sheet film.json -o a.png"])
    func notesChooseAnotherBackground(command: String) throws {
        let fixture = try LottieCommandFixture(whiteDisc())
        let name = String(command.split(separator: " ").last ?? "")
        let note =
            "note: the drawing's colours are close to the background #ffffff, so the background is now #17181c; "
            + "to choose another, set --background"
        #expect(try errors(fixture, command) == "\(name): \(note)\n")
        #expect(try errors(fixture, command + " --force --background black").isEmpty)
    }

    @Test func batchesReportInvisibleClips() throws {
        let fixture = try LottieCommandFixture(whiteDisc())
        try makeFile(
            "clips: [{loader: film.json, fps: 25, outputs: [mp4, gif]}]\n", at: fixture.directory.file("p.yaml"))
        let warnings = try errors(fixture, "batch p.yaml --progress none --json-report r.json")
        let lines = ["p/film.gif", "p/film.mp4"].map { "\($0): \(Self.reason); use background: black\n" }
        #expect(warnings == lines.joined())
        let report = String(decoding: try bytes(of: fixture.directory.file("r.json")), as: UTF8.self)
        #expect(report.contains(#""severity" : "warning""#) && report.contains(#""message" : "nothing is visible"#))
        #expect(!report.contains("warning: "))
    }

    /// The message suggests no background if one colour fills the canvas or nothing is drawn.
    @Test(.slow) func noBackgroundIsSuggestedIfItWouldNotHelp() throws {
        let filled = try LottieCommandFixture(lottie(solid("#ffffff"), solid("#ffffff", 30, 30)))
        #expect(try errors(filled, "encode film.json -o a.mp4") == "a.mp4: \(Self.reason)\n")
        let empty = try LottieCommandFixture(lottie(null()))
        let nothing = "a.mp4: warning: nothing is visible: the loader draws nothing\n"
        #expect(try errors(empty, "encode film.json -o a.mp4") == nothing)
        #expect(try errors(empty, "encode film.json --background transparent -o a.webm").contains("draws nothing"))
    }

    /// Translucent frames, faint or brief drawings, and annotated loaders cause no warning.
    @Test(.slow) func thereAreNoFalseWarnings() throws {
        let fixture = try LottieCommandFixture(whiteDisc())
        #expect(try errors(fixture, "encode film.json --background transparent -o a.webm").isEmpty)
        #expect(try errors(fixture, "still film.json --background #ffffff80 -o a.png").isEmpty)
        // A dot on a large canvas in one frame of sixty.
        let dot = shapes(ellipse([0, 0], [3, 3]), fill([0, 0, 0]), at: ["p": [900, 900]], ["ip": 33, "op": 34])
        try makeFile(
            lottie(dot, size: (1000, 1000), rate: 60, to: 60).text, at: fixture.directory.file("dot.json"))
        #expect(try errors(fixture, "encode dot.json -o b.mp4").isEmpty)
        let faint = shapes(rectangle([50, 50], [100, 100]), fill([0.97, 1, 1]))
        try makeFile(lottie(faint).text, at: fixture.directory.file("faint.json"))
        #expect(try errors(fixture, "encode faint.json -o c.mp4").isEmpty)
    }

    /// A still of a blank instant gets a warning with a time at which the loader is visible.
    @Test(.slow) func blankInstantsAreReported() throws {
        let late = lottie(shapes(ellipse([0, 0], [40, 40]), fill([0, 0, 0]), at: ["p": [50, 50]], ["ip": 6]))
        let fixture = try LottieCommandFixture(late)
        let warnings = try errors(fixture, "still film.json --at 0 -o a.png")
        let match = try #require(
            warnings.firstMatch(
                of:
                    /a\.png: warning: nothing is visible in this part of the period; to show a visible part, use --at (\S+)/
            ))
        #expect(try errors(fixture, "still film.json --at \(match.1) -o b.png").isEmpty)
        #expect(try errors(fixture, "encode film.json -o c.mp4").isEmpty)
        let early = try errors(fixture, "encode film.json --from 0 --to 0.4 -o d.mp4")
        let from = try #require(early.firstMatch(of: /nothing is visible.*, use --from (\S+) without --to/))
        #expect(try errors(fixture, "encode film.json --from \(from.1) -o f.mp4").isEmpty)
        let json = try errors(fixture, "encode film.json --from 0 --to 0.4 --progress json -o g.mp4")
        #expect(json.contains(#""severity":"warning""#) && !json.contains("warning: "), "\(json)")
        #expect(try errors(fixture, "sheet film.json -o e.png").isEmpty)
    }
}
