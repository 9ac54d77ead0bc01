import Foundation
import TestSupport
import Testing

/// The modes of slow motion, checked in decoded files. FFV1 in RGB is lossless, so that frames can
/// be compared exactly.
@Suite struct SlowMotionModeTests {
    private let workspace: CommandFixture

    init() throws { workspace = try CommandFixture() }

    private func lossless(_ arguments: String..., loader: String = "qq-mail", scale: String = "1") throws -> [[UInt8]] {
        let name = "clip-\(arguments.joined().hashValue).mkv"
        let outcome = try workspace.run(
            ["encode", loader, "--scale", scale, "--codec", "ffv1", "--pixel-format", "bgr0", "--progress", "none"]
                + arguments + ["-o", name])
        try #require(outcome.code == 0, "\(outcome.errorText)")
        return try decodedFrames(of: workspace.directory.file(name))
    }

    /// The lengths of runs of equal frames.
    private func runs(_ frames: [[UInt8]]) -> [Int] {
        var runs: [Int] = []
        for (index, frame) in frames.enumerated() {
            if index > 0, frame == frames[index - 1] { runs[runs.count - 1] += 1 } else { runs.append(1) }
        }
        return runs
    }

    @Test func steppingHoldsEachBoundary() throws {
        let stepped = try lossless("--step", "--fps", "10")
        #expect(runs(stepped) == Array(repeating: 10, count: 6))
        let plain = try lossless("--timing", "exact", "--fps", "25")
        for phase in 0..<6 { #expect(stepped[10 * phase] == plain[6 * phase], "phase \(phase)") }
        #expect(
            runs(try lossless("--step", "--hold", "0.5", "--fps", "10", "--cycles", "2"))
                == .init(repeating: 5, count: 12))
    }

    @Test func holdsComeBetweenMotions() throws {
        // At 25 fps, a phase has 6 frames, and a hold of 0.4 s adds 10 copies of its first.
        let held = try lossless("--hold", "0.4", "--fps", "25")
        let plain = try lossless("--fps", "25")
        #expect(held.count == 96 && plain.count == 36)
        for phase in 0..<6 {
            #expect(held[16 * phase..<16 * phase + 10].allSatisfy { $0 == plain[6 * phase] })
            #expect(Array(held[16 * phase + 10..<16 * phase + 16]) == Array(plain[6 * phase..<6 * phase + 6]))
        }
    }

    @Test(.slow) func cutsMatchTheWholeClip() throws {
        let whole = try lossless("--fps", "25")
        #expect(try lossless("--fps", "25", "--phase", "2") == Array(whole[12..<18]))
        #expect(try lossless("--fps", "25", "--from", "phase:1+1/2", "--to", "0.96") == Array(whole[9..<24]))
        #expect(try lossless("--fps", "25", "--from", "1.2", "--cycles", "2") == Array(whole[30...] + whole[30...]))
        let acrossTheSeam = try lossless("--fps", "25", "--from", "1.2", "--to", "1.68")
        #expect(acrossTheSeam == Array(whole[30...] + whole[..<6]))
    }

    @Test(.slow) func rampsAreSlowestAtBoundariesAndShowThem() throws {
        let ramped = try lossless("--ramp", "8", "--fps", "60", loader: "qq-mail", scale: "4")
        let plain = try lossless("--fps", "60", scale: "4")
        // 3/4 of 86.4 frames are played at the mean of full speed and an eighth of it.
        #expect(ramped.count == 137)
        #expect(ramped[0] == plain[0])
        // The change between frames grows with the distance from a boundary.
        let phase = ramped.count / 6
        let near = SampleStatistics.sumOfDifferences(ramped[0], ramped[1])
        let far = SampleStatistics.sumOfDifferences(ramped[phase / 2], ramped[phase / 2 + 1])
        #expect(near * 4 < far, "\(near) beside \(far)")
    }

    @Test func normalSpeedIsSideBySide() throws {
        let both = try lossless("--side-by-side", "--slowmo", "3", "--fps", "25")
        let (slow, normal) = (try lossless("--slowmo", "3", "--fps", "25"), try lossless("--fps", "25"))
        #expect(both.count == slow.count && slow.count == 108)
        let (width, gap, height) = (120, 20, 60)
        // Composited layers are rounded once more than a single drawing.
        let row = 3 * (2 * width + gap)
        // The height of the speed labels above the panels.
        let above = both[0].count / row - height
        #expect((4...16).contains(above))
        func half(_ frame: [UInt8], from x: Int) -> [UInt8] {
            var half: [UInt8] = []
            for y in 0..<height {
                let start = (above + y) * row + 3 * x
                half += frame[start..<start + 3 * width]
            }
            return half
        }
        for frame in 0..<both.count {
            let (left, right) = (half(both[frame], from: 0), half(both[frame], from: width + gap))
            #expect(SampleStatistics.maxDifference(left, normal[frame % 36]) <= 2, "left of \(frame)")
            #expect(SampleStatistics.maxDifference(right, slow[frame]) <= 2, "right of \(frame)")
        }
    }

