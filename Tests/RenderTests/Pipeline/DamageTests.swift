import Animations
import Core
import Media
import Raster
import TestSupport
import Testing

@testable import Render

/// Drawing and converting only changed pixels gives the same bytes as drawing and converting whole
/// frames.
@Suite struct DamageTests {
    static let formats: [(String, codec: String)] = [
        ("yuv420p", "h264"), ("yuv422p", "h264"), ("yuv444p", "h264"), ("yuv420p10le", "hevc"), ("yuva420p", "vp9"),
        ("bgra", "ffv1"), ("bgr0", "libx264rgb"), ("nv12", "h264"), ("yuyv422", "rawvideo"), ("monob", "rawvideo"),
        ("yuv422p10le", "prores_ks"), ("gray", "ffv1"),
    ]

    private func plan(
        _ id: String, size: FrameSize, _ format: String, codec: String,
        _ change: (inout RenderRequest) -> Void = { _ in }
    ) throws -> RenderPlan {
        try RenderPlan(
            request(id, .mkv) {
                ($0.loader.size, $0.codec, $0.pixelFormat) = (size, codec, format)
                change(&$0)
            })
    }

    /// Frame numbers with steps forwards and backwards and with jumps, because a worker may
    /// continue with any segment.
    private func frames(of plan: RenderPlan, seed: Int) -> [Int] {
        var random = SeededGenerator(seed: UInt64(seed))
        let count = plan.frameCount
        let start = Int.random(in: 0..<count, using: &random)
        let jumps = (0..<3).map { _ in Int.random(in: 0..<count, using: &random) }
        return (start..<start + 4).map { $0 % count } + jumps + [jumps[2], (jumps[2] + count - 1) % count]
    }

    private func check(_ plan: RenderPlan, seed: Int, _ name: String) throws {
        let comparison = try RedrawComparison(plan)
        for frame in frames(of: plan, seed: seed) {
            let (problem, _) = try comparison.check(plan.scenes(ofFrame: frame, in: plan.segments[0]))
            #expect(problem == nil, "\(name), frame \(frame)")
        }
    }

    @Test(.slow, arguments: LoaderCatalog.builtIn.ids)
    func everyLoaderAtManySizes(id: String) throws {
        let sizes: [FrameSize] = [
            .scale(4), .scale(1), .scale(Rational(7, 2)), .pixels(width: 640, height: 360),
            .pixels(width: 250, height: 402), .pixels(width: 1080, height: 1920), .pixels(width: 46, height: 18),
        ]
        for (index, size) in some(of: Array(sizes.enumerated()), each: 2) {
            guard let plan = try? plan(id, size: size, "yuv420p", codec: "h264") else { continue }
            try check(plan, seed: index, "\(id) at \(size)")
        }
    }

    @Test(arguments: formats)
    func everyPixelFormat(format: String, codec: String) throws {
        let sizes = [FrameSize.pixels(width: 318, height: 202), .pixels(width: 640, height: 480)]
        let loaders = Array(["qq-mail", "douyin", "oneloading"].enumerated())
        for ((index, id), size) in some(of: loaders, and: sizes, each: 3) {
            try check(plan(id, size: size, format, codec: codec), seed: index, "\(id) in \(format) at \(size)")
        }
    }

    @Test(.slow, arguments: ["qq-mail", "jelly", "douyin", "qq-pull"])
    func annotationsAndTransparency(id: String) throws {
        try check(
            plan(id, size: .pixels(width: 960, height: 540), "yuv420p", codec: "h264") {
                ($0.loader.annotations, $0.slowmo) = (Set(AnnotationKind.allCases), 3)
            }, seed: 1, "\(id) annotated")
        try check(
            plan(id, size: .scale(3), "yuva420p", codec: "vp9") {
                $0.loader.background = Color(20, 200, 90).opacity(0.3)
            },
            seed: 2, "\(id) translucent")
        try check(
            plan(id, size: .pixels(width: 400, height: 180), "yuv420p", codec: "h264") {
                ($0.isSideBySide, $0.slowmo) = (true, 4)
            }, seed: 3, "\(id) side by side")
    }

    @Test(arguments: ["qq-mail", "oneloading", "iqiyi"])
    func motionBlur(id: String) throws {
        try check(
            plan(id, size: .pixels(width: 240, height: 160), "yuv420p", codec: "h264") {
                $0.motionBlur = Rational(1, 2)
            },
            seed: 4, "\(id) blurred")
    }

    /// Three small balls on a large canvas change less than an eighth of it.
    @Test(.slow) func smallChangesRedrawSmallAreas() throws {
        let plan = try plan("qq-mail", size: .pixels(width: 1920, height: 1080), "yuv420p", codec: "h264")
        let comparison = try RedrawComparison(plan)
        let areas = try (0..<plan.frameCount).map {
            try comparison.check(plan.scenes(ofFrame: $0, in: plan.segments[0])).area
        }
        #expect(areas[0] == 1920 * 1080)
        #expect(areas.dropFirst().reduce(0, +) / (areas.count - 1) < 1920 * 1080 / 8)
    }
}
