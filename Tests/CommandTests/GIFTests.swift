import Core
import Foundation
import TestSupport
import Testing

/// GIFs as read by other programs.
@Suite struct GIFTests {
    /// The system's Python, which has Pillow. Another Python earlier in the path may not have it.
    private static let python =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") ? "/usr/bin/python3" : "python3"

    static let loaders = ["iqiyi", "qq", "qq-pull", "qq-mail", "preloader", "jelly", "douyin", "oneloading"]
    static let rates: [(String, Rational)] = [
        ("10", 10), ("24000/1001", Rational(24000, 1001)), ("25", 25), ("30000/1001", Rational(30000, 1001)),
        ("50", 50),
    ]

    /// Every frame is stored. Each begins at the nearest hundredth of a second, and the last has
    /// its duration.
    @Test(.slow, arguments: some(of: loaders, and: rates, each: 7))
    func everyFrameHasItsTime(loader: String, rate: (text: String, value: Rational)) throws {
        let workspace = try CommandFixture()
        let (text, rate) = rate
        let path = try workspace.encode(loader, "--scale", "0.4", "--fps", text, "--duration", "1.2", to: "clip.gif")
        let count = (rate * Rational(6, 5)).rounded
        let starts = (0...count).map { (Rational($0) / rate * 100).rounded }
        let delays = zip(starts.dropFirst(), starts).map { $0 - $1 }
        #expect(delays.allSatisfy { $0 >= 2 })
        #expect(try GIFTests.pillowDelays(of: path) == delays.map { 10 * $0 }, "Pillow at \(text)")
        #expect(try GIFTests.gifsicleDelays(of: path) == delays, "gifsicle at \(text)")
        let probe = try Probe(path)
        let times = try #require(probe.frames).map(\.pts)
        #expect(try times.map { (try probe.timeBase * Rational($0) * 100).rounded } == starts.dropLast(), "\(text)")
    }

    private static func pillowDelays(of path: String) throws -> [Int] {
        let script = """
            import sys
            from PIL import Image
            image = Image.open(sys.argv[1])
            for number in range(image.n_frames):
                image.seek(number)
                image.load()
                print(image.info["duration"])
            """
        return try run(Self.python, ["-c", script, path]).lines.compactMap { Int($0) }
    }

    private static func gifsicleDelays(of path: String) throws -> [Int] {
        let words = try run("gifsicle", ["--info", path]).text.split(whereSeparator: { " \n".contains($0) })
        return zip(words, words.dropFirst()).compactMap { word, next in
            word == "delay" ? Double(next.dropLast()).map { Int(($0 * 100).rounded()) } : nil
        }
    }

    /// Any number of workers gives the same bytes. Clips with up to 255 colours are exact, others
    /// nearly.
    @Test(.slow, arguments: some(of: loaders, each: 2))
    func framesMatchTheDrawing(loader: String) throws {
        let workspace = try CommandFixture()
        let clip = [loader, "--scale", "1.5", "--fps", "20"]
        func encode(_ words: [String], to name: String) throws -> String {
            let outcome = try workspace.run(["encode"] + clip + words + ["--progress", "none", "-o", name])
            try #require(outcome.code == 0, "\(outcome.errorText)")
            return workspace.directory.file(name)
        }
        let path = try encode(["--jobs", "1"], to: "one.gif")
        for jobs in some(of: [3, 2], each: 2) {
            #expect(try bytes(of: path) == bytes(of: encode(["--jobs", "\(jobs)"], to: "\(jobs).gif")), "\(jobs) jobs")
        }
        let drawn = try decodedFrames(of: encode(["--codec", "png", "--pixel-format", "rgb24"], to: "drawn.mov"))
        let shown = try decodedFrames(of: path)
        try #require(shown.count == drawn.count)
        let colorCount = SampleStatistics.colorCount(drawn)
        if colorCount <= 255 {
            #expect(shown == drawn, "\(colorCount) colours")
        } else {
            let worst = zip(shown, drawn).map(psnr).min() ?? 0
            #expect(worst > 50, "\(colorCount) colours: \(worst) dB")
        }
    }

    private func psnr(_ first: [UInt8], _ second: [UInt8]) -> Double {
        let sum = SampleStatistics.sumOfSquares(first, second)
        return sum == 0 ? .infinity : 10 * log10(65025 * Double(first.count) / Double(sum))
    }

