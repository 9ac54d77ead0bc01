import Foundation
import Inspect
import Render
import TestSupport
import Testing

@Suite struct RefusalTests {
    /// A file that is not a clip of moving objects: its name, ffmpeg's arguments to make it, and
    /// the damage.
    struct InvalidClip: CustomTestStringConvertible, Sendable {
        var name: String
        var arguments: [String]
        /// The fraction of the file that is kept.
        var kept = 1.0
        /// A part of the expected message.
        var expectedText: String
        var testDescription: String { name }
    }

    static let invalidClips = [
        InvalidClip(
            name: "still.mp4", arguments: ["-f", "lavfi", "-i", "color=red:s=96x64:d=1"], expectedText: "nothing moves"),
        InvalidClip(
            name: "cut.mp4",
            arguments: [
                "-f", "lavfi", "-i", "color=red:s=96x64:d=1", "-f", "lavfi", "-i", "color=blue:s=96x64:d=1",
                "-filter_complex", "[0][1]concat",
            ], expectedText: "cut at 1.0 s"),
        InvalidClip(
            name: "half.mp4",
            arguments: ["-f", "lavfi", "-i", "testsrc=s=96x64:d=2", "-movflags", "+faststart"], kept: 0.6,
            expectedText: "truncated"),
        InvalidClip(
            name: "half.webm", arguments: ["-f", "lavfi", "-i", "testsrc=s=96x64:d=3"], kept: 0.5,
            expectedText: "truncated"),
        InvalidClip(
            name: "headless.mp4", arguments: ["-f", "lavfi", "-i", "testsrc=s=96x64:d=2"], kept: 0.6,
            expectedText: "not a readable video"),
        InvalidClip(
            name: "sound.m4a", arguments: ["-f", "lavfi", "-i", "sine=d=1"], expectedText: "not a readable video"),
        InvalidClip(
            name: "half.gif", arguments: ["-f", "lavfi", "-i", "testsrc=s=96x64:d=2"], kept: 0.5,
            expectedText: "truncated"),
        InvalidClip(
            name: "one.mp4", arguments: ["-f", "lavfi", "-i", "testsrc=s=96x64", "-frames:v", "1"],
            expectedText: "only one frame"),
        InvalidClip(
            name: "none.mkv", arguments: ["-f", "lavfi", "-i", "testsrc=s=96x64", "-frames:v", "0"], expectedText: "no"),
        InvalidClip(
            name: "one.gif", arguments: ["-f", "lavfi", "-i", "testsrc=s=96x64", "-frames:v", "1"],
            expectedText: "only one frame"),
    ]

    private func make(_ clip: InvalidClip, in scratch: TemporaryDirectory) throws -> String {
        let path = scratch.file(clip.name)
        try ffmpeg(clip.arguments + [path])
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        try data.prefix(Int(Double(data.count) * clip.kept)).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test(.slow, arguments: invalidClips) func invalidClipsAreRejected(_ clip: InvalidClip) throws {
        let scratch = try TemporaryDirectory()
        let path = try make(clip, in: scratch)
        let error = try #require(throws: LoadervidError.self) { try ClipAnalysis(path: path) }
        #expect(error.kind == .badData)
        #expect(error.description.contains(clip.expectedText), "\(error)")
    }

    @Test func emptyCorruptAndMissingFilesAreRejected() throws {
        let scratch = try TemporaryDirectory()
        try Data().write(to: URL(fileURLWithPath: scratch.file("empty.mp4")))
        let garbage = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) })
        try garbage.write(to: URL(fileURLWithPath: scratch.file("garbage.mp4")))
        for (name, kind) in [
            ("empty.mp4", LoadervidError.Kind.badData), ("garbage.mp4", .badData), ("no.mp4", .missingInput),
        ] {
            let error = try #require(throws: LoadervidError.self) { try ClipAnalysis(path: scratch.file(name)) }
            #expect(error.kind == kind, "\(name): \(error)")
        }
    }
}
