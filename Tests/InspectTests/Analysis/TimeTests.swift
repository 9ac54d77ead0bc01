import Core
import Foundation
import Render
import TestSupport
import Testing

@testable import Inspect

/// Declared times: durations that are not the video's, start times other than 0, and invalid
/// timestamps.
@Suite struct TimeTests {
    /// A clip of two seconds, which is analysed quickly.
    private static let clip = BallClip(
        name: "times", size: Size(160, 60), radius: 9, offset: 35, fps: "20", phases: 8,
        options: ["crf": "15", "preset": "veryfast"])
    private static let length = 2.4

    private static let plain = Result { () throws -> Data in
        let scratch = try TemporaryDirectory()
        try clip.write(to: scratch.file("plain.mkv"))
        return try Data(contentsOf: URL(fileURLWithPath: scratch.file("plain.mkv")))
    }

    /// Remuxes the clip of balls, or another file, with some arguments for ffmpeg.
    private func make(
        _ name: String, _ arguments: [String], inputs: [String] = [], of source: String? = nil,
        in scratch: TemporaryDirectory
    ) throws -> String {
        let plain = scratch.file("plain.mkv")
        try Self.plain.get().write(to: URL(fileURLWithPath: plain))
        let path = scratch.file(name)
        try ffmpeg(["-i", source ?? plain] + inputs + ["-c:v", "copy"] + arguments + [path])
        return path
    }

    /// Returns the result of the analysis' first pass, which handles all times.
    private func survey(_ path: String) throws -> ClipSurvey {
        try ClipSurvey(ClipReader(path: path, limits: ClipLimits()))
    }

    /// Changes the bytes of a file.
    private func edit(_ path: String, _ body: (inout Data) throws -> Void) throws {
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        try body(&data)
        try data.write(to: URL(fileURLWithPath: path))
    }

    private static let sound = ["-f", "lavfi", "-i", "sine=d=9"]
    private static let both = ["-map", "0:v", "-map", "1:a"]

    @Test(.slow, arguments: ["mkv", "webm", "mp4"])
    func audioMayBeLongerAndTimestampsMayStartLate(container: String) throws {
        let scratch = try TemporaryDirectory()
        let encoding = container == "webm" ? ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"] : []
        let path = try make("a.\(container)", encoding, in: scratch)
        let plain = try survey(path)
        #expect(abs(plain.duration - Self.length) < 0.06 && plain.times.count == 48)
        let later = ["-output_ts_offset", "5"]
        for (name, arguments, inputs) in [
            ("long", Self.both, Self.sound), ("late", later, []), ("both", Self.both + later, Self.sound),
        ] {
            let changed = try make("\(name).\(container)", arguments, inputs: inputs, of: path, in: scratch)
            let other = try survey(changed)
            #expect(other.times.count == plain.times.count, "\(name)")
            #expect(zip(other.times, plain.times).allSatisfy { abs($0 - $1) < 0.0011 }, "\(name)")
            #expect(abs(other.duration - plain.duration) < 0.02, "\(name): \(other.duration)")
        }
        guard container == "mkv" else { return }
        let tables = try ["a", "both"].map { try ClipAnalysis(path: scratch.file("\($0).mkv")).phases?.table }
        #expect(tables[0] != nil && tables[0] == tables[1])
    }

    /// The muxer may omit the durations of the streams in Matroska files.
    @Test func audioMayBeLongerWithoutDurationTags() throws {
        let scratch = try TemporaryDirectory()
        let path = try make("a.mkv", Self.both, inputs: Self.sound, in: scratch)
        var count = 0
        try edit(path) { data in
            while let range = data.range(of: Data("DURATION".utf8)) {
                data.replaceSubrange(range, with: Data("SOMEWORD".utf8))
                count += 1
            }
        }
        #expect(count == 2)
        #expect(try abs(survey(path).duration - Self.length) < 0.06)
        try edit(path) { $0 = $0.prefix($0.count * 6 / 10) }
        let error = try #require(throws: LoadervidError.self) { try survey(path) }
        #expect(error.description.contains("truncated"), "\(error)")
    }

