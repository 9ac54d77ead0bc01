import Core
import Foundation
import TestSupport
import Testing

/// Equal frames: encoded once and replayed, or stored as one long frame.
@Suite struct LongFrameTests {
    private static let containers = ["mp4", "webm", "mkv", "mov", "m4v"]
    private static let clips: [[String]] = [
        ["qq-mail", "--hold", "3"], ["preloader", "--step", "--hold", "1.5"], ["jelly", "--cycles", "2"],
        ["qq-mail", "--duration", "3", "--hold", "0.4"],
    ]

    private func frames(_ path: String, timeBase: Rational, _ probe: Probe) -> [(start: Rational, isKey: Bool)] {
        (probe.frames ?? []).map { (Rational(Int128($0.pts)) * timeBase, $0.keyFrame == 1) }
    }

    /// At every frame of the full clip, the clip with long frames shows the same, and both are
    /// equally long.
    @Test(.slow, arguments: some(of: containers, and: clips, each: 5))
    func longFramesShowTheSameAtTheSameTimes(container: String, clip: [String]) throws {
        let workspace = try CommandFixture()
        let options = clip + ["--size", "64x64", "--fps", "25", "--codec", container == "webm" ? "vp9" : "h264"]
        func encode(_ kind: String) throws -> (probe: Probe, video: DecodedVideo) {
            let arguments = ["encode"] + options + ["--static", kind, "-o", "\(kind).\(container)"]
            let outcome = try workspace.run(arguments)
            try #require(outcome.code == 0, "\(outcome.errorText)")
            let path = workspace.directory.file("\(kind).\(container)")
            return (try Probe(path), try DecodedVideo(path: path))
        }
        let (full, short) = (try encode("cfr"), try encode("vfr"))
        #expect(short.video.times.count < full.video.times.count)
        let (first, last) = (try #require(short.video.times.first), try #require(full.video.times.last))
        #expect(first == full.video.times.first)
        #expect(short.video.times.allSatisfy { full.video.times.contains($0) })
        // Compares the frames shown at the same time. Encoding is lossy, so samples are only
        // similar.
        for (time, samples) in zip(full.video.times, full.video.samples) where time <= last {
            let index = try #require(short.video.times.lastIndex { $0 <= time })
            let distance = SampleStatistics.maxDifference(samples, short.video.samples[index])
            #expect(distance < 60, "\(clip) in \(container) at \(time)")
        }
        #expect(full.probe.format.duration == short.probe.format.duration, "\(clip) in \(container)")
    }

    @Test func theKeyframeIntervalIsKept() throws {
        let workspace = try CommandFixture()
        let path = try workspace.encode(
            "qq-mail", "--size", "64x32", "--fps", "30", "--hold", "20", "--static", "vfr", "--gop", "1", to: "clip.mp4"
        )
        let probe = try Probe(path)
        let keys = try (probe.frames ?? []).filter { $0.keyFrame == 1 }.map {
            try Rational(Int128($0.pts)) * probe.timeBase
        }
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $1 - $0 <= 1 })
    }

    /// Exact timing repeats after 432 frames, and holds repeat their frame. Replaying does not
    /// change the frames.
    @Test(
        .slow,
        arguments: [["--duration", "16"], ["--hold", "7", "--cycles", "2"], ["--duration", "8", "--side-by-side"]])
    func repetitionDoesNotChangeWhatIsShown(options: [String]) throws {
        let workspace = try CommandFixture()
        func encode(_ repetition: String) throws -> DecodedVideo {
            let outcome = try workspace.run(
                ["encode", "qq-mail", "--size", "96x64", "--repetition", repetition, "-o", "\(repetition).mp4"]
                    + options)
            try #require(outcome.code == 0, "\(outcome.errorText)")
            return try DecodedVideo(path: workspace.directory.file("\(repetition).mp4"))
        }
        let (once, all) = (try encode("on"), try encode("off"))
        #expect(once.times == all.times)
        for (frame, (a, b)) in zip(once.samples, all.samples).enumerated() {
            let distance = SampleStatistics.maxDifference(a, b)
            #expect(distance < 60, "frame \(frame)")
        }
    }

    @Test(arguments: [["--static", "maybe"], ["--repetition", "1"]])
    func invalidValuesAreRejected(options: [String]) throws {
        let workspace = try CommandFixture()
        let outcome = try workspace.run(["encode", "qq-mail", "-o", "clip.mp4"] + options)
        #expect(outcome.code == 64)
        #expect(outcome.errorText.contains(options[1]))
        #expect(try workspace.directory.names().isEmpty)
    }
}
