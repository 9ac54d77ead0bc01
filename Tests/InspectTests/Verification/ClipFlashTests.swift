import Testing

@testable import Inspect

/// Frames that show something else for a moment, and designs that look like it.
@Suite struct ClipFlashTests {
    private static let side = 40

    private func findings(_ frames: [Pixels]) -> [Finding] {
        let samples = frames.enumerated().map {
            LoaderTimeline.Sample(pixels: $1, time: Double($0) / 60, frame: $0)
        }
        return WholeClipFaults(samples).findings(isEven: true)
    }

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