    /// Duration tags may be infinite, not numbers, or ages.
    @Test(arguments: ["inf:00:02.400000000", "nan:00:02.400000000", "9e99:0:02.400000000", "-99:00:02.400000000"])
    func invalidDurationTagsAreIgnored(text: String) throws {
        let scratch = try TemporaryDirectory()
        let path = try make("a.mkv", [], in: scratch)
        try edit(path) { data in
            let tag = try #require(data.range(of: Data("DURATION".utf8)))
            let value = try #require(data.range(of: Data("00:00:02.".utf8), in: tag.upperBound..<data.endIndex))
            let bytes = Data(text.utf8.prefix(18)) + Data(repeating: 0, count: max(0, 18 - text.utf8.count))
            data.replaceSubrange(value.lowerBound..<value.lowerBound + 18, with: bytes)
        }
        #expect(try abs(survey(path).duration - Self.length) < 0.06)
    }

    /// The timestamp of the last frame is months after the first.
    @Test func clipsLongerThanADayAreRejected() throws {
        let scratch = try TemporaryDirectory()
        let late = ["-c:v", "mjpeg", "-vf", "setpts=if(eq(N\\,47)\\,1e9/TB\\,PTS)", "-fps_mode", "passthrough"]
        let path = try make("a.nut", late, in: scratch)
        let error = try #require(throws: LoadervidError.self) { try survey(path) }
        #expect(error.kind == .badData && error.description.contains("longer than the maximum of 86400 s"), "\(error)")
    }

    @Test(arguments: [[], ["-output_ts_offset", "5"]], [false, true])
    func truncatedClipsAreRejected(offset: [String], hasSound: Bool) throws {
        let scratch = try TemporaryDirectory()
        let arguments = (hasSound ? Self.both : []) + offset
        let path = try make("a.mkv", arguments, inputs: hasSound ? ["-f", "lavfi", "-i", "sine=d=4"] : [], in: scratch)
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        for percent in [30, 45, 60] {
            try data.prefix(data.count * percent / 100).write(to: URL(fileURLWithPath: path))
            let error = try #require(throws: LoadervidError.self) { try survey(path) }
            #expect(error.kind == .badData && error.description.contains("truncated"), "\(percent)%: \(error)")
        }
    }

    /// Timestamps that are all equal, run backwards, repeat, or restart.
    @Test(arguments: [
        "pts=0:dts=0", "pts=1000-N:dts=-2000", "pts=2*floor(N/2)*50:dts=-2000",
        "pts=if(lt(N\\,24)\\,N\\,N-24)*50:dts=-2000",
    ])
    func invalidTimestampsAreRejected(times: String) throws {
        let scratch = try TemporaryDirectory()
        // B-frames would be decoded in a different order.
        let path = try make(
            "a.mkv", ["-c:v", "libx264", "-bf", "0", "-crf", "20", "-bsf:v", "setts=\(times)"], in: scratch)
        let error = try #require(throws: LoadervidError.self) { try survey(path) }
        #expect(error.kind == .badData)
        #expect(error.description.contains("timestamps do not increase, first at frame"), "\(error)")
    }

    /// Some recorders write a timestamp twice now and then.
    @Test func fewTimestampsMayBeWrong() throws {
        let scratch = try TemporaryDirectory()
        let path = try make(
            "a.mkv",
            [
                "-c:v", "libx264", "-bf", "0", "-crf", "20", "-bsf:v",
                "setts=pts=if(eq(mod(N\\,25)\\,24)\\,PREV_INPTS\\,PTS):dts=N-2000",
            ],
            in: scratch)
        let analysis = try ClipAnalysis(path: path)
        #expect(analysis.times.count == 48)
        #expect(abs((analysis.phases?.phase ?? 0) - 0.3) < 0.01)
    }
}
