import Animations
import Testing

@testable import Inspect

/// Frames that show something other than those before and after them.
@Suite struct FlashTests {
    /// Frames at 60 per second that show the loader, each of which changes by 1000.
    private func frames(drawing: Double = 100_000) -> [AlignedFrame] {
        (0..<120).map { index in
            let time = Double(index) / 60
            return AlignedFrame(
                index: index, time: time, expected: time, modelTime: time, energy: 100, alignedEnergy: 100,
                drawingEnergy: drawing, sensitivity: 3.6e6, change: 1000)
        }
    }

    /// Replaces some frames from the 50th on by equal ones.
    private func flashing(_ count: Int, energy: Double, aligned: Double, drawing: Double) -> [AlignedFrame] {
        var all = frames()
        for index in 50..<50 + count {
            all[index].energy = energy
            all[index].alignedEnergy = aligned
            all[index].drawingEnergy = drawing
            all[index].change = 0
        }
        all[50].change = energy
        all[50 + count].change = energy
        return all
    }

    private func findings(_ frames: [AlignedFrame]) throws -> TimeFindings {
        let loader = try #require(LoaderCatalog.builtIn.definitions.first { $0.id == "oneloading" }).make()
        return TimeFindings(frames, loader, 1, JudgeOptions(), sampling: 1)
    }

    @Test(arguments: [1, 3, 24]) func blankFramesAreMissing(count: Int) throws {
        let found = try findings(flashing(count, energy: 100_000, aligned: 100_000, drawing: 0))
        let deviations = found.flashDeviations(besides: [])
        #expect(deviations.map(\.kind) == [.missing] && deviations.first?.time?.lowerBound == 50.0 / 60)
        #expect(found.standstills.isEmpty)
    }

    /// Other content of more frames has an explanation of its own, and another time has none.
    @Test(arguments: [(1, true), (4, true), (5, false)]) func otherContentIsFound(count: Int, isFound: Bool) throws {
        let content = try findings(flashing(count, energy: 200_000, aligned: 200_000, drawing: 300_000))
        #expect(content.flashDeviations(besides: []).map(\.kind) == (isFound ? [.unexplained] : []))
        let otherTime = try findings(flashing(count, energy: 50_000, aligned: 100, drawing: 100_000))
        #expect(otherTime.flashDeviations(besides: []).map(\.kind) == [.unexplained])
        let words = count == 1 ? "1 frame at 0.833 s shows" : "\(count) frames from 0.833 s to"
        #expect(otherTime.flashDeviations(besides: []).allSatisfy { $0.text.hasPrefix(words) && $0.isFlash })
        #expect(otherTime.flashDeviations(besides: []).allSatisfy { $0.text.hasSuffix("the loader at another time") })
    }

    /// Beside a fast motion, an object of another colour changes less than three times the usual
    /// change. An encoder that leaves it behind draws it when the motion goes on.
    @Test func partsOfOtherColorsAreFound() throws {
        var all = frames()
        for index in all.indices { all[index].change = 20_000 }
        for index in 50..<53 {
            all[index].energy = 15_000
            all[index].alignedEnergy = 15_000
        }
        all[50].change = 35_000
        all[53].change = 35_000
        #expect(try findings(all).flashes.map(\.frames) == [50..<53])
        all[50].change = 12_000
        #expect(try findings(all).flashes.isEmpty)
    }

    /// Rounding decides which side of a jump of the design a frame shows.
    @Test func roundedTimesAreNotAFlash() throws {
        var all = flashing(1, energy: 50_000, aligned: 100, drawing: 100_000)
        all[50].modelTime = all[51].expected
        #expect(try findings(all).flashes.isEmpty)
        all[50].modelTime = all[53].expected
        #expect(try findings(all).flashes.count == 1)
    }

    /// A recording may stop where the loader is invisible by design. No jump leads there.
    @Test func blankFramesMayBeFrozen() throws {
        var all = flashing(24, energy: 100_000, aligned: 100, drawing: 0)
        for index in 50..<74 { all[index].modelTime = all[49].modelTime }
        all[50].change = 0
        #expect(try findings(all).flashes.isEmpty)
        #expect(try findings(all).standstills == [50..<74])
    }

    /// Two frames that were swapped differ from the design by one step each.
    @Test func swappedFramesAreNotAFlash() throws {
        var all = frames(drawing: 10_000)
        for (index, change) in [(50, 4000.0), (51, 1000), (52, 4000)] { all[index].change = change }
        for index in 50...51 { all[index].energy = 1000 }
        #expect(try findings(all).flashes.isEmpty)
    }

    /// A frame that shows the design late, and the next one that catches up, are one step each.
    @Test func lateFramesAreNotAFlash() throws {
        var all = frames()
        all[50].energy = 50_000
        all[50].change = 0
        all[51].change = 50_000
        #expect(try findings(all).flashes.isEmpty)
    }
}
