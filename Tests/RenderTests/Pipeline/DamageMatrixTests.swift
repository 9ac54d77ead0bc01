import Animations
import Core
import Foundation
import Media
import TestSupport
import Testing

@testable import Raster
@testable import Render

/// The settings of a clip to compare.
private struct Variant: CustomStringConvertible {
    var id: String
    var annotations: Set<AnnotationKind>
    var language = Language.en
    var size: FrameSize?
    var isSideBySide = false
    var motionBlur: Rational = 0
    var isTransparent = false

    var description: String {
        let notes = annotations.isEmpty ? "plain" : "\(annotations.map(\.rawValue).sorted()) \(language)"
        let more = (isSideBySide ? " side by side" : "") + (motionBlur > 0 ? " blurred" : "")
        return "\(id) \(notes) \(size.map { "\($0)" } ?? "")\(more)\(isTransparent ? " transparent" : "")"
    }

    func plan() throws -> RenderPlan {
        try RenderPlan(
            request(id, .mkv, fps: "30") {
                ($0.loader.annotations, $0.loader.language, $0.loader.size) = (annotations, language, size)
                ($0.isSideBySide, $0.motionBlur, $0.slowmo) = (isSideBySide, motionBlur, isSideBySide ? 2 : 1)
                ($0.codec, $0.pixelFormat) = ("ffv1", "bgra")
                if isTransparent { $0.loader.background = Color(0, 0, 0).opacity(0) }
            })
    }

    /// Variants of a loader: with and without annotations, in both languages, at many sizes, side
    /// by side, blurred and transparent.
    static func all(of id: String) -> [Variant] {
        let sizes: [FrameSize?] = [
            nil, .scale(1), .scale(Rational(7, 2)), .pixels(width: 640, height: 480),
            .pixels(width: 1080, height: 1920),
            .pixels(width: 250, height: 402),
        ]
        let everything = Set(AnnotationKind.allCases)
        let notes: [(Set<AnnotationKind>, Language)] = [([], .en), (everything, .en), (everything, .zh)]
        func variants(_ kinds: Set<AnnotationKind>, _ language: Language, _ sizes: [FrameSize?]) -> [Variant] {
            sizes.map { Variant(id: id, annotations: kinds, language: language, size: $0) }
        }
        let still = notes.flatMap { variants($0, $1, sizes) }
        let single = AnnotationKind.allCases.flatMap { variants([$0], .en, [sizes[0], sizes[5]]) }
        let beside = still.map { variant in
            var variant = variant
            variant.isSideBySide = true
            return variant
        }
        let blurred = [[], everything].map { kinds in
            Variant(id: id, annotations: kinds, size: .scale(1), motionBlur: Rational(1, 2))
        }
        let clear = sizes.map { Variant(id: id, annotations: [], size: $0, isTransparent: true) }
        return still + single + beside + blurred + clear
    }
}

/// Every frame of every kind of clip is drawn in three ways, with equal bits.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["LOADERVID_MATRIX_TESTS"] != nil))
struct DamageMatrixTests {
    @Test(arguments: LoaderCatalog.builtIn.ids) func everyFrameOfEveryClip(of id: String) throws {
        var clips = 0
        var frames = 0
        var wrong: [String] = []
        for variant in Variant.all(of: id) {
            guard let plan = try? variant.plan() else { continue }
            let problems = try compare(plan)
            clips += 1
            frames += plan.frameCount
            wrong += problems.map { "\(variant), \($0)" }
        }
        print("\(id): \(clips) clips, \(frames) frames whole, in order and at random:", wrong.count, "differ")
        #expect(wrong.isEmpty, "\(wrong.prefix(20))")
        #expect(clips >= 40)
    }

    /// Draws all frames of a clip whole, from the changes since the previous frame, and from the
    /// changes since a random frame. Returns the differences.
    private func compare(_ plan: RenderPlan) throws -> [String] {
        let (width, height) = (plan.width, plan.height)
        let tools = try (0..<3).map { _ in (try Rasterizer(width: width, height: height), LinearLightAverager()) }
        func draw(_ frame: Int, _ index: Int) throws -> Pixmap {
            let (rasterizer, averager) = tools[index]
            let scenes = plan.source.scenes(ofFrame: frame)
            _ = scenes.count == 1 ? try rasterizer.draw(scenes[0]) : try averager.draw(scenes, with: rasterizer)
            return rasterizer.pixmap
        }
        var random = SeededGenerator(seed: UInt64(plan.frameCount))
        var problems: [String] = []
        for frame in 0..<plan.frameCount {
            tools[0].0.invalidate([tools[0].0.pixmap.bounds])
            let whole = try draw(frame, 0)
            if try !equal(draw(frame, 1), whole) { problems.append("frame \(frame) in order") }
            _ = try draw(Int.random(in: 0..<plan.frameCount, using: &random), 2)
            if try !equal(draw(frame, 2), whole) { problems.append("frame \(frame) after another") }
        }
        return problems
    }
}
