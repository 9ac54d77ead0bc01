import Foundation
import Testing

@testable import Inspect

/// Frames that show something else for a moment, and designs that look like it.
@Suite struct ClipFlashTests {
    private static let side = 40

    private func faults(_ frames: [Pixels]) -> WholeClipFaults {
        WholeClipFaults(
            frames.enumerated().map { LoaderTimeline.Sample(pixels: $1, time: Double($0) / 60, frame: $0) })
    }

    private func findings(_ frames: [Pixels]) -> [Finding] { faults(frames).findings(isEven: true) }

    /// An eye that closes for four frames beside the motion may be intended.
    @Test func blinksAreWarnings() {
        let eye = DrawnFrames.Disc(x: 20, y: 20, radius: 6)
        let frames = (0..<72).map { index in
            DrawnFrames.circling(
                index, of: 72, side: Self.side, radius: 3, with: (30..<34).contains(index) ? [] : [eye])
        }
        let found = findings(frames)
        #expect(found.map(\.id) == [.pictureJumps] && found.map(\.frame) == [30])
        #expect(found.map(\.severity) == [.warning])
    }

    /// A dot that moves by its own width in each frame loses its colour.
    @Test(arguments: 1...4) func grayFramesAreFound(count: Int) {
        let frames = (0..<72).map { index in
            let frame = DrawnFrames.circling(6 * index, of: 72, side: Self.side, radius: 3, color: [200, 30, 90])
            return (30..<30 + count).contains(index) ? DrawnFrames.gray(frame) : frame
        }
        let found = findings(frames)
        #expect(found.map(\.id) == [.pictureJumps] && found.map(\.frame) == [30])
        #expect(found.map(\.severity) == [.error])
    }

    /// Something that appears for a moment beside fast dots, such as lightning, is not a change of
    /// their colours.
    @Test func momentaryObjectsAreNotGrayFrames() {
        let frames = (0..<72).map { index in
            DrawnFrames.circling(
                6 * index, of: 72, side: Self.side, radius: 3, color: [200, 30, 90],
                with: (30..<34).contains(index) ? [.init(x: 20, y: 20, radius: 4, color: [240, 200, 0])] : [])
        }
        #expect(findings(frames).allSatisfy { $0.severity != .error })
    }

    /// A sign that appears over the motion twice may be intended, one that appears once is not.
    @Test func recurringFlashesAreWarnings() {
        func severities(_ flashes: [Range<Int>]) -> [Finding.Severity] {
            let frames = (0..<72).map { index in
                let frame = DrawnFrames.circling(index, of: 72, side: Self.side, radius: 3)
                return flashes.contains { $0.contains(index) }
                    ? DrawnFrames.changed(frame) { sample, offset in offset % 4 == 2 ? sample / 4 : sample } : frame
            }
            return findings(frames).map(\.severity)
        }
        #expect(severities([30..<33]) == [.error])
        #expect(severities([20..<23, 40..<43]) == [.warning, .warning])
    }

    /// The colours of a slow pulse pass those of any flash.
    @Test func flashesOfPulsesAreFound() {
        let frames = (0..<45).map { index -> Pixels in
            let wave = sin(2 * Double.pi * Double(index) / 45)
            let disc = DrawnFrames.Disc(
                x: 20, y: 20, radius: 8 + 5 * wave, color: [UInt8(120 + 83 * wave), 80, 160])
            let frame = DrawnFrames.frame(side: Self.side, [disc])
            guard (22..<25).contains(index) else { return frame }
            return DrawnFrames.changed(frame) { sample, _ in 255 - (255 - sample) / 5 }
        }
        let found = findings(frames)
        #expect(found.map(\.id) == [.pictureJumps] && found.map(\.severity) == [.error])
    }

    /// Eight dots fade one after the other, and one of them appears again in every eleventh frame.
    @Test func dimmedFramesOfSlowFadesAreFound() {
        let frames = (0..<88).map { index -> Pixels in
            let dots = (0..<8).map { dot -> DrawnFrames.Disc in
                let angle = Double.pi / 4 * Double(dot)
                let age = Double((index + 88 - 11 * dot) % 88) / 88
                return DrawnFrames.Disc(
                    x: 20 + 14 * cos(angle), y: 20 + 14 * sin(angle), radius: 3,
                    color: [UInt8](repeating: UInt8(60 + 190 * age), count: 3))
            }
            let frame = DrawnFrames.frame(side: Self.side, dots)
            return index == 41 ? DrawnFrames.changed(frame) { sample, _ in sample / 5 * 3 } : frame
        }
        let found = findings(frames)
        #expect(found.map(\.id) == [.pictureJumps] && found.map(\.severity) == [.error])
    }

