import Core
import Foundation
import TestSupport
import Testing

/// APNG and WebP animations: the structure of their files, and their frames in other decoders.
@Suite struct AnimationTests {
    static let formats = ["apng", "webp"]
    static let rates: [(String, Rational)] = [
        ("10", 10), ("23.976", Rational(24000, 1001)), ("25", 25), ("30000/1001", Rational(30000, 1001)), ("50", 50),
        ("60", 60), ("90", 90),
    ]

    @Test(.slow, arguments: some(of: formats, and: rates, each: 3))
    func everyFrameHasItsTime(format: String, rate: (text: String, value: Rational)) throws {
        let workspace = try CommandFixture()
        let path = try workspace.encode(
            "iqiyi", "--size", "48x32", "--fps", rate.text, "--duration", "1.2", to: "clip.\(format)")
        #expect(try workspace.directory.names() == ["clip.\(format)"])
        let (file, count) = (try AnimationFile(path), (rate.value * Rational(6, 5)).rounded)
        #expect((file.width, file.height, file.plays) == (48, 32, 0))
        #expect(file.parts.count == count && file.count ?? count == count)
        for (frame, time) in file.times.enumerated() {
            let exact = Rational(frame) / rate.value
            // Half a millisecond, and exact if frames last whole milliseconds.
            let slack = (1000 / rate.value).denominator == 1 ? 0 : 0.000_501
            #expect(abs(time.double - exact.double) <= slack, "frame \(frame)")
        }
        #expect(file.parts.first == .init(x: 0, y: 0, width: 48, height: 32, delay: file.parts[0].delay))
        let seen = try animationFrames(of: path)
        #expect(seen.count == count && Set(seen).count > count / 2)
    }

    /// A transparent animation over a background looks like the loader drawn on it.
    @Test(.slow, arguments: formats)
    func framesMatchStillsOnAnyBackground(format: String) throws {
        let workspace = try CommandFixture()
        let path = try workspace.encode(
            "jelly", "--size", "80x60", "--fps", "10", "--background", "transparent", to: "clip.\(format)")
        let seen = try animationFrames(of: path)
        try #require(seen.count == 60)
        let backgrounds = [("black", [0, 0, 0]), ("white", [255, 255, 255]), ("magenta", [255, 0, 255])]
        for ((name, color), frame) in some(of: backgrounds, and: [0, 13, 31, 32, 59], each: 4) {
            let still = "\(name)\(frame).png"
            let words = ["still", "jelly", "--size", "80x60", "--at", "\(frame)/10", "--background", name]
            try #require(try workspace.run(words + ["-o", still]).code == 0)
            let drawn = try decodedFrames(of: workspace.directory.file(still))[0]
            let composited = over(color, seen[frame])
            let worst = zip(composited, drawn).map { abs($0 - Double($1)) }.max() ?? 0
            #expect(worst <= 1.5, "frame \(frame) on \(name)")
        }
    }

    private func over(_ background: [Int], _ rgba: [UInt8]) -> [Double] {
        stride(from: 0, to: rgba.count, by: 4).flatMap { pixel in
            let alpha = Double(rgba[pixel + 3]) / 255
            return (0..<3).map { Double(rgba[pixel + $0]) * alpha + Double(background[$0]) * (1 - alpha) }
        }
    }

