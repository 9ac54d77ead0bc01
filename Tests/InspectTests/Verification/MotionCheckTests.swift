import Testing

@testable import Inspect

/// Faults of single frames and of the seam, found in thumbnails.
@Suite struct MotionCheckTests {
    private static let side = 64

    /// Returns the errors in frames at 60 per second, each with its frame. Some are keyframes.
    private func errors(_ frames: [Pixels], loops: Bool = false, keyframes: Set<Int> = []) -> [String] {
        var check = MotionCheck()
        for (index, pixels) in frames.enumerated() {
            let time = Double(index) / 60
            let isRefresh = keyframes.contains(index)
            check.add(pixels, at: MotionCheck.Position(frame: index, slots: 1, time: time, isRefresh: isRefresh))
        }
        check.finish(lastSlots: 1, lastSeconds: 1.0 / 60, loops: loops, repeats: loops)
        return check.findings.filter { $0.severity == .error }.map { "\($0.id.rawValue) \($0.frame ?? -1)" }
    }

    private func circling(_ steps: [Int], of count: Int = 72, radius: Double = 7) -> [Pixels] {
        steps.map { DrawnFrames.circling($0, of: count, side: Self.side, radius: radius) }
    }

    /// A disc that shakes: all frames from one to the next repeat throughout the clip.
    @Test(arguments: [
        [(0, 0), (7, 0), (-7, 0)], [(0, 0), (7, 0), (0, 0), (-7, 0)], [(5, 3), (9, -2), (-5, -3), (-9, 2)],
        [(3, 0), (-3, 0)],
    ])
    func shakesMayLoop(offsets: [(Int, Int)]) {
        let frames = (0..<12 * offsets.count).map { index in
            let (x, y) = offsets[index % offsets.count]
            return DrawnFrames.frame(side: Self.side, [.init(x: Double(32 + x), y: Double(32 + y), radius: 9)])
        }
        #expect(errors(frames, loops: true).isEmpty)
    }

    @Test func faultsAtTheSeamAreFound() {
        #expect(errors(circling(Array(0..<72)), loops: true).isEmpty)
        #expect(errors(circling(Array(0...72)), loops: true).map { $0.prefix(12) } == ["seam-doubled"])
        #expect(errors(circling(Array(0..<71)), loops: true).map { $0.prefix(12) } == ["seam-dropped"])
    }

    /// A pause at an image where the clip pauses again is a part of its design.
    @Test func recurringPausesAreNotFaults() {
        let once = Array(0...30) + [30, 30, 30, 30] + Array(31..<72) + Array(0...30)
        #expect(errors(circling(once)) == ["picture-frozen 30"])
        #expect(errors(circling(once + [30, 30, 30, 30])).isEmpty)
    }

    /// A coarse encoder draws a repeated frame anew little by little.
    @Test func noiseDoesNotHideFrozenFrames() {
        let frames = (0..<72).map { index -> Pixels in
            guard (31..<36).contains(index) else { return circling([index < 31 ? index : index - 5])[0] }
            return DrawnFrames.changed(circling([30])[0]) { $0 > 128 ? $0 - UInt8(($1 / 4 + index) % 2) : $0 }
        }
        #expect(errors(frames) == ["picture-frozen 30"])
    }

    /// Encoders insert a keyframe where frames are missing. At a low bitrate, any keyframe changes
    /// the whole frame a little.
    @Test func framesMayBeMissingBeforeKeyframes() {
        let right = circling(Array(0..<72))
        let frames = Array(right[..<40] + right[41...])
        #expect(errors(frames) == ["picture-missing 39"])
        #expect(errors(frames, keyframes: [40]) == ["picture-missing 39"])
        let coarse = right.enumerated().map { index, frame in
            index < 40 ? frame : DrawnFrames.changed(frame) { $0 > 128 ? $0 - UInt8($1 / 4 % 3) : $0 }
        }
        #expect(errors(coarse, keyframes: [40]).isEmpty)
    }

    /// A dot that moves by its own width changes as many pixels in two steps as in one.
    @Test func swappedFramesOfSmallDotsAreFound() {
        var steps = Array(0..<36)
        #expect(errors(circling(steps, of: 36, radius: 2)).isEmpty)
        steps.swapAt(15, 16)
        #expect(errors(circling(steps, of: 36, radius: 2)) == ["picture-swapped 15"])
    }

    /// Dots that become slowly lighter and darker, so that no step is visible by itself.
    @Test func dimmedFramesOfSlowFadesAreFound() {
        let frames = (0..<72).map { index in
            let discs = (0..<6).map { number in
                let code = UInt8(60 + abs((2 * index + 40 * number) % 240 - 120))
                return DrawnFrames.Disc(x: 8 + 9.5 * Double(number), y: 32, radius: 4, color: [code, code, code])
            }
            let frame = DrawnFrames.frame(side: Self.side, discs)
            return index == 41 ? DrawnFrames.changed(frame) { sample, _ in sample / 2 } : frame
        }
        #expect(errors(frames) == ["picture-jumps 41"])
    }

    /// A program that rounds positions to pixels shows a turning point for a single frame.
    @Test func roundedTurningPointsAreNotFaults() {
        let offsets = [4, 8, 11, 14, 16, 18, 19, 20, 20, 20, 21, 20, 20, 20, 19, 18, 16, 14, 11, 8, 4, 0, -4, -8]
        let frames = offsets.map { DrawnFrames.frame(side: Self.side, [.init(x: 32 + Double($0), y: 32, radius: 7)]) }
        #expect(errors(frames).isEmpty)
    }
}
