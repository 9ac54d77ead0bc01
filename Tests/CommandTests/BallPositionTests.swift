import Foundation
import TestSupport
import Testing

/// The options of a clip of the balls.
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

    var canvas: BallCanvas { BallCanvas(loader: loader, scale: Double(scale) ?? 0) }
    var arguments: [String] {
        ["encode", loader, "--fps", fps, "--slowmo", slowmo, "--scale", scale, "--motion", ticks ? "ticks" : "smooth"]
    }

    /// The frame's position `k` of `m` in a cycle of six phases. QQ's period has two cycles, which
    /// may share a frame.
    func position(ofFrame k: Int, in total: Int) -> (k: Int, m: Int) {
        // Doubled positions keep the second cycle exact if `total` is odd.
        loader == "qq" ? (2 * k % total, total) : (k, total)
    }

    /// True for about thirty frames, spread over all phases.
    func isMeasured(_ frame: Int, of total: Int) -> Bool {
        let step = max(1, total / 30) | 1
        return frame % step == 0
    }
}

/// The encoding of clips in which balls are located by their colours.
private enum BallCoding: CaseIterable {
    case lossless, lossy

    /// The options of `encode`. On white, the yellow ball is visible in chroma alone, which has a
    /// quarter of the samples. At VP9's default quality, libvpx shifts it by up to 0.14 points, so
    /// the tests use a higher quality.
    func options(_ clip: BallClip) -> [String] {
        switch self {
        case .lossless: ["--codec", "ffv1"]
        case .lossy: clip.container == "webm" ? ["--quality", "20"] : []
        }
    }

    /// The maximum deviation of a ball in points. The measurement itself has an error of 0.013.
    var limit: Double { self == .lossless ? 0.02 : 0.1 }
}

