import Foundation
import Render
import TestSupport
import Testing

@testable import Batch

@Suite struct OutputStateTests {
    /// Another process may replace the directory at any time. A batch uses the directory that it
    /// opened.
    @Test func filesAreLookedUpInTheOpenDirectory() throws {
        let (directory, other) = (try TemporaryDirectory(), try TemporaryDirectory())
        let clips = try [clip("a", [request()]), clip("sub/b", [request()])]
        try run(clips, in: directory)
        let outputs = try OutputDirectory(directory.path, creates: false)
        let known = try KnownOutputs(outputs)
        try FileManager.default.moveItem(atPath: directory.path, toPath: other.file("moved"))
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
        try makeFile("other", at: directory.file("a.mp4"))
        let plan = try BatchPlan(clips, toolchain: toolchain)
        let options = BatchRun.Options(cores: 1, memory: 1 << 30)
        let states = OutputState.all(of: plan, in: outputs, known: known, options)
        #expect(Set(states.keys) == ["a.mp4", "sub/b.mp4"])
        #expect(states.values.allSatisfy { $0.record != nil }, "\(states)")
        #expect(try other.names() == ["moved"])
    }

    /// The limit for hashing never excludes a file that the plan produces, even if its frames
    /// are replayed.
    @Test func thePlanBoundsTheFile() throws {
        let plan = try RenderPlan(request { $0.extent = .cycles(100) })
        #expect(plan.framesToEncode < plan.frameCount)
        #expect(plan.maxFileBytes > plan.frameCount * plan.width * plan.height * 8)
    }

    /// The texts of an untrusted manifest may have several megabytes.
    @Test func longTextsAreAbbreviated() throws {
        let long = String(repeating: "v", count: 3000)
        let change = try #require(
            Toolchain(versions: ["FFmpeg": long]).change(to: Toolchain(versions: ["FFmpeg": "6", long: "1"])))
        #expect(change.unicodeScalars.count < 400 && change.hasPrefix("FFmpeg vvv"), "\(change)")
    }
}
