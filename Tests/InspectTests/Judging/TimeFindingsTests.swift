import Animations
import Core
import Foundation
import Testing

@testable import Inspect

@Suite struct TimeFindingsTests {
    private func loader(_ id: String) throws -> any Loader {
        try #require(LoaderCatalog.builtIn.definitions.first { $0.id == id }).make()
    }

    /// Frames at 60 per second that show the given model times.
    ///
    /// - Parameters:
    ///   - change: the change of each frame; by default, that of the motion between the times.
    ///   - isTelling: false where the loader does not move.
    private func frames(
        _ shown: [Double], change: ((Int) -> Double)? = nil, isTelling: (Int) -> Bool = { _ in true }
    ) -> [AlignedFrame] {
        let sensitivity = 3.6e6
        return shown.enumerated().map { index, model in
            let time = Double(index) / 60
            let passed = index > 0 ? model - shown[index - 1] : 0
            return AlignedFrame(
                index: index, time: time, expected: time, modelTime: model, energy: 3000, alignedEnergy: 100,
                drawingEnergy: 100_000, sensitivity: isTelling(index) ? sensitivity : 0,
                change: change?(index) ?? sensitivity * passed * passed)
        }
    }

    private func findings(_ frames: [AlignedFrame], _ loader: any Loader) -> TimeFindings {
        TimeFindings(frames, loader, 1, JudgeOptions(), sampling: 1)
    }

    /// If only every third frame is judged, the missing ones between them are counted, too.
    @Test(arguments: [1, 3]) func missingFramesAreCounted(sampling: Int) throws {
        let shown = shownTimes(120) { $0 < 60 ? $0 : $0 + 2 }
        let found = TimeFindings(
            frames(shown), try loader("oneloading"), 1, JudgeOptions(), sampling: sampling)
        #expect(found.jumps.map(\.size) == [Double(2 * sampling)])
    }

    /// A late start is measured from the first judged frame.
    @Test func aLateStartCountsFromTheJudgedPart() throws {
        var all = frames(shownTimes(120) { max($0, 30) })
        for index in all.indices { all[index].time += 5 }
        let start = try #require(findings(all, try loader("oneloading")).notes.first)
        #expect(start.kind == .lateStart && abs((start.size ?? 0) - 0.5) < 0.03, "\(start.text)")
        #expect(start.time?.lowerBound == 5)
    }

    /// Two frames that were swapped are found whether they are neighbours or not.
    @Test(arguments: [1, 3, 5]) func swappedFramesAreFound(distance: Int) throws {
        var shown = shownTimes(120)
        shown.swapAt(50, 50 + distance)
        let found = findings(frames(shown), try loader("oneloading")).swaps()
        #expect(found.map(\.kind) == [.swappedFrames])
        #expect(abs((found.first?.time?.lowerBound ?? 0) - 50.0 / 60) < 1e-9)
        let right = findings(frames(shownTimes(120)), try loader("oneloading"))
        #expect(right.swaps().isEmpty)
    }

    /// Objects that cover each other hide the skip to a swapped frame, but not the one back.
    @Test func swappedFramesAreFoundByTheSkipBack() throws {
        var shown = shownTimes(120)
        shown.swapAt(50, 51)
        let found = findings(frames(shown, change: { $0 == 52 ? 6000 : 1000 }), try loader("oneloading")).swaps()
        #expect(found.map(\.kind) == [.swappedFrames])
    }

    /// An encoder may spend so few bits on the second frame that it alone would not be certain.
    @Test func aSwappedFrameMayBeNoisy() throws {
        var shown = shownTimes(120)
        shown.swapAt(50, 51)
        var all = frames(shown)
        all[51].energy = 300
        let found = findings(all, try loader("oneloading"))
        #expect(!found.evidence.isCertain[51] && found.swaps().map(\.kind) == [.swappedFrames])
        // Both together must be certain.
        all[50].energy = 350
        #expect(findings(all, try loader("oneloading")).swaps().isEmpty)
    }

    /// A frame that is as before and after it shows no instant of a rest, even if the end of the
    /// motion that it is aligned with would tell the time.
    @Test func framesOfARestAreNotCertain() throws {
        let shown = shownTimes(120) { min(max($0 - 30, 40), $0) }
        let found = findings(frames(shown), try loader("oneloading"))
        #expect(found.certain == Array(0...40) + Array(70..<120))
    }

