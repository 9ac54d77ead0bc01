import Analysis
import Foundation
import Pipeline
import TestSupport
import Testing

@Suite struct RefusalTests {
    /// A file that is no clip of moving objects: its name, what ffmpeg makes it of, and how it is broken afterwards.
    struct Bad: CustomTestStringConvertible, Sendable {
        var name: String
        var arguments: [String]
        /// How much of the file is kept.
        var kept = 1.0
        /// What the message must say.
        var word: String
        var testDescription: String { name }
    }

    static let bad = [
        Bad(name: "still.mp4", arguments: ["-f", "lavfi", "-i", "color=red:s=96x64:d=1"], word: "nothing moves"),
        Bad(
            name: "cut.mp4",
            arguments: [
                "-f", "lavfi", "-i", "color=red:s=96x64:d=1", "-f", "lavfi", "-i", "color=blue:s=96x64:d=1",
                "-filter_complex", "[0][1]concat",
            ], word: "cut at 1.0 s"),
        Bad(
            name: "truncated.mp4",
            arguments: ["-f", "lavfi", "-i", "testsrc=s=96x64:d=2", "-movflags", "+faststart"], kept: 0.6,
            word: "cut off"),
        Bad(
            name: "truncated.webm", arguments: ["-f", "lavfi", "-i", "testsrc=s=96x64:d=3"], kept: 0.5, word: "cut off"),
        Bad(
            name: "headless.mp4", arguments: ["-f", "lavfi", "-i", "testsrc=s=96x64:d=2"], kept: 0.6, word: "no video"),
        Bad(name: "sound.m4a", arguments: ["-f", "lavfi", "-i", "sine=d=1"], word: "no video"),
        Bad(
            name: "truncated.gif", arguments: ["-f", "lavfi", "-i", "testsrc=s=96x64:d=2"], kept: 0.5, word: "cut off"),
        Bad(
            name: "one.mp4", arguments: ["-f", "lavfi", "-i", "testsrc=s=96x64", "-frames:v", "1"], word: "one picture"),
        Bad(name: "none.mkv", arguments: ["-f", "lavfi", "-i", "testsrc=s=96x64", "-frames:v", "0"], word: "no"),
        Bad(
            name: "one.gif", arguments: ["-f", "lavfi", "-i", "testsrc=s=96x64", "-frames:v", "1"], word: "one picture"),
    ]

    private func make(_ bad: Bad, in scratch: TemporaryDirectory) throws -> String {
        let path = scratch.file(bad.name)
        try ffmpeg(bad.arguments + [path])
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        try data.prefix(Int(Double(data.count) * bad.kept)).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test(arguments: bad) func refuses(_ bad: Bad) throws {
        let scratch = try TemporaryDirectory()
        let path = try make(bad, in: scratch)
        let error = try #require(throws: RenderError.self) { try ClipAnalysis(path: path) }
        #expect(error.kind == .badData)
        #expect(error.description.contains(bad.word), "\(error)")
    }

    @Test func refusesEmptyCorruptAndMissingFiles() throws {
        let scratch = try TemporaryDirectory()
        try Data().write(to: URL(fileURLWithPath: scratch.file("empty.mp4")))
        let garbage = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) })
        try garbage.write(to: URL(fileURLWithPath: scratch.file("garbage.mp4")))
        for (name, kind) in [
            ("empty.mp4", RenderError.Kind.badData), ("garbage.mp4", .badData), ("no.mp4", .missingInput),
        ] {
            let error = try #require(throws: RenderError.self) { try ClipAnalysis(path: scratch.file(name)) }
            #expect(error.kind == kind, "\(name): \(error)")
        }
    }
}
