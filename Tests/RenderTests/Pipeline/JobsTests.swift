import Animations
import Core
import Media
import TestSupport
import Testing

@testable import Render

/// A file's bytes do not depend on the number of workers. A lossless codec shows the difference of
/// a single pixel.
@Suite struct JobsTests {
    private func check(_ plan: RenderPlan, _ name: String) throws {
        let directory = try TemporaryDirectory()
        #expect(plan.segments.count > 3, "\(name)")
        let files = try some(of: [1, 2, 3], each: 2).map { jobs in
            let path = directory.file("\(jobs).mkv")
            try render(plan, to: path, jobs: jobs)
            return try bytes(of: path)
        }
        #expect(Set(files).count == 1, "\(name)")
    }

    @Test(.slow, arguments: some(of: LoaderCatalog.builtIn.ids, and: [Language.en, .zh], each: 5))
    func annotatedClips(id: String, language: Language) throws {
        try check(
            RenderPlan(
                request(id, .mkv, fps: "8") {
                    ($0.loader.size, $0.keyFrameInterval) = (.pixels(width: 640, height: 480), Rational(1, 4))
                    ($0.loader.annotations, $0.loader.language) = (AnnotationKind.all, language)
                    ($0.codec, $0.pixelFormat) = ("ffv1", "bgr0")
                }), "\(id) in \(language)")
    }

    /// Labels with backgrounds in one layer, in different bands of rows.
    @Test(.slow) func layersOfManyLabels() throws {
        try check(
            RenderPlan(
                request("jelly", .mkv) {
                    ($0.loader.size, $0.slowmo) = (.scale(2), 6)
                    ($0.from, $0.to) = (.seconds(Rational(428, 100)), .seconds(Rational(438, 100)))
                    ($0.loader.annotations, $0.keyFrameInterval) = (AnnotationKind.all, Rational(1, 10))
                    ($0.codec, $0.pixelFormat) = ("ffv1", "bgr0")
                }), "jelly")
    }

    @Test(arguments: some(of: ["douyin", "iqiyi", "preloader"], each: 2))
    func transparentClips(id: String) throws {
        try check(
            RenderPlan(
                request(id, .mkv, fps: "20") {
                    ($0.loader.size, $0.keyFrameInterval) = (.scale(2), Rational(1, 5))
                    ($0.codec, $0.pixelFormat) = ("ffv1", "bgra")
                    $0.loader.background = .black.opacity(0)
                }), id)
    }
}
