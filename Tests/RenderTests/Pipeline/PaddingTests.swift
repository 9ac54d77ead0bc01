import Core
import Media
import Raster
import TestSupport
import Testing

@testable import Render

/// Sizes that a pixel format does not support are padded, unless the user requested them in pixels.
@Suite struct PaddingTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func plan(
        _ container: Container, scale: Rational, _ change: (inout RenderRequest) -> Void = { _ in }
    ) throws -> RenderPlan {
        try RenderPlan(
            request("qq-mail", container) {
                ($0.loader.size, $0.extent, $0.chosenFrameRate) = (.scale(scale), .duration(Rational(1, 5)), nil)
                change(&$0)
            })
    }

    /// 120x60 points at any scale: sides follow the scale and are rounded up where the format
    /// requires it.
    @Test func sidesAreRoundedUpWhereTheyMust() throws {
        let kinds: [(Container, String?, String?)] = [
            (.mp4, nil, nil), (.webm, nil, nil), (.mov, "prores", nil), (.mkv, "h264", "yuv444p"), (.gif, nil, nil),
            (.apng, nil, nil), (.webp, nil, nil), (.mkv, "ffv1", "yuv411p"),
        ]
        var random = SeededGenerator(seed: 10)
        for _ in 0..<40 {
            let scale = Rational(Int128(random.int(40...400)), 120)
            for (container, codec, format) in kinds {
                let plan = try plan(container, scale: scale) { ($0.codec, $0.pixelFormat) = (codec, format) }
                let content = try FrameSize.scale(scale).pixels(of: Size(120, 60))
                #expect(plan.content == content)
                let (across, down) = (plan.encoder.pixelFormat.horizontalStep, plan.encoder.pixelFormat.verticalStep)
                #expect(plan.width % across == 0 && plan.width - plan.content.width < across)
                #expect(plan.height % down == 0 && plan.height - plan.content.height < down)
                #expect(plan.notes.isEmpty == (plan.content == (plan.width, plan.height)))
                if container.isAnimatedImage || format == "yuv444p" { #expect(plan.notes.isEmpty) }
            }
        }
    }

    /// A size in pixels is used unchanged, or is an error that suggests a valid size.
    @Test func exactSizesAreNotChanged() throws {
        for container in [Container.mp4, .webm] {
            #expect {
                _ = try plan(container, scale: 1) { $0.loader.size = .pixels(width: 123, height: 61) }
            } throws: { error in
                "\(error)" == "123x61 is not possible in yuv420p, which needs even sides; use 124x62"
            }
        }
        let gif = try plan(.gif, scale: 1) { $0.loader.size = .pixels(width: 123, height: 61) }
        #expect((gif.width, gif.height) == (123, 61))
    }

    /// Formats with and without padding share the drawing, and each file equals the one rendered
    /// alone.
    @Test func sharedDrawingDoesNotChangeFiles() throws {
        let containers: [Container] = [.gif, .mp4, .apng, .webm, .mkv]
        let plans = try containers.map { container in
            try plan(container, scale: Rational(123, 120)) {
                $0.frameRate = .gif
                if container == .mkv { $0.pixelFormat = "yuv444p" }
            }
        }
        #expect(plans.map(\.width) == [123, 124, 123, 124, 123])
        #expect(plans.allSatisfy { $0.hasSameFrames(as: plans[0]) })
        let paths = containers.map { directory.file("together.\($0)") }
        let pipeline = RenderPipeline(plans, jobs: 2, memory: plentyOfMemory, cores: ResourceSemaphore(2))
        _ = try pipeline.run(to: paths.map { .file(try OutputFile(path: $0, overwrites: false)) })
        for (plan, path) in zip(plans, paths) {
            let alone = directory.file("alone.\(plan.container)")
            try render(plan, to: alone)
            #expect(try bytes(of: path) == bytes(of: alone), "\(plan.container)")
        }
    }

    /// The padding has the background colour in every frame, and the content keeps its position.
    @Test func paddingIsBackground() throws {
        let path = directory.file("clip.mp4")
        try render(
            plan(.mp4, scale: Rational(123, 120)) { ($0.loader.background, $0.quality) = (Color(0, 0, 200), "4") },
            to: path)
        let video = try DecodedVideo(path: path, rgba: true)
        for picture in video.bitmaps {
            for y in 0..<62 {
                let color = picture.color(123, y)
                #expect(color[0] < 12 && color[1] < 12 && abs(Int(color[2]) - 200) < 12, "\(color) at \(y)")
            }
        }
    }
}
