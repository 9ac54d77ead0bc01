import Core
import TestSupport
import Testing

/// A clip with a number of frames in a container.
private struct Clip: Sendable, CustomTestStringConvertible {
    var container: String
    var fps: String
    /// The same rate as a fraction.
    var rate: (Int128, Int128)
    var frames: Int

    var isExact: Bool { container == "mp4" || container == "mov" }
    var duration: String { "\(Int128(frames) * rate.1)/\(rate.0)" }
    var testDescription: String { "\(frames) frames at \(fps) in .\(container)" }

    static let containers = ["mp4", "mov", "m4v", "mkv", "webm"]

    static let all: [Clip] = containers.flatMap { container in
        let counts: [(String, (Int128, Int128), [Int])] = [
            ("60", (60, 1), [1, 2, 3, 4, 5, 6, 7, 60]), ("30000/1001", (30000, 1001), [1, 2, 5, 60]),
            ("25", (25, 1), [3, 60]), ("59.94", (60000, 1001), [1, 601]), ("24", (24, 1), [6]),
        ]
        return counts.flatMap { fps, rate, counts in
            counts.map { Clip(container: container, fps: fps, rate: rate, frames: $0) }
        }
    }
}

/// A clip of n frames decodes to n frames, each at its exact time, the last one with its duration.
@Suite struct FrameCountTests {
    /// A frame as long as Matroska's time base has a duration, too.
    @Test func framesMayLastAMillisecond() throws {
        let workspace = try CommandFixture()
        try workspace.encode(
            "qq", "--size", "32x32", "--fps", "1000", "--duration", "0.02", "--codec", "vp8", to: "a.webm")
        let outcome = try workspace.run(["verify", "a.webm"])
        #expect(outcome.text.contains("1000 fps, 20 frames") && !outcome.text.contains("time-"), "\(outcome.text)")
    }

    @Test(.slow, arguments: some(of: Clip.all, each: 4))
    private func everyFrameIsDecodedAtItsTime(_ clip: Clip) throws {
        let workspace = try CommandFixture()
        let path = try workspace.encode(
            "iqiyi", "--size", "32x32", "--fps", clip.fps, "--duration", clip.duration, to: "clip.\(clip.container)")
        #expect(try workspace.directory.names() == ["clip.\(clip.container)"])
        try checkWithProbe(path, clip)
        let video = try DecodedVideo(path: path)
        #expect(video.times.count == clip.frames)
        for (frame, time) in video.times.enumerated() {
            expectNear(time, Rational(Int128(frame) * clip.rate.1, clip.rate.0), clip, "own decoder, frame \(frame)")
        }
        for duration in video.durations {
            expectNear(duration, Rational(clip.rate.1, clip.rate.0), clip, ticks: 2, "own demuxer")
        }
    }

    private func checkWithProbe(_ path: String, _ clip: Clip) throws {
        let probe = try Probe(path)
        let (timeBase, frames) = (try probe.timeBase, try #require(probe.frames))
        let rate = Rational(clip.rate.0, clip.rate.1)
        #expect(probe.stream.nbReadFrames == "\(clip.frames)")
        #expect(frames.count == clip.frames)
        for (index, frame) in frames.enumerated() {
            expectNear(timeBase * Rational(frame.pts), Rational(index) / rate, clip, "frame \(index)")
            let duration = try #require(frame.pktDuration ?? frame.duration, "frame \(index) has no duration")
            expectNear(timeBase * Rational(duration), 1 / rate, clip, ticks: 2, "length of frame \(index)")
        }
        #expect(frames.first?.keyFrame == 1)
        // Matroska keeps the length of a frame in nanoseconds.
        let stated = try #require(Rational(text: probe.stream.rFrameRate))
        #expect(clip.isExact ? stated == rate : abs(stated.double / rate.double - 1) < 1e-6, "\(stated) frames/s")
        let total = try #require(probe.format.duration.flatMap(Double.init))
        #expect(abs(total - (Rational(clip.frames) / rate).double) <= 0.001_001, "total duration")
        guard clip.isExact else { return }
        #expect(probe.stream.nbFrames == "\(clip.frames)")
        #expect(probe.stream.startPts == 0)
        #expect(Rational(text: probe.stream.avgFrameRate) == rate)
        let ticks = try #require(probe.stream.durationTs)
        #expect(timeBase * Rational(ticks) == Rational(clip.frames) / rate)
    }

    /// MP4 and QuickTime are exact; Matroska and WebM have a time base of a millisecond.
    private func expectNear(
        _ time: Rational, _ exact: Rational, _ clip: Clip, ticks: Int128 = 1, _ what: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let distance = time < exact ? exact - time : time - exact
        let slack = clip.isExact ? .zero : Rational(ticks, 2000)
        #expect(distance <= slack, "\(what): \(time) instead of \(exact)", sourceLocation: sourceLocation)
    }
}
