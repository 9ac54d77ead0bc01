import Animations
import Core
import Testing

@testable import Inspect

@Suite struct TimeFindingsTests {
    private func loader(_ id: String) throws -> any Loader {
        try #require(LoaderCatalog.builtIn.definitions.first { $0.id == id }).make()
    }

    /// Frames at 60 per second that show the given model times.
    ///
    /// - Parameter isTelling: false where the loader does not move.
    private func frames(
        _ shown: [Double], change: (Int) -> Double = { _ in 1000 }, isTelling: (Int) -> Bool = { _ in true }
    ) -> [AlignedFrame] {
        shown.enumerated().map { index, model in
            let time = Double(index) / 60
            return AlignedFrame(
                index: index, time: time, expected: time, modelTime: model, energy: 3000, alignedEnergy: 100,
                drawing: 100_000, sensitivity: isTelling(index) ? 3.6e6 : 0, change: change(index))
        }
    }

    private func findings(_ frames: [AlignedFrame], _ loader: any Loader) -> TimeFindings {
        TimeFindings(frames, loader, 1, JudgeOptions())
    }

    /// Two frames that changed places are found whether they are neighbours or not.
    @Test(arguments: [1, 3, 5]) func swappedFramesAreFound(distance: Int) throws {
        var shown = (0..<120).map { Double($0) / 60 }
        shown.swapAt(50, 50 + distance)
        let found = findings(frames(shown), try loader("oneloading")).swaps(1)
        #expect(found.map(\.kind) == [.swappedFrames])
        #expect(abs((found.first?.time?.lowerBound ?? 0) - 50.0 / 60) < 1e-9)
        let right = findings(frames((0..<120).map { Double($0) / 60 }), try loader("oneloading"))
        #expect(right.swaps(1).isEmpty)
    }

    /// Frames of a standstill at which the loader does not move by design do not divide it.
    @Test func standstillsContainFramesThatTellNothing() throws {
        let shown = (0..<120).map { Double(min(max($0 - 20, 40), $0)) / 60 }
        let still = 41...59
        let found = findings(
            frames(shown, change: { still.contains($0) ? 0 : 1000 }, isTelling: { $0 != 48 && $0 != 53 }),
            try loader("oneloading"))
        #expect(found.standstills == [41..<60])
    }

    /// A phase in which nothing moves lasts longer if what follows comes later.
    @Test func phasesWithoutMotionAreMeasured() throws {
        let loader = try loader("qq-pull")
        let hold = try #require(loader.phases.first { $0.name.english == "hold" })
        let (start, extra) = (hold.start.double, 0.2)
        let end = start + hold.duration.double
        let shown = (0..<180).map { index -> Double in
            let time = Double(index) / 60
            return time < start ? time : max(min(time, end), time - extra)
        }
        let pulls = loader.phases.filter { ["pull", "release"].contains($0.name.english) }
        let all = frames(
            shown,
            isTelling: { index in
                pulls.contains { ($0.start.double...$0.start.double + $0.duration.double).contains(shown[index]) }
            })
        let found = findings(all, loader).phaseDeviations
        #expect(found.map(\.phase) == ["hold"])
        #expect(abs((found.first?.size ?? 0) - extra) < 0.02)
    }
}