    /// Another time than the designed one is certain only if it explains the frame clearly better,
    /// relative to the noise of encoding.
    @Test func timesThatLookAlikeAreNotCertain() throws {
        let shown = shownTimes(120) { (60..<80).contains($0) ? $0 - 20 : $0 }
        var all = frames(shown)
        let loader = try loader("oneloading")
        #expect(findings(all, loader).evidence.isCertain.allSatisfy { $0 })
        for index in 60..<80 { all[index].energy = 300 }
        #expect(findings(all, loader).certain == Array(0..<60) + Array(80..<120))
    }

    /// Frames of a standstill at which the loader does not move by design do not divide it.
    @Test func standstillsContainFramesThatTellNothing() throws {
        let shown = shownTimes(120) { min(max($0 - 20, 40), $0) }
        let still = 41...59
        let found = findings(
            frames(shown, change: { still.contains($0) ? 0 : 1000 }, isTelling: { $0 != 48 && $0 != 53 }),
            try loader("oneloading"))
        #expect(found.standstills == [41..<60])
    }

    /// A standstill is found in a recording whose motion never rests.
    @Test func standstillsAreFoundInSteadyMotion() throws {
        let shown = shownTimes(120) { $0 < 60 || $0 >= 80 ? $0 : 60 }
        let found = findings(frames(shown), try loader("oneloading"))
        #expect(found.standstills == [61..<80])
    }

    /// A longer rest of the loader is not a standstill, even if the loader jumps at its end.
    @Test func longerRestsAreNotStandstills() throws {
        let shown = shownTimes(120) { $0 < 50 ? $0 : max(50, $0 - 15) }
        let rest = 30..<65
        let found = findings(
            frames(
                shown, change: { rest.contains($0) ? 0 : $0 == 65 ? 20_000 : 1000 },
                isTelling: { $0 < 30 || $0 >= 50 }),
            try loader("oneloading"))
        #expect(found.standstills.isEmpty)
    }

    /// A standstill that begins in a rest of the loader ends with a skip.
    @Test func standstillsBeginInRests() throws {
        let shown = shownTimes(120) { (50..<65).contains($0) ? 50 : $0 }
        let all = frames(
            shown, change: { (50..<65).contains($0) ? 0 : $0 == 65 ? 20_000 : 1000 },
            isTelling: { !(50..<65).contains($0) })
        let found = findings(all, try loader("oneloading"))
        #expect(found.standstills == [50..<65])
    }

    /// Missing frames show as a longer step. Another timing function may pass a rest of the design
    /// at once without one.
    @Test func missingFramesAreVisible() throws {
        let skipping = shownTimes(120) { $0 < 60 ? $0 : $0 + 4 }
        let found = findings(frames(skipping), try loader("oneloading")).jumps
        #expect(found.map(\.kind) == [.missingFrames])
        #expect(found.first?.size == 4)
        let drifting = (0..<120).map { index -> Double in
            let time = Double(index) / 60
            return time + (index < 60 ? -0.06 : 0.06) + 0.02 * cos(time * 6)
        }
        #expect(findings(frames(drifting, change: { _ in 1000 }), try loader("oneloading")).jumps.isEmpty)
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
        let found = findings(all, loader).durations.changedPhases
        let changed = try #require(found.first)
        #expect(found.map(\.phase.name.english) == ["hold"])
        #expect(abs(changed.phase.duration.double * (1 / changed.rate - 1) - extra) < 0.02)
    }

    /// The frames of each stretch between jumps have one offset.
    @Test func stretchesHaveOffsets() throws {
        let shown = shownTimes(120) { $0 < 60 ? $0 : $0 + 4 }
        let leads = try #require(findings(frames(shown), try loader("oneloading")).stepLeads)
        #expect(abs((leads[30] ?? 1) - 0) < 1e-9)
        #expect(abs((leads[90] ?? 0) - 4.0 / 60) < 1e-9)
        let even = findings(frames(shownTimes(120)), try loader("oneloading"))
        #expect(even.stepLeads == nil)
    }
}