@Suite struct BallPositionTests {
    /// The specified number of frames in the clip.
    private func frames(_ clip: BallClip) throws -> Int {
        let period = clip.loader == "qq" ? 2.88 : 1.44
        let rates = ["60": 60.0, "24": 24, "29.97": 30000.0 / 1001]
        return Int((period * (try #require(Double(clip.slowmo))) * (try #require(rates[clip.fps]))).rounded())
    }

    private func encode(
        _ clip: BallClip, _ more: [String], in workspace: CommandFixture, as name: String
    ) throws -> String {
        let outcome = try workspace.run(clip.arguments + more + ["-o", name])
        try #require(outcome.code == 0, "\(outcome.errorText)")
        return workspace.directory.file(name)
    }

    /// One ball is white and the others black, on black, at half opacity. The brightness of a pixel
    /// is then the ball's coverage, dimmed by the balls in front, whose effect is known and divided
    /// out.
    @Test(arguments: some(of: BallClip.all, and: Ball.allCases, each: 7))
    private func ballsAreAtTheirPositions(_ clip: BallClip, _ ball: Ball) throws {
        let workspace = try CommandFixture()
        let colors = Ball.allCases.flatMap { ["--set", "\($0.parameter)=\($0 == ball ? "#fff" : "#000")"] }
        let path = try encode(
            clip, colors + ["--set", "opacity=0.5", "--background", "#000"], in: workspace, as: "a.\(clip.container)")
        let total = try frames(clip)
        let video = try DecodedVideo(path: path) { clip.isMeasured($0, of: total) }
        #expect(video.samples.count == total)
        let canvas = clip.canvas
        for (frame, samples) in video.samples.enumerated() where !samples.isEmpty {
            let (k, m) = clip.position(ofFrame: frame, in: total)
            let x = { (ball: Ball) in canvas.center.x + ball.displacement(frame: k, of: m, ticks: clip.ticks) }
            let front = Ball.depthOrder(frame: k, of: m).prefix { $0 != ball }.map(x)
            let found = canvas.centroid { column, row in
                let light = (Double(samples[row * canvas.width + column]) - 16) / 219 / 0.5
                // Ignores background noise.
                guard light > 0.04 else { return 0 }
                let shade = front.reduce(1) { $0 * (1 - 0.5 * canvas.coverage(column, row, ballAt: $1)) }
                let coverage = light / shade
                return coverage > 0.2 ? min(coverage, 1.1) : 0
            }
            #expect(abs(found.area - 1) < 0.06, "frame \(frame): area \(found.area)")
            #expect(abs(found.x - x(ball)) < 0.1, "frame \(frame): \(found.x) instead of \(x(ball))")
            #expect(abs(found.y - canvas.center.y) < 0.1, "frame \(frame): y \(found.y)")
        }
    }

    /// Uses the article's colours, decoded by ffmpeg. On white, each ball reduces its own mixture
    /// of channels. This does not hold where balls overlap, so only frames with separate balls are
    /// measured.
    @Test(.slow, arguments: some(of: BallClip.all.filter { $0.scale != "6.5" }, and: BallCoding.allCases, each: 9))
    private func ballsAreFoundByTheirColors(_ clip: BallClip, _ coding: BallCoding) throws {
        let workspace = try CommandFixture()
        let name = coding == .lossless ? "a.mkv" : "a.\(clip.container)"
        let path = try encode(clip, coding.options(clip), in: workspace, as: name)
        let total = try frames(clip)
        let canvas = clip.canvas
        let crop = "crop=iw:\(canvas.rows.count):0:\(canvas.rows.lowerBound):exact=1"
        let bytes = try run(
            "ffmpeg",
            ["-v", "error", "-i", path, "-fps_mode", "passthrough", "-vf", crop, "-pix_fmt", "yuv420p"]
                + ["-f", "rawvideo", "-"]
        ).output
        let size = canvas.width * canvas.rows.count * 3 / 2
        #expect(bytes.count == total * size)
        var measured = 0
        for frame in 0..<total where clip.isMeasured(frame, of: total) {
            let (k, m) = clip.position(ofFrame: frame, in: total)
            let expected = Ball.allCases.map { $0.displacement(frame: k, of: m, ticks: clip.ticks) }
            guard areApart(expected) else { continue }
            measured += 1
            let blocks = ColorBlocks(bytes[frame * size..<(frame + 1) * size], canvas)
            for (ball, displacement) in zip(Ball.allCases, expected) {
                // Encoding artifacts at another ball's edge are weak but far away, so the second
                // measurement is limited to the ball's surroundings.
                let rough = canvas.centroid { blocks.share(of: ball, $0, $1) }
                let found = canvas.centroid(within: BallCanvas.radius + 3, of: rough.x) {
                    blocks.share(of: ball, $0, $1)
                }
                let x = canvas.center.x + displacement
                #expect(abs(found.area - 1) < 0.06, "frame \(frame), \(ball): area \(found.area)")
                #expect(abs(found.x - x) < coding.limit, "frame \(frame), \(ball): \(found.x) instead of \(x)")
                #expect(abs(found.y - canvas.center.y) < coding.limit, "frame \(frame), \(ball): y \(found.y)")
            }
        }
        #expect(measured >= 8)
    }

    private func areApart(_ positions: [Double]) -> Bool {
        let sorted = positions.sorted()
        return zip(sorted, sorted.dropFirst()).allSatisfy { $1 - $0 > 16 }
    }
}

/// The rows with balls of a 4:2:0 frame, as 2x2 blocks with one colour each.
private struct ColorBlocks {
    private let samples: ArraySlice<UInt8>
    private let canvas: BallCanvas

    init(_ samples: ArraySlice<UInt8>, _ canvas: BallCanvas) {
        self.samples = samples
        self.canvas = canvas
    }

    /// The coverage by a ball with opacity 0.8, on white, of the block of a pixel in the whole
    /// frame. Red reduces green and blue, green reduces red and blue, and yellow reduces blue
    /// alone.
    func share(of ball: Ball, _ column: Int, _ frameRow: Int) -> Double {
        let width = canvas.width
        let row = (frameRow - canvas.rows.lowerBound) & ~1
        let corner = samples.startIndex + row * width + column & ~1
        let chroma = samples.startIndex + width * canvas.rows.count + row / 2 * (width / 2) + column / 2
        let corners = [corner, corner + 1, corner + width, corner + width + 1]
        let luma = (corners.reduce(0) { $0 + Double(samples[$1]) } / 4 - 16) / 219
        let blue = luma + 1.8556 * (Double(samples[chroma]) - 128) / 224
        let red = luma + 1.5748 * (Double(samples[chroma + width / 2 * (canvas.rows.count / 2)]) - 128) / 224
        let green = (luma - 0.2126 * red - 0.0722 * blue) / 0.7152
        let amount =
            switch ball {
            case .red: 1 - green
            case .green: 1 - red
            case .yellow: red + green - blue - 1
            }
        // Ignores weak encoding artifacts.
        return amount / 0.8 > 0.1 ? amount / 0.8 : 0
    }
}