    /// Replayed and re-encoded segments give the same frames, and any number of jobs the same
    /// bytes.
    @Test(.slow, arguments: formats)
    func segmentsDoNotChangeFrames(format: String) throws {
        let workspace = try CommandFixture()
        func encode(_ options: String..., to name: String) throws -> String {
            let clip = ["encode", "qq-mail", "--size", "64x32", "--fps", "30", "--progress", "none", "--cycles", "5"]
            let outcome = try workspace.run(clip + options + ["-o", "\(name).\(format)"])
            try #require(outcome.code == 0, "\(outcome.errorText)")
            return workspace.directory.file("\(name).\(format)")
        }
        let path = try encode("--gop", "0.5", "--jobs", "1", to: "one")
        #expect(try bytes(of: path) == bytes(of: encode("--gop", "0.5", "--jobs", "3", to: "three")))
        let seen = try animationFrames(of: path)
        #expect(seen.count == 215 && Array(seen[..<43]) == Array(seen[172...]))
        #expect(try seen == animationFrames(of: encode("--repetition", "off", to: "off")))
        // The rectangles of changed pixels are smaller than the frames.
        let parts = try AnimationFile(path).parts
        #expect(parts.filter { $0.width * $0.height < 64 * 32 }.count > parts.count * 3 / 4)
    }

    @Test(arguments: formats)
    func equalFramesCanBeMerged(format: String) throws {
        let workspace = try CommandFixture()
        func encode(_ rule: String) throws -> AnimationFile {
            try AnimationFile(
                workspace.encode(
                    "jelly", "--size", "48x32", "--fps", "30000/1001", "--hold", "4", "--static", rule,
                    to: "\(rule).\(format)"))
        }
        let (all, few) = (try encode("cfr"), try encode("vfr"))
        #expect(few.parts.count < all.parts.count / 2)
        #expect(abs(few.times.last!.double - all.times.last!.double) < 1e-9)
        #expect(Set(few.times).isSubset(of: Set(all.times)))
    }

    @Test(arguments: formats)
    func playCountsAreWritten(format: String) throws {
        let workspace = try CommandFixture()
        for plays in [1, 3, 65535] {
            let path = try workspace.encode(
                "qq", "--size", "32x32", "--duration", "0.1", "--loop", "\(plays)", to: "\(plays).\(format)")
            #expect(try AnimationFile(path).plays == plays)
        }
    }

    /// Lossless WebP stores only the pixels that change, as libwebp's own animation encoder does.
    @Test func webPFramesAreDrawnOverTheirPredecessors() throws {
        let workspace = try CommandFixture()
        let clip = ["oneloading", "--size", "96x96", "--fps", "10", "--timing", "seamless"]
        func encode(_ name: String) throws -> String {
            let outcome = try workspace.run(["encode"] + clip + ["--progress", "none", "-o", name])
            try #require(outcome.code == 0, "\(outcome.errorText)")
            return workspace.directory.file(name)
        }
        let path = try encode("clip.webp")
        let parts = try AnimationFile(path).parts
        #expect(parts.first?.isBlended == false && parts.filter(\.isBlended).count > parts.count / 2)
        #expect(try animationFrames(of: path) == animationFrames(of: encode("clip.apng")))
    }

    /// Blending would mix translucent pixels with those below.
    @Test func translucentWebPFramesReplaceTheirPredecessors() throws {
        let workspace = try CommandFixture()
        func frames(_ format: String) throws -> [[UInt8]] {
            try animationFrames(
                of: workspace.encode(
                    "qq-mail", "--size", "64x32", "--fps", "10", "--timing", "seamless", "--background",
                    "transparent", to: "clip.\(format)"))
        }
        #expect(try frames("webp") == frames("apng"))
    }

    /// A quality makes WebP files smaller and changes the frames, but not visibly.
    @Test func webPQualityIsLossy() throws {
        let workspace = try CommandFixture()
        func encode(_ options: String..., to name: String) throws -> (size: Int, pictures: [[UInt8]]) {
            let clip = [
                "encode", "douyin", "--size", "160x160", "--fps", "10", "--duration", "1", "--progress", "none",
            ]
            let outcome = try workspace.run(clip + options + ["-o", name])
            try #require(outcome.code == 0, "\(outcome.errorText)")
            let path = workspace.directory.file(name)
            return try (bytes(of: path).count, animationFrames(of: path))
        }
        let (all, few) = (try encode(to: "all.webp"), try encode("--quality", "75", to: "few.webp"))
        #expect(few.size < all.size * 3 / 4)
        for (drawn, seen) in zip(all.pictures, few.pictures) {
            let error = SampleStatistics.sumOfSquares(drawn, seen)
            #expect(error > 0 && error < drawn.count * 20, "\(error / drawn.count)")
        }
        #expect(few.pictures.count == 10)
    }

