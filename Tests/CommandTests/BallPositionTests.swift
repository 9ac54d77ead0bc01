import Foundation
import Testing
import TestSupport

/// How a clip of the balls is made.
private struct BallClip: Sendable, CustomTestStringConvertible {
    var loader: String
    var fps: String
    var slowmo: String
    var scale: String
    var container: String
    var ticks: Bool

    static let all = [
        BallClip(loader: "qq-mail", fps: "60", slowmo: "1", scale: "4", container: "mp4", ticks: false),
        BallClip(loader: "qq-mail", fps: "24", slowmo: "4", scale: "2", container: "webm", ticks: false),
        BallClip(loader: "qq-mail", fps: "29.97", slowmo: "0.5", scale: "6.5", container: "mp4", ticks: true),
        BallClip(loader: "qq-mail", fps: "24", slowmo: "7.3", scale: "2", container: "mp4", ticks: true),
        BallClip(loader: "qq-mail", fps: "60", slowmo: "7.3", scale: "2", container: "webm", ticks: false),
        BallClip(loader: "qq", fps: "24", slowmo: "0.5", scale: "2", container: "webm", ticks: true),
        BallClip(loader: "qq", fps: "29.97", slowmo: "1", scale: "4", container: "mp4", ticks: false),
        BallClip(loader: "qq", fps: "60", slowmo: "1", scale: "2", container: "mp4", ticks: true),
        BallClip(loader: "qq", fps: "24", slowmo: "0.5", scale: "6.5", container: "mp4", ticks: false),
    ]

    var testDescription: String {
        "\(loader) \(fps) fps, slowmo \(slowmo), scale \(scale), .\(container)\(ticks ? ", ticks" : "")"
    }

    var stage: BallStage { BallStage(loader: loader, scale: Double(scale) ?? 0) }
    var arguments: [String] {
        ["encode", loader, "--fps", fps, "--slowmo", slowmo, "--scale", scale, "--motion", ticks ? "ticks" : "smooth"]
    }

    /// Frames in one cycle of the balls' six phases; QQ's period has two of them, which may share a frame.
    func position(ofFrame k: Int, in total: Int) -> (k: Int, m: Int) {
        // Twice as many steps as there are half frames keep the second cycle exact where `total` is odd.
        loader == "qq" ? (2 * k % total, total) : (k, total)
    }

    /// Which frames are measured: some thirty, over all phases.
    func isMeasured(_ frame: Int, of total: Int) -> Bool {
        let step = max(1, total / 30) | 1
        return frame % step == 0
    }
}

/// How the balls are encoded that are found by their colours.
private enum BallCoding: CaseIterable {
    case lossless, lossy

    /// Options of `encode`. At VP9's default quality libvpx paints the yellow ball, which over white shows in chroma alone
    /// and so in a quarter of the samples, up to 0.14 points beside where it is drawn: here it may use more bits.
    func options(_ clip: BallClip) -> [String] {
        switch self {
        case .lossless: ["--codec", "ffv1"]
        case .lossy: clip.container == "webm" ? ["--quality", "20"] : []
        }
    }

    /// How far a ball may be from where it belongs, in points: what is measured adds 0.013 of its own.
    var limit: Double { self == .lossless ? 0.02 : 0.1 }
}

