import Animations
import Core
import Foundation
import Testing

@testable import Inspect

/// Findings in time near rests of the loader, in which nothing tells the time.
@Suite struct RestFindingsTests {
    /// Frames at 60 per second that show the given model times; in a rest, nothing moves.
    ///
    /// - Parameter end: a frame that shows the end of a motion, and so the time.
    private func frames(_ shown: [Double], rests: [ClosedRange<Double>], end: Int = -1) -> [AlignedFrame] {
        shown.enumerated().map { index, model in
            let time = Double(index) / 60
            let isRest = rests.contains { $0.contains(model) }
            let isHeld = index > 0 && shown[index - 1] == model
            let energy: Double = isRest && rests.contains { $0.contains(time) } ? 100 : 3000
            return AlignedFrame(
                index: index, time: time, expected: time, modelTime: model, energy: energy, alignedEnergy: 100,
                drawingEnergy: 100_000, sensitivity: isRest && index != end ? 0 : 3.6e6,
                change: isRest || isHeld ? 0 : 1000)
        }
    }

    private func findings(_ frames: [AlignedFrame], _ id: String) throws -> TimeFindings {
        let loader = try #require(LoaderCatalog.builtIn.definitions.first { $0.id == id }).make()
        return TimeFindings(frames, loader, 1, JudgeOptions(), sampling: 1)
    }

    /// A standstill that begins in a rest of the loader lasts from when the loader should move.
    @Test func standstillsShowAsTheRestEnds() throws {
        // The design rests until 1 s. The recording goes on at 1.25 s.
        let shown = shownTimes(120) { (40..<75).contains($0) ? 40 : $0 }
        let all = frames(shown, rests: [40.0 / 60...1], end: 41)
        let found = try findings(all, "oneloading")
        let frozen = try #require(found.freezes(found.standstills).first)
        #expect(found.standstills.count == 1)
        #expect(abs((frozen.size ?? 0) - 0.25) < 0.03, "\(frozen.text)")
    }

    /// Frames that are missing in a rest show by the motion after it, which comes earlier.
    @Test func missingFramesOfARestAreCounted() throws {
        let shown = shownTimes(150) { $0 < 60 ? $0 : $0 + 4 }
        let found = try findings(frames(shown, rests: [50.0 / 60...80.0 / 60]), "oneloading")
        let jump = try #require(found.jumps.first)
        #expect(jump.kind == .missingFrames && jump.size == 4, "\(jump.text)")
        #expect(found.jumps.count == 1 && jump.time?.contains(1) == true, "\(jump.text)")
    }

    /// Rests that are all shorter are not missing frames.
    @Test func shorterRestsAreNotMissingFrames() throws {
        let shown = (0..<200).map { (index: Int) -> Double in
            let gain = index < 40 ? 0 : index < 110 ? 4 : 8
            return Double(index + gain) / 60
        }
        let rests = [30.0 / 60...60.0 / 60, 100.0 / 60...130.0 / 60]
        #expect(try findings(frames(shown, rests: rests), "oneloading").jumps.isEmpty)
    }

    /// Nor is another speed, which makes each motion earlier, too.
    @Test func anotherSpeedIsNotAMissingFrame() throws {
        let shown = (0..<150).map { 1.04 * Double($0) / 60 }
        #expect(try findings(frames(shown, rests: [50.0 / 60...80.0 / 60]), "oneloading").jumps.isEmpty)
    }
}