    @Test func apngIsTheSameInAPipe() throws {
        let workspace = try CommandFixture()
        let path = try workspace.encode("qq", "--size", "32x32", "--duration", "0.5", to: "clip.apng")
        let clip = ["encode", "qq", "--size", "32x32", "--duration", "0.5", "--progress", "none"]
        for options in [["--format", "apng"], ["--codec", "apng"]] {
            let piped = try workspace.run(clip + options + ["-o", "-"])
            #expect(try piped.code == 0 && piped.output == bytes(of: path))
        }
        let unknown = try workspace.run(clip + ["--format", "apng", "--static", "vfr", "-o", "-"])
        expectRefusal(unknown, 64, ["standard output"])
    }

    @Test(arguments: [
        ("apng", "--fps 120", "120 is above the maximum of 90 in apng, because players show frames shorter than 11 ms"),
        ("apng", "--chapters", "has no chapters"), ("apng", "--audio x.m4a", "has no sound"),
        ("apng", "--codec vp9", "apng does not support vp9"), ("apng", "--quality 3", "has no such setting"),
        ("apng", "--pixel-format yuv420p", "use rgb24 or rgba"), ("apng", "--loop 0", "1...65535"),
        ("mp4", "--loop 2", "mp4 stores no play count"), ("mov", "--codec apng", "use apng"),
        ("apng", "--pixel-format rgb24 --background transparent", "needs alpha, which apng in rgb24 does not have"),
        ("avif", "--fps 120", "120 is above the maximum of 90 in avif, because players show frames shorter than 11 ms"),
        ("webp", "--fps 120", "the maximum of 90"), ("webp", "--quality 101", "0...100"),
        ("webp", "--speed 7", "0...6"), ("webp", "--color p3", "webp does not store a colour space"),
        ("webp", "--format webp -o -", "standard output"),
        ("gif", "--fps 60", "the maximum of 50 in gif, because players show frames shorter than 20 ms"),
    ])
    func unsupportedOptionsAreRejected(format: String, options: String, reason: String) throws {
        let workspace = try CommandFixture()
        let options = options.split(separator: " ").map(String.init)
        let words = ["encode", "qq", "--size", "32x32", "--duration", "0.2"] + options
        let output = options.contains("-o") ? [] : ["-o", "clip.\(format)"]
        expectRefusal(try workspace.run(words + output), 64, [reason])
        #expect(try workspace.directory.names().isEmpty)
    }

    /// Animated images loop by default, so cuts have seams, too, unless they play once.
    @Test(
        .slow,
        arguments: [
            ("--duration 2", "--cycles 1 (1.44 s) or --cycles 2"), ("--phase 1", "leave out --from, --to and --phase"),
            ("--duration 2 --from 0.5", "leave out"), ("--duration 2 --loop 1", ""), ("--cycles 2", ""),
            ("--step --hold 0.2", ""), ("--from 0.3 --to 1.74", ""),
        ])
    func seamsAreReported(options: String, advice: String) throws {
        let workspace = try CommandFixture()
        let options = options.split(separator: " ").map(String.init)
        let words = ["encode", "qq-mail", "--size", "64x32", "--fps", "25"] + options
        for format in AnimationTests.formats {
            let outcome = try workspace.run(words + ["-o", "clip.\(format)"])
            #expect(outcome.code == 0 && outcome.errors.isEmpty == advice.isEmpty, "\(outcome.errorText)")
            #expect(advice.isEmpty || outcome.errorText.contains(advice), "\(outcome.errorText)")
        }
    }
}