@Suite struct BallPositionTests {
    /// Frames of the clip by the contract: the period in ticks of 8 ms, 1000 of them in 8 s.
    private func frames(_ clip: BallClip) throws -> Int {
        let period = clip.loader == "qq" ? 2.88 : 1.44
        let rates = ["60": 60.0, "24": 24, "29.97": 30000.0 / 1001]
        return Int((period * (try #require(Double(clip.slowmo))) * (try #require(rates[clip.fps]))).rounded())
    }

    private func encode(_ clip: BallClip, _ more: [String], in workspace: Workspace, as name: String) throws -> String {
        let outcome = try workspace.run(clip.arguments + more + ["-o", name])
        try #require(outcome.code == 0, "\(outcome.errorText)")
        return workspace.directory.file(name)
    }

    /// Every ball in turn is white while the others are black, on black, at half opacity: what is seen of it is what
    /// it covers, dimmed by the known balls in front of it, which is divided out.
    @Test(arguments: some(of: BallClip.all, and: Ball.allCases, each: 4))
    private func ballsAreWhereTheyBelong(_ clip: BallClip, _ ball: Ball) throws {
        let workspace = try Workspace()
        let colors = Ball.allCases.flatMap { ["--set", "\($0.parameter)=\($0 == ball ? "#fff" : "#000")"] }
        let path = try encode(
            clip, colors + ["--set", "opacity=0.5", "--background", "#000"], in: workspace, as: "a.\(clip.container)")
        let total = try frames(clip)
        let video = try DecodedVideo(path: path) { clip.isMeasured($0, of: total) }
        #expect(video.samples.count == total)
        let stage = clip.stage
        for (frame, samples) in video.samples.enumerated() where !samples.isEmpty {
            let (k, m) = clip.position(ofFrame: frame, in: total)
            let x = { (ball: Ball) in stage.center.x + ball.displacement(frame: k, of: m, ticks: clip.ticks) }
            let front = Ball.depthOrder(frame: k, of: m).prefix { $0 != ball }.map(x)
            let found = stage.centroid { column, row in
                let light = (Double(samples[row * stage.width + column]) - 16) / 219 / 0.5
                // Background noise stays out.
                guard light > 0.04 else { return 0 }
                let shade = front.reduce(1) { $0 * (1 - 0.5 * stage.coverage(column, row, ballAt: $1)) }
                let coverage = light / shade
                return coverage > 0.2 ? min(coverage, 1.1) : 0
            }
            #expect(abs(found.area - 1) < 0.06, "frame \(frame): area \(found.area)")
            #expect(abs(found.x - x(ball)) < 0.1, "frame \(frame): \(found.x) instead of \(x(ball))")
            #expect(abs(found.y - stage.center.y) < 0.1, "frame \(frame): y \(found.y)")
        }
    }

    /// With the article's own colours, as ffmpeg decodes them. Over white each ball takes its own mixture of channels
    /// away; where balls overlap that no longer holds, so frames are measured in which they are apart.
    @Test(arguments: some(of: BallClip.all.filter { $0.scale != "6.5" }, and: BallCoding.allCases, each: 3))
    private func ballsAreFoundByTheirColors(_ clip: BallClip, _ coding: BallCoding) throws {
        let workspace = try Workspace()
        let name = coding == .lossless ? "a.mkv" : "a.\(clip.container)"
        let path = try encode(clip, coding.options(clip), in: workspace, as: name)
        let (total, stage) = (try frames(clip), clip.stage)
        let crop = "crop=iw:\(stage.rows.count):0:\(stage.rows.lowerBound):exact=1"
        let bytes = try run(
            "ffmpeg",
            ["-v", "error", "-i", path, "-fps_mode", "passthrough", "-vf", crop, "-pix_fmt", "yuv420p"]
                + ["-f", "rawvideo", "-"]
        ).output
        let size = stage.width * stage.rows.count * 3 / 2
        #expect(bytes.count == total * size)
        var measured = 0
        for frame in 0..<total where clip.isMeasured(frame, of: total) {
            let (k, m) = clip.position(ofFrame: frame, in: total)
            let expected = Ball.allCases.map { $0.displacement(frame: k, of: m, ticks: clip.ticks) }
            guard areApart(expected) else { continue }
            measured += 1
            let blocks = ColorBlocks(bytes[frame * size..<(frame + 1) * size], stage)
            for (ball, displacement) in zip(Ball.allCases, expected) {
                // What an encoder leaves at another ball's edge is little, but far away: once more without that.
                let rough = stage.centroid { blocks.share(of: ball, $0, $1) }
                let found = stage.centroid(within: BallStage.radius + 3, of: rough.x) { blocks.share(of: ball, $0, $1) }
                let x = stage.center.x + displacement
                #expect(abs(found.area - 1) < 0.06, "frame \(frame), \(ball): area \(found.area)")
                #expect(abs(found.x - x) < coding.limit, "frame \(frame), \(ball): \(found.x) instead of \(x)")
                #expect(abs(found.y - stage.center.y) < coding.limit, "frame \(frame), \(ball): y \(found.y)")
            }
        }
        #expect(measured >= 8)
    }

    private func areApart(_ positions: [Double]) -> Bool {
        let sorted = positions.sorted()
        return zip(sorted, sorted.dropFirst()).allSatisfy { $1 - $0 > 16 }
    }
}

/// The rows of balls of a picture in 4:2:0, in blocks of 2x2 pixels with a colour each.
private struct ColorBlocks {
    private let samples: ArraySlice<UInt8>
    private let stage: BallStage

    init(_ samples: ArraySlice<UInt8>, _ stage: BallStage) { (self.samples, self.stage) = (samples, stage) }

    /// How much of a ball with opacity 0.8 is in the block of a pixel of the whole picture, over white: red takes green
    /// and blue away, green takes red and blue away, and yellow blue alone.
    func share(of ball: Ball, _ column: Int, _ pictureRow: Int) -> Double {
        let (width, row) = (stage.width, (pictureRow - stage.rows.lowerBound) & ~1)
        let corner = samples.startIndex + row * width + column & ~1
        let chroma = samples.startIndex + width * stage.rows.count + row / 2 * (width / 2) + column / 2
        let corners = [corner, corner + 1, corner + width, corner + width + 1]
        let luma = (corners.reduce(0) { $0 + Double(samples[$1]) } / 4 - 16) / 219
        let blue = luma + 1.8556 * (Double(samples[chroma]) - 128) / 224
        let red = luma + 1.5748 * (Double(samples[chroma + width / 2 * (stage.rows.count / 2)]) - 128) / 224
        let green = (luma - 0.2126 * red - 0.0722 * blue) / 0.7152
        let amount =
            switch ball {
            case .red: 1 - green
            case .green: 1 - red
            case .yellow: red + green - blue - 1
            }
        // What the encoder leaves around is small.
        return amount / 0.8 > 0.1 ? amount / 0.8 : 0
    }
}