    /// A cursor that blinks while nothing moves.
    @Test func flashesWithoutMotionAreWarnings() {
        let letters = [3.0, 11, 19, 27].map { DrawnFrames.Disc(x: $0 + 4, y: 20, radius: 3) }
        let cursor = DrawnFrames.Disc(x: 36, y: 20, radius: 3)
        let frames = (0..<60).map { index in
            let isOn = (20..<24).contains(index)
            return DrawnFrames.frame(side: Self.side, Array(letters.prefix(1 + index / 16)) + (isOn ? [cursor] : []))
        }
        #expect(findings(frames).map(\.severity) == [.warning])
    }

    /// A frame of a pause that is inverted, or that belongs to another time, is no cursor.
    @Test(arguments: [true, false]) func wrongFramesOfPausesAreNotIntended(isInverted: Bool) {
        let frames = (0..<90).map { index -> Pixels in
            let step = index < 30 ? index : max(30, index - 30)
            let frame = DrawnFrames.circling(step, of: 60, side: Self.side, radius: 3)
            guard index == 45 else { return frame }
            return isInverted
                ? DrawnFrames.changed(frame) { sample, _ in 255 - sample }
                : DrawnFrames.circling(50, of: 60, side: Self.side, radius: 3)
        }
        #expect(!faults(frames).mayBeIntended(frame: 45))
    }

    /// A disc changes its colour by design, and one frame shows another time.
    @Test func framesOfAnotherColorAreFound() {
        let frames = (0..<80).map { index -> Pixels in
            let shown = index == 20 ? 60 : index
            return DrawnFrames.circling(
                shown, of: 80, side: Self.side, radius: 4, color: shown < 40 ? [220, 30, 40] : [30, 60, 220])
        }
        let found = findings(frames)
        #expect(found.map(\.id) == [.pictureJumps] && found.map(\.severity) == [.error])
    }

    /// A disc fades in, and then moves and rests twice.
    @Test(arguments: [5, 10]) func restsAfterIntroductionsAreNotFrozen(count: Int) {
        func frame(_ step: Int, _ share: Double) -> Pixels {
            let gray = [UInt8](repeating: UInt8(255 - 255 * share), count: 3)
            let disc = DrawnFrames.Disc(x: 8 + 0.6 * Double(step), y: 20, radius: 4, color: gray)
            return DrawnFrames.frame(side: Self.side, [disc])
        }
        let introduction = (0..<count).map { frame(0, Double($0 + 1) / Double(count + 1)) }
        let cycle = (0..<60).map { frame(min($0, 39), 1) }
        #expect(findings(introduction + cycle + cycle).isEmpty)
    }

    /// A disc that shakes with a period of four or six frames is not in a wrong order.
    @Test(arguments: [
        [(0, 0), (2, 0), (0, 0), (-2, 0)], [(2, 1), (-2, 1), (2, -1), (-2, -1)], [(2, 1), (-2, -1), (2, -1), (-2, 1)],
        [(1, 0), (3, 0), (2, 0), (4, 0)], [(3, 0), (-3, 0), (2, 0), (-2, 0)],
        [(0, 0), (3, 1), (1, 3), (-2, 2), (2, -2), (-3, 0)],
    ])
    func shakesAreNotReordered(offsets: [(Int, Int)]) {
        let frames = (0..<72).map { index in
            let (x, y) = offsets[index % offsets.count]
            return DrawnFrames.frame(
                side: Self.side, [.init(x: 20 + 2 * Double(x), y: 20 + 2 * Double(y), radius: 5)])
        }
        #expect(findings(frames).isEmpty)
    }

    /// A disc turns 36 frames a turn and stands still for 24 of them, so that the first turn is not
    /// complete before it.
    @Test func freezesInTheFirstTurnAreFound() {
        let frames = (0..<72).map { index in
            DrawnFrames.circling((15..<40).contains(index) ? 15 : index, of: 36, side: Self.side, radius: 3)
        }
        #expect(findings(frames).map(\.id) == [.pictureFrozen])
    }
}
