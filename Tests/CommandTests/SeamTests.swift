import Foundation
import TestSupport
import Testing

/// Notes about clips that jump when they loop.
@Suite struct SeamTests {
    /// A clip, by default of `qq-mail`, whose cycle takes 1.44 s, and the suggested numbers of
    /// cycles; empty if there is no seam or the clip is not meant to loop.
    struct Clip: CustomTestStringConvertible, Sendable {
        var options: String
        var loader = "qq-mail"
        var cycles: [Int] = []
        var testDescription: String { "\(loader) \(options)" }
    }

    static let clips = [
        Clip(options: "--duration 2", cycles: [1, 2]), Clip(options: "--duration 1", cycles: [1]),
        Clip(options: "--duration 3 --slowmo 2", cycles: [1, 2]),
        Clip(options: "--duration 4.4 --timing seamless", cycles: [3, 4]),
        Clip(options: "--duration 2 --hold 0.1", cycles: [1]),
        // Whole cycles, to half a frame.
        Clip(options: "--duration 1.44"), Clip(options: "--duration 2.88"), Clip(options: "--duration 1.45"),
        Clip(options: "--cycles 2"), Clip(options: "--timing exact"), Clip(options: ""),
        // Cuts, which are assumed to be intended, and steps.
        Clip(options: "--duration 2 --from 0.24"), Clip(options: "--duration 2 --to phase:3"),
        Clip(options: "--duration 2 --phase 1"), Clip(options: "--duration 2 --step --hold 0.3"),
        // A single frame, which does not move.
        Clip(options: "--duration 1/25"),
        // Jelly rests until 0.3 s have passed.
        Clip(options: "--duration 6.2", loader: "jelly"),
        Clip(options: "--duration 7", loader: "jelly", cycles: [1, 2]),
    ]

    /// Returns the lines on standard error without progress, which appears on a slow machine.
    private func notes(of outcome: Outcome) -> [String] {
        outcome.errorLines.filter { $0.wholeMatch(of: /.*\.mp4: \d+%, \d+\/\d+ frames, .* left/) == nil }
    }

    @Test(arguments: quickSample(of: clips, each: 4)) func seamsAreReported(_ clip: Clip) throws {
        let workspace = try CommandFixture()
        let options = clip.options.split(separator: " ").map(String.init)
        let command = ["encode", clip.loader, "--size", "64x32", "--fps", "25", "--speed", "ultrafast"] + options
        let outcome = try workspace.run(command + ["-o", "clip.mp4"])
        #expect(outcome.code == 0 && outcome.text.split(separator: "\n").count == 1)
        let notes = self.notes(of: outcome)
        guard !clip.cycles.isEmpty else {
            #expect(notes.isEmpty, "\(outcome.errorText)")
            return
        }
        try #require(notes.count == 1)
        #expect(notes[0].hasPrefix("clip.mp4: note: "), "\(outcome.errorText)")
        let suggestions = outcome.errorText.matches(of: /--cycles (\d+)/).compactMap { Int($0.1) }
        #expect(suggestions == clip.cycles, "\(outcome.errorText)")
        // The suggested options give a seamless clip.
        let cut = try #require(options.firstIndex(of: "--duration"))
        for count in suggestions {
            let whole = options[..<cut] + ["--cycles", "\(count)"] + options[(cut + 2)...]
            let again = try workspace.run(
                Array(command[..<8]) + whole + ["-o", "whole\(count).mp4"])
            #expect(again.code == 0 && self.notes(of: again).isEmpty, "\(again.errorText)")
        }
    }

    /// A change that three decimals round to zero is still a change.
    @Test func tinyChangesOfSpeedAreReported() throws {
        let outcome = try CommandFixture().run(
            ["encode", "qq", "--size", "32x16", "--fps", "5", "--from", "1/1000000", "--to", "1", "-o", "clip.mp4"])
        #expect(outcome.text.contains("; seamless: plays less than 0.001% slower than requested"), "\(outcome.text)")
    }

    @Test func seamNotesDoNotDisturbProgress() throws {
        let workspace = try CommandFixture()
        let clip = [
            "encode", "qq-mail", "--size", "64x32", "--duration", "2", "--force", "-o", "clip.mp4", "--progress",
        ]
        #expect(try workspace.run(clip + ["none"]).errors.isEmpty)
        for line in try workspace.run(clip + ["json"]).errorLines {
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
        }
        let piped = try workspace.run(["encode", "qq-mail", "--size", "64x32", "--duration", "2", "-o", "-"])
        #expect(piped.code == 0 && piped.errorLines.count == 2 && piped.errorText.contains("note: "))
        #expect(Array(piped.output[4..<8]) == Array("ftyp".utf8))
    }
}
