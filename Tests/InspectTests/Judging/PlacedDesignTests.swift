import Animations
import Core
import Testing

@testable import Inspect

/// The design that reports draw beside a recording.
@Suite struct PlacedDesignTests {
    private func stretch(_ loader: any Loader, pixelAspect: Double, width: Int, scale: Double = 2) -> Deviation? {
        let pose = ModelPose(scale: scale, origin: .zero, start: 0, speed: 1)
        return RecordedScale(loader, JudgeOptions()).stretchFinding(
            pixelAspect: pixelAspect, width: width, pose, JudgeTolerance())
    }

    private func loader() throws -> any Loader {
        try #require(LoaderCatalog.builtIn.definitions.first { $0.id == "oneloading" }).make()
    }

    /// Pixels that are not square do not change the scale of the design.
    @Test func stretchedRecordingsKeepTheirScale() throws {
        let loader = try loader()
        let finding = try #require(stretch(loader, pixelAspect: 1.25, width: 480))
        let fit = RecordingFit(
            scale: 2, origin: .zero, speed: 1, expectedSpeed: 1, start: 0, background: loader.background)
        let verdict = Inspect.Verdict(
            file: "a.mp4", loader: "oneloading", outcome: .differs, fit: fit, deviations: [finding], notes: [],
            curve: [])
        #expect(PlacedDesign(verdict, fit, loader, LoaderElements(loader)).scale == 2)
    }

    /// Less than a pixel of the width, or than the tolerance, is not stretched.
    @Test func roundedRatiosGiveNoFinding() throws {
        let loader = try loader()
        #expect(stretch(loader, pixelAspect: 1.0005, width: 1000) == nil)
        #expect(stretch(loader, pixelAspect: 1.25, width: 3) == nil)
        #expect(stretch(loader, pixelAspect: 1.25, width: 480, scale: 0.01) == nil)
    }
}
