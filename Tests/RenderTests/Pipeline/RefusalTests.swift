import Animations
import Core
import Media
import Render
import TestSupport
import Testing

/// An invalid request, with the kind of its error and parts of the message.
private struct Refusal: Sendable, CustomTestStringConvertible {
    let kind: LoadervidError.Kind
    let words: [String]
    let container: Container
    let change: @Sendable (inout RenderRequest) throws -> Void

    init(
        _ kind: LoadervidError.Kind, _ words: String..., container: Container = .mp4,
        change: @escaping @Sendable (inout RenderRequest) throws -> Void
    ) { (self.kind, self.words, self.container, self.change) = (kind, words, container, change) }

    var testDescription: String { words.joined(separator: ", ") }
}

private let refusals: [Refusal] = [
    Refusal(.usage, "slowmo: 0.01", "0.05...1000") { $0.slowmo = Rational(1, 100) },
    Refusal(.usage, "slowmo: 1001", "0.05...1000") { $0.slowmo = 1001 },
    Refusal(.usage, "slowmo: 0 ") { $0.slowmo = 0 },
    Refusal(.usage, "cycles: 0", "1...") { $0.extent = .cycles(0) },
    Refusal(.usage, "cycles: -3", "1...") { $0.extent = .cycles(-3) },
    Refusal(.usage, "cycles: \(Int.max)", "1...") { $0.extent = .cycles(.max) },
    Refusal(.usage, "duration: 0", "is not above 0") { $0.extent = .duration(0) },
    Refusal(.usage, "half a frame") { $0.extent = .duration(Rational(1, 1000)) },
    Refusal(.usage, "10000000", "shorten") { $0.extent = .duration(200_000) },
    Refusal(.usage, "10000000", "shorten") { $0.extent = .cycles(10_000_000) },
    Refusal(.usage, "10000000", "shorten") {
        // The number of frames would overflow an integer.
        $0.loader = try LoaderRequest(id: "jelly")
        $0.loader.settings = ["duration=600"]
        ($0.to, $0.slowmo, $0.ramp, $0.extent) = (.seconds(36_000), 1000, 1000, .cycles(10_000_000))
        $0.frameRate = FrameRate(1000) ?? .standard
    },
    Refusal(.usage, "gop: 0 ", "0.05...60") { $0.keyFrameInterval = 0 },
    Refusal(.usage, "gop: 61", "0.05...60") { $0.keyFrameInterval = 61 },
    Refusal(.usage, "33x16", "even", "34x16") { $0.loader.size = .pixels(width: 33, height: 16) },
    Refusal(.usage, "120x135", "even", "120x136") { $0.loader.size = .pixels(width: 120, height: 135) },
    Refusal(.usage, "34x28", "minimum of 64", "codec h264") {
        ($0.codec, $0.loader.size) = ("hevc", .pixels(width: 34, height: 28))
    },
    Refusal(.usage, "48x48", "minimum of 64", "larger scale") {
        ($0.codec, $0.loader.size) = ("x265", .pixels(width: 48, height: 48))
    },
    Refusal(.usage, "8x16", "16...8192") { $0.loader.size = .pixels(width: 8, height: 16) },
    Refusal(.usage, "-2x16", "16...8192") { $0.loader.size = .pixels(width: -2, height: 16) },
    Refusal(.usage, "9000x9000", "16...8192") { $0.loader.size = .pixels(width: 9000, height: 9000) },
    Refusal(.usage, "scale: 0 ", "0.1...1000") { $0.loader.size = .scale(0) },
    Refusal(.usage, "scale: 1001", "0.1...1000") { $0.loader.size = .scale(1001) },
    Refusal(.usage, "'qqmail'", "did you mean 'qq-mail'") { $0.loader = try LoaderRequest(id: "qqmail") },
    Refusal(.usage, "'colour'", "radius") { $0.loader.settings = ["colour=red"] },
    Refusal(.usage, "'radius'", "key=value") { $0.loader.settings = ["radius"] },
    Refusal(.usage, "radius=99", "0.5...30") { $0.loader.settings = ["radius=99"] },
    Refusal(.usage, "radius=nan", "0.5...30") { $0.loader.settings = ["radius=nan"] },
    Refusal(.usage, "red=rde", "CSS") { $0.loader.settings = ["red=rde"] },
    Refusal(.usage, "motion=jumpy") { $0.loader.motion = "jumpy" },
    Refusal(.usage, "motion: iqiyi has no timer steps", "qq-mail") {
        $0.loader = try LoaderRequest(id: "iqiyi")
        $0.loader.motion = "ticks"
    },
    Refusal(.badData, "67", "maximum of 66") {
        $0.loader = try LoaderRequest(id: "qq-pull")
        $0.loader.settings = ["gesture=0:0,1:67,2:0"]
    },
    Refusal(.badData, "gesture") {
        $0.loader = try LoaderRequest(id: "qq-pull")
        $0.loader.settings = ["gesture=0:0,1"]
    },
    Refusal(.missingInput, "/nowhere/cover.png", "does not exist") {
        $0.loader = try LoaderRequest(id: "douyin")
        $0.loader.settings = ["cover=/nowhere/cover.png"]
    },
    Refusal(.badData, "/proc/self/status", "cannot be read: its format is unknown") {
        $0.loader = try LoaderRequest(id: "douyin")
        $0.loader.settings = ["cover=/proc/self/status"]
    },
    Refusal(.unavailable, "h266", "h264") { $0.codec = "h266" },
    Refusal(.unavailable, "aac") { $0.codec = "aac" },
    Refusal(.usage, "webm", "h264", "mp4", container: .webm) { $0.codec = "h264" },
    Refusal(.usage, "mov", "vp9", "webm", container: .mov) { $0.codec = "vp9" },
    Refusal(.usage, "pixel-format: libx264 does not support 'rgb25'", "yuv420p") { $0.pixelFormat = "rgb25" },
    Refusal(.usage, "pixel-format: libx264 does not support 'pal8'", "yuv420p") { $0.pixelFormat = "pal8" },
    Refusal(.usage, "pixel-format: libx264 does not support 'yuva420p'", "yuv420p") { $0.pixelFormat = "yuva420p" },
    Refusal(.usage, "quality: 52", "0...51") { $0.quality = "52" },
    Refusal(.usage, "quality: good", "0...51") { $0.quality = "good" },
    Refusal(.usage, "speed: warp", "medium") { $0.speed = "warp" },
    Refusal(.usage, "speed: 9", "-8...8", container: .webm) { $0.speed = "9" },
    Refusal(.usage, "needs alpha", "#ffffff80") { $0.loader.background = Color(css: "#ffffff80") },
]