    /// A pixel is opaque if its alpha is at least half, or above 0 with a matte. Moved shapes leave
    /// no trail.
    @Test(.slow, arguments: ["qq-mail", "jelly", "qq"])
    func transparencyIsBinary(loader: String) throws {
        let workspace = try CommandFixture()
        let clip = [loader, "--scale", "1", "--fps", "15", "--background", "transparent"]
        func decode(_ words: String..., to name: String) throws -> [[UInt8]] {
            let outcome = try workspace.run(["encode"] + clip + words + ["--progress", "none", "-o", name])
            try #require(outcome.code == 0, "\(outcome.errorText)")
            return try decodedFrames(of: workspace.directory.file(name), format: "rgba")
        }
        let exact = try decode(to: "exact.apng")
        for (shown, least) in [(try decode(to: "half.gif"), 128), (try decode("--matte", "#fff", to: "matte.gif"), 1)] {
            try #require(shown.count == exact.count)
            for (number, (wanted, picture)) in zip(exact, shown).enumerated() {
                let wrong = SampleStatistics.wrongAlphaCount(picture, exact: wanted, threshold: least)
                #expect(wrong == 0, "picture \(number), from \(least) on")
            }
        }
        // On white, a GIF with a white matte looks as if drawn on white.
        let matted = try decodedFrames(of: workspace.directory.file("matte.gif"), format: "rgba")
        for (wanted, picture) in zip(exact, matted) {
            #expect(SampleStatistics.maxDifference(picture, overWhite: wanted) < 40)
        }
    }

    @Test func equalFramesCanBeMerged() throws {
        let workspace = try CommandFixture()
        let clip = ["qq-pull", "--scale", "1"]
        let all = try workspace.encode(clip[0], clip[1], clip[2], to: "all.gif")
        let few = try workspace.encode(clip[0], clip[1], clip[2], "--static", "vfr", to: "few.gif")
        let delays = try (GIFTests.gifsicleDelays(of: all), GIFTests.gifsicleDelays(of: few))
        #expect(delays.0.count == 72)
        #expect(delays.1.count < 50)
        #expect(delays.0.reduce(0, +) == delays.1.reduce(0, +))
        // Both show the same at every hundredth of a second.
        func timeline(_ path: String, _ delays: [Int]) throws -> [[UInt8]] {
            try zip(decodedFrames(of: path), delays).flatMap { Array(repeating: $0, count: $1) }
        }
        #expect(try timeline(all, delays.0) == timeline(few, delays.1))
    }

    @Test(.slow) func gifsAreTheSameInAPipe() throws {
        let workspace = try CommandFixture()
        let path = try workspace.encode("douyin", "--scale", "1", "--dither", to: "clip.gif")
        let words = [
            "encode", "douyin", "--scale", "1", "--dither", "--progress", "none", "--format", "gif", "-o", "-",
        ]
        #expect(try workspace.run(words).output == bytes(of: path))
        // Dithering makes the file larger, so it is off by default.
        let plain = try workspace.encode("douyin", "--scale", "1", to: "plain.gif")
        #expect(try bytes(of: plain).count < bytes(of: path).count)
    }

    @Test(
        .slow,
        arguments: [
            ("gif", "--fps 60", "the maximum of 50"), ("gif", "--fps 50.1", "the maximum of 50"),
            ("gif", "--audio a.m4a", "has no sound"), ("gif", "--chapters", "has no chapters"),
            ("gif", "--quality 5", "no such setting"), ("gif", "--codec vp9", "does not support vp9"),
            ("mp4", "--dither", "use gif"), ("apng", "--matte white", "use gif"),
            ("gif", "--matte #ffffff80", "without alpha"),
            ("mov", "--codec gif", "does not support gif"),
        ])
    func unsupportedOptionsAreRejected(format: String, options: String, reason: String) throws {
        let workspace = try CommandFixture()
        let words = ["encode", "qq", "--duration", "0.2"] + options.split(separator: " ").map(String.init)
        expectRefusal(try workspace.run(words + ["-o", "clip.\(format)"]), 64, [reason])
        #expect(try workspace.directory.names().isEmpty)
    }
}
