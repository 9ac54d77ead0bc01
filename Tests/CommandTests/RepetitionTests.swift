import Foundation
import TestSupport
import Testing

/// Seamless cycles are identical, and equal requests give equal bytes.
@Suite struct RepetitionTests {
    @Test(.slow, arguments: ["h264", "hevc", "vp9", "vp8", "av1"])
    func cyclesHaveIdenticalFrames(codec: String) throws {
        let workspace = try CommandFixture()
        let path = try workspace.encode(
            "qq-mail", "--fps", "24", "--cycles", "5", "--gop", "0.5", "--codec", codec, "--size",
            "64x64", to: "clip.mkv")
        try expectEqualCycles(path, count: 5, frames: 35)
    }

    @Test func pausesInTheMiddleOfACycleAreKept() throws {
        let workspace = try CommandFixture()
        let path = try workspace.encode(
            "jelly", "--size", "64x56", "--fps", "25", "--cycles", "3", "--slowmo", "1/2", to: "clip.webm")
        try expectEqualCycles(path, count: 3, frames: 75)
    }

    private func expectEqualCycles(_ path: String, count: Int, frames: Int) throws {
        let samples = try DecodedVideo(path: path).samples
        try #require(samples.count == count * frames)
        for frame in frames..<samples.count {
            #expect(samples[frame] == samples[frame % frames], "frame \(frame)")
        }
        // Frames of a cycle must differ, or the comparison would prove nothing.
        #expect(Set(samples[..<frames]).count > frames / 3)
        let hashes = try run("ffmpeg", ["-v", "error", "-i", path, "-fps_mode", "passthrough", "-f", "framemd5", "-"])
            .text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last }
        try #require(hashes.count == count * frames)
        #expect(hashes.indices.allSatisfy { hashes[$0] == hashes[$0 % frames] })
    }

    /// A hundred cycles cost as much as one, plus a little for copying packets. Measures CPU time,
    /// since the machine may be busy.
    @Test(.slow) func aHundredCyclesTakeNoLonger() throws {
        let workspace = try CommandFixture()
        func seconds(_ cycles: String) throws -> Double {
            let times = try (0..<2).map { _ in
                let outcome = try workspace.run(
                    ["encode", "qq-mail", "--scale", "2", "--cycles", cycles, "-o", "\(cycles).mp4", "--force"])
                #expect(outcome.code == 0)
                return outcome.cpuSeconds
            }
            return times.min() ?? .infinity
        }
        let (one, hundred) = (try seconds("1"), try seconds("100"))
        #expect(hundred <= 1.3 * one + 0.5, "one cycle \(one) s, a hundred \(hundred) s")
        #expect(try Probe(workspace.directory.file("100.mp4"), frames: false).stream.nbFrames == "8600")
    }

    @Test(.slow) func aHundredCyclesAreEqual() throws {
        let workspace = try CommandFixture()
        let path = try workspace.encode("iqiyi", "--size", "32x32", "--fps", "30", "--cycles", "100", to: "clip.mp4")
        try expectEqualCycles(path, count: 100, frames: 36)
    }

    private static let requests = [
        ("jelly", "clip.mp4", "h264"), ("preloader", "clip.mov", "h264"), ("jelly", "clip.webm", "vp9"),
        ("jelly", "clip.mkv", "hevc"), ("qq", "clip.mov", "hevc"), ("jelly", "clip.mkv", "vp8"),
        ("jelly", "clip.mp4", "av1"),
    ]

    /// The jelly at this size once gave different bytes each time, because x264 read uninitialised
    /// memory.
    @Test(.slow, arguments: some(of: requests, each: 2))
    func bytesDependOnTheRequestAlone(loader: String, name: String, codec: String) throws {
        let request = [
            "encode", loader, "--size", codec == "av1" ? "64x64" : "64x56", "--duration", "2", "--gop", "0.3",
            "--codec", codec,
        ]
        let workspaces = try (0..<5).map { _ in try CommandFixture() }
        let variations: [(jobs: String, environment: [String: String])] = [
            ("1", [:]), ("2", ["LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8", "TZ": "Asia/Shanghai"]),
            ("7", ["LANG": "C", "TZ": "UTC", "COLUMNS": "40"]), ("7", ["HOME": "/nonexistent", "PWD": "/"]), ("1", [:]),
        ]
        let files = try zip(workspaces, variations).map { workspace, variation in
            let options = ["--jobs", variation.jobs, "-o", name, "--progress", "none"]
            let outcome = try workspace.run(request + options, environment: variation.environment)
            #expect(outcome.code == 0, "\(outcome.errorText)")
            return try bytes(of: workspace.directory.file(name))
        }
        #expect(files.allSatisfy { $0 == files[0] && !$0.isEmpty })
    }

    /// The path of the output does not influence its contents.
    @Test func outputPathsDoNotMatter() throws {
        let workspace = try CommandFixture()
        try FileManager.default.createDirectory(
            atPath: workspace.directory.file("deeper"), withIntermediateDirectories: false)
        let clip = ["qq-mail", "--size", "64x32", "--duration", "0.5"]
        let files = try ["a.mp4", "deeper/一 二.mp4", "%.mp4", "./-b.mp4", "c.MP4", workspace.directory.file("d.mp4")]
            .map {
                let outcome = try workspace.run(["encode"] + clip + ["-o", $0])
                #expect(outcome.code == 0, "\(outcome.errorText)")
                return try bytes(of: $0.hasPrefix("/") ? $0 : workspace.directory.file($0))
            }
        #expect(Set(files).count == 1)
    }

    @Test(
        .slow,
        arguments: some(
            of: ["iqiyi", "qq", "qq-pull", "qq-mail", "preloader", "jelly", "douyin", "oneloading"],
            and: ["clip.mp4", "clip.webm"], each: 3))
    func everyLoaderMakesOneCycle(loader: String, name: String) throws {
        let frames = [
            "iqiyi": 30, "qq": 72, "qq-pull": 72, "qq-mail": 36, "preloader": 90, "jelly": 150, "douyin": 75,
            "oneloading": 50,
        ]
        let workspace = try CommandFixture()
        let path = try workspace.encode(loader, "--scale", "2", "--fps", "25", to: name)
        let read = try run("ffmpeg", ["-v", "error", "-i", path, "-fps_mode", "passthrough", "-f", "framemd5", "-"])
        #expect(read.errors.isEmpty, "\(read.errorText)")
        let hashes = read.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(hashes.count == frames[loader])
    }
}