@Suite struct RefusalTests {
    @Test(arguments: refusals)
    private func invalidRequestsAreRefusedOnOneLine(_ refusal: Refusal) throws {
        let error = try #require(throws: LoadervidError.self) {
            try RenderPlan(request("qq-mail", refusal.container, refusal.change))
        }
        #expect(error.kind == refusal.kind)
        for word in refusal.words { #expect(error.description.contains(word), "\(error)") }
        #expect(!error.description.contains("\n"))
    }

    @Test func translucentBackgroundsNeedAlpha() throws {
        let plan = try RenderPlan(
            request("qq-mail", .webm) {
                ($0.loader.background, $0.pixelFormat) = (Color(css: "#ffffff80"), "yuva420p")
            })
        #expect(plan.encoder.pixelFormat.hasAlpha)
        #expect(plan.encoder.options["auto-alt-ref"] == "0")
    }

    @Test func limitsAreInclusive() throws {
        for slowmo in [Rational(1, 20), 1000] { _ = try RenderPlan(request { $0.slowmo = slowmo }) }
        for gop in [Rational(1, 20), 60] { _ = try RenderPlan(request { $0.keyFrameInterval = gop }) }
        _ = try RenderPlan(request { $0.loader.size = .pixels(width: 16, height: 16) })
        _ = try RenderPlan(request { $0.extent = .duration(Rational(10_000_000, 60)) })
        _ = try RenderPlan(request("qq-pull") { $0.loader.settings = ["gesture=0:0,1:66,2:0"] })
        // Without chroma subsampling, odd sizes are valid.
        _ = try RenderPlan(
            request {
                ($0.loader.size, $0.pixelFormat) = (.pixels(width: 33, height: 17), "yuv444p")
            })
    }
}
