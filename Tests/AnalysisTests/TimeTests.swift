import Analysis
import Foundation
import Pipeline
import Scene
import Testing

/// What containers say of times: lengths that are not the video's, beginnings other than 0, and times of no use.
@Suite struct TimeTests {
    /// Two seconds, quickly looked at.
    private static let clip = BallClip(
        name: "times", size: Size(160, 60), radius: 9, offset: 35, fps: "20", phases: 8,
        options: ["crf": "15", "preset": "veryfast"])
    private static let length = 2.4

    /// A clip of balls, remuxed with these arguments for ffmpeg.
    private func make(_ name: String, _ arguments: [String], inputs: [String] = [], in scratch: Scratch) throws
        -> String
    {
        let plain = scratch.file("plain.mkv")
        if !FileManager.default.fileExists(atPath: plain) { try Self.clip.write(to: plain) }
        let path = scratch.file(name)
        try ffmpeg(["-i", plain] + inputs + ["-c:v", "copy"] + arguments + [path])
        return path
    }

    private static let sound = ["-f", "lavfi", "-i", "sine=d=9"]
    private static let both = ["-map", "0:v", "-map", "1:a"]

    @Test(arguments: ["mkv", "webm", "mp4"], [[], ["-output_ts_offset", "5"]])
    func soundMayBeLongerAndTimesMayBeginLater(container: String, offset: [String]) throws {
        let scratch = try Scratch()
        let encoding = container == "webm" ? ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"] : []
        let plain = try ClipAnalysis(path: make("a.\(container)", encoding, in: scratch))
        #expect(abs(plain.duration - Self.length) < 0.06 && plain.phases != nil)
        for (name, arguments, inputs) in [
            ("long.\(container)", Self.both, Self.sound), ("late.\(container)", [], []),
        ] where !(arguments + offset).isEmpty {
            let path = try make(name, arguments + encoding + offset, inputs: inputs, in: scratch)
            let other = try ClipAnalysis(path: path)
            #expect(other.times.count == plain.times.count)
            #expect(abs(other.duration - plain.duration) < 0.02, "\(name): \(other.duration)")
            #expect(other.phases?.table == plain.phases?.table)
        }
    }

    /// A Matroska file whose muxer did not tell the streams' own lengths.
    @Test func soundMayBeLongerWithoutATag() throws {
        let scratch = try Scratch()
        let path = try make("a.mkv", Self.both, inputs: Self.sound, in: scratch)
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        var count = 0
        while let range = data.range(of: Data("DURATION".utf8)) {
            data.replaceSubrange(range, with: Data("SOMEWORD".utf8))
            count += 1
        }
        #expect(count == 2)
        try data.write(to: URL(fileURLWithPath: path))
        #expect(try abs(ClipAnalysis(path: path).duration - Self.length) < 0.06)
        try data.prefix(data.count * 6 / 10).write(to: URL(fileURLWithPath: path))
        let error = try #require(throws: RenderError.self) { try ClipAnalysis(path: path) }
        #expect(error.description.contains("cut off"), "\(error)")
    }

    @Test(arguments: [[], ["-output_ts_offset", "5"]], [false, true])
    func whatIsCutOffIsStillRefused(offset: [String], hasSound: Bool) throws {
        let scratch = try Scratch()
        let arguments = (hasSound ? Self.both : []) + offset
        let path = try make("a.mkv", arguments, inputs: hasSound ? ["-f", "lavfi", "-i", "sine=d=4"] : [], in: scratch)
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        for percent in [30, 50, 70] {
            try data.prefix(data.count * percent / 100).write(to: URL(fileURLWithPath: path))
            let error = try #require(throws: RenderError.self) { try ClipAnalysis(path: path) }
            #expect(error.kind == .badData && error.description.contains("cut off"), "\(percent)%: \(error)")
        }
    }

    /// All at once, backwards, each twice, and once more from the beginning.
    @Test(arguments: [
        "pts=0:dts=0", "pts=1000-N:dts=-2000", "pts=2*floor(N/2)*50:dts=-2000",
        "pts=if(lt(N\\,24)\\,N\\,N-24)*50:dts=-2000",
    ])
    func timesOfNoUseAreRefused(times: String) throws {
        let scratch = try Scratch()
        // Without pictures that are decoded in another order than they are shown.
        let path = try make(
            "a.mkv", ["-c:v", "libx264", "-bf", "0", "-crf", "20", "-bsf:v", "setts=\(times)"], in: scratch)
        let error = try #require(throws: RenderError.self) { try ClipAnalysis(path: path) }
        #expect(error.kind == .badData)
        #expect(error.description.contains("stand still or run backwards, first at picture"), "\(error)")
    }

    /// Recorders stamp a picture twice now and then.
    @Test func fewTimesMayBeWrong() throws {
        let scratch = try Scratch()
        let path = try make(
            "a.mkv",
            ["-c:v", "libx264", "-bf", "0", "-crf", "20", "-bsf:v", "setts=pts=(N-eq(mod(N\\,25)\\,24))*50:dts=-2000"],
            in: scratch)
        let analysis = try ClipAnalysis(path: path)
        #expect(analysis.times.count == 48)
        #expect(abs((analysis.phases?.phase ?? 0) - 0.3) < 0.01)
    }
}