    /// Beside fast motion, whole passes would not be at normal speed.
    @Test(arguments: [("1/2", "exact"), ("6", "seamless"), ("1/2 --timing seamless", "seamless")])
    func normalSpeedDecidesTheTiming(options: String, timing: String) throws {
        let workspace = try CommandFixture()
        let words = ["encode", "qq-mail", "--side-by-side", "--size", "128x64", "-o", "a.mp4", "--slowmo"]
        let outcome = try workspace.run(words + options.split(separator: " ").map(String.init))
        #expect(outcome.code == 0 && (outcome.text + outcome.errorText).contains(timing), "\(outcome)")
    }

    /// A white ball on black: averaging linear light over the shutter time keeps the sum of light,
    /// and moves the centroid ahead by half of that time.
    @Test func motionBlurIsTheMeanOfLight() throws {
        let style = ["--background", "#000", "--set", "opacity=1", "--set", "red=#fff", "--set", "yellow=#000"]
        let rest = ["--set", "green=#000", "--fps", "25", "--phase", "1"]
        func light(_ shutter: String) throws -> [(sum: Double, x: Double)] {
            let name = "blur\(shutter).mkv"
            let outcome = try workspace.run(
                [
                    "encode", "qq-mail", "--scale", "4", "--codec", "ffv1", "--pixel-format", "bgr0", "--progress",
                    "none",
                ]
                    + style + rest + ["--motion-blur", shutter, "-o", name])
            try #require(outcome.code == 0, "\(outcome.errorText)")
            return try decodedFrames(of: workspace.directory.file(name)).map { picture in
                var sum = 0.0
                var moment = 0.0
                for pixel in 0..<picture.count / 3 {
                    let code = Double(picture[3 * pixel]) / 255
                    let light = code <= 0.04045 ? code / 12.92 : pow((code + 0.055) / 1.055, 2.4)
                    sum += light
                    moment += light * Double(pixel % 480)
                }
                return (sum, moment / sum)
            }
        }
        let (sharp, blurred) = (try light("0"), try light("0.5"))
        // In these frames, no black ball covers the white one.
        for frame in 3..<5 {
            #expect(abs(blurred[frame].sum / sharp[frame].sum - 1) < 0.02, "frame \(frame)")
            // 5 pt per frame at 4 px/pt. The mean of 32 instants in half a frame is at 31/128 of
            // the way.
            #expect(abs(blurred[frame].x - sharp[frame].x - 20 * 31 / 128) < 0.15, "frame \(frame)")
        }
    }

    @Test(arguments: some(of: ["mp4", "mov", "mkv", "m4v", "webm"], each: 2))
    func phasesBecomeChapters(container: String) throws {
        struct Chapters: Decodable {
            struct Chapter: Decodable {
                var startTime: String
                var endTime: String
                var tags: [String: String]
            }
            var chapters: [Chapter]
        }
        try workspace.encode(
            "qq-mail", "--scale", "1", "--fps", "30", "--hold", "0.25", "--cycles", "3", "--chapters",
            to: "c.\(container)")
        let listing = try run(
            "ffprobe", ["-v", "error", "-of", "json", "-show_chapters", workspace.directory.file("c.\(container)")])
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let chapters = try decoder.decode(Chapters.self, from: Data(listing.output)).chapters
        // A cycle of 6 x (0.24 + 0.25) s is 88.2 frames, rounded to 88.
        #expect(chapters.count == 18)
        let cycle = 88.0 / 30
        for (index, chapter) in chapters.enumerated() {
            let start = Double(chapter.startTime) ?? -1, end = Double(chapter.endTime) ?? -1
            #expect(abs(start - cycle * Double(index) / 6) < 0.0011, "chapter \(index)")
            #expect(abs(end - cycle * Double(index + 1) / 6) < 0.0011, "chapter \(index)")
            #expect(chapter.tags["title"]?.hasPrefix("Phase \(index % 6 + 1): ") == true)
        }
    }

    @Test(.slow) func bytesDoNotDependOnJobs() throws {
        let modes = [
            ["--slowmo", "2", "--hold", "0.2", "--ramp", "3", "--chapters", "--cycles", "2"],
            ["--side-by-side", "--slowmo", "2"], ["--motion-blur", "0.5"],
            ["--step", "--annotate", "all", "--size", "240x160"],
        ]
        for (index, mode) in modes.enumerated() {
            let files = try ["1", "3"].map { jobs in
                let name = "jobs\(jobs)-\(index).mp4"
                let options = ["--scale", "1", "--fps", "30", "--gop", "0.4", "--jobs", jobs]
                let size = mode.contains("--size") ? Array(options.dropFirst(2)) : options
                let outcome = try workspace.run(
                    ["encode", "qq-mail"] + size + mode + ["--progress", "none", "-o", name])
                try #require(outcome.code == 0, "\(outcome.errorText)")
                return try bytes(of: workspace.directory.file(name))
            }
            #expect(files[0] == files[1], "\(mode)")
        }
    }
}
