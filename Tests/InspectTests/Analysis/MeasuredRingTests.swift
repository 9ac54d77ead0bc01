import Core
import TestSupport
import Testing

@testable import Inspect

/// The colour and opacity of rings and discs, and the frames in which they are measured.
@Suite struct MeasuredRingTests {
    private static let white = Channels(repeating: 255)

    /// A shape of 40 x 40 pixels that is darker than a white background by some codes.
    private static func shape(_ frame: Int, contrast: Double) -> ObservedShape {
        let points = [Point(30, 30), Point(70, 30), Point(70, 70), Point(30, 70)]
        return ObservedShape(
            frame: frame, color: Channels(repeating: Float(255 - contrast)), area: 1600, centroid: Point(50, 50),
            box: Rect(x: 30, y: 30, width: 40, height: 40),
            contours: [Contour(points: points, isFree: points.map { _ in true })], isCut: false, isAlone: true,
            isPlain: true)
    }

    private static func builder(frames: Int, duration: Double, pixel: Double = 1) -> ObjectBuilder {
        ObjectBuilder(
            background: white, times: (0..<frames).map { Double($0) / 60 }, duration: duration, pixel: pixel)
    }

    private static func object(_ kind: ShapeKind, grows: Bool = false) -> ReconstructedObject {
        var object = ReconstructedObject(resting: kind, size: Size(40, 40))
        object.lineWidth = KeyframeCurve(constant: 4)
        guard grows else { return object }
        object.width = KeyframeCurve(keys: [
            CurveKeyframe(time: 0, value: 20, easing: .linear), CurveKeyframe(time: 1, value: 60, easing: .linear),
        ])
        object.height = object.width
        return object
    }

    // MARK: Frames in which a ring is measured

    /// A ring of which some frames have a line or a hole that is too thin.
    private static func ring(_ kind: ShapeKind, unclear: Set<Int>, count: Int, pixel: Double) -> ClassifiedTrack {
        let poses = (0..<count).map { frame -> ShapePose in
            var pose = ShapePose(frame: frame, center: Point(50, 50), width: 6 * pixel, height: 6 * pixel)
            // The line is as wide as the hole, or one of both is too thin.
            pose.lineWidth = pixel * (!unclear.contains(frame) ? 3 : frame % 2 == 0 ? 2.9 : 3.1)
            return pose
        }
        let shapes = (0..<count).map { shape($0, contrast: 200) }
        return ClassifiedTrack(kind: kind, poses: poses, track: ShapeTrack(shapes, merged: []))
    }

    /// The size is measured where the hole is wide, the line and the colour where both are.
    @Test(arguments: [1.0, 2.5]) func ringIsMeasuredWhereLineAndHoleAreWideIfThatIsInMostFrames(pixel: Double) {
        var generator = SeededGenerator(seed: 61)
        let count = 12
        let builder = Self.builder(frames: count, duration: 1, pixel: pixel)
        for unclearCount in 0...count {
            let unclear = Set((0..<count).shuffled(using: &generator).prefix(unclearCount))
            let track = Self.ring(.ring, unclear: unclear, count: count, pixel: pixel)
            let measured = builder.clearlyMeasured(track, track.track.shapes, before: count)
            let isMostlyClear = 2 * unclearCount < count
            let clear = (0..<count).filter { !isMostlyClear || !unclear.contains($0) }
            let holed = (0..<count).filter { !isMostlyClear || !unclear.contains($0) || $0 % 2 == 0 }
            #expect(measured.linePoses.map(\.frame) == clear && measured.colored.map(\.frame) == clear, "\(unclear)")
            #expect(measured.poses.map(\.frame) == holed, "\(unclear)")
            // A disc has no hole.
            let disc = Self.ring(.circle, unclear: unclear, count: count, pixel: pixel)
            #expect(builder.clearlyMeasured(disc, disc.track.shapes, before: count).poses.count == count)
        }
    }

    @Test func posesEndBeforeTheLimit() {
        let builder = Self.builder(frames: 12, duration: 1)
        for limit in 0...12 {
            let track = Self.ring(.ring, unclear: [0], count: 12, pixel: 1)
            let frames = builder.clearlyMeasured(track, track.track.shapes, before: limit).linePoses.map(\.frame)
            // One clear frame of two is not most of them.
            #expect(frames == Array((limit > 2 ? 1 : 0)..<limit), "\(limit)")
        }
    }

    // MARK: Opacities above 1

    /// An object gets fainter by a number of codes per frame, and then rests. Its colour is that of
    /// the strongest frames, so that it seems more than opaque in the first ones.
    ///
    /// The strongest of 100 frames is the 95th, and its colour the mean of the first five.
    @Test(arguments: [(4.0, 200.0), (6, 200), (7, 200), (12, 176), (14, 172)])
    func opacityAboveOneIsAStrongerColorUpToATenth(step: Double, contrast: Double) {
        let frames = (160 / step).rounded(.down)
        func contrastAt(_ frame: Int) -> Double { 200 - step * min(Double(frame), frames) }
        let shapes = (0..<100).map { Self.shape($0, contrast: contrastAt($0)) }
        var object = Self.object(.circle)
        let gaps = Gaps(shapes, merged: [], limit: 100) { _, _ in false }
        Self.builder(frames: 100, duration: 100.0 / 60).setColor(&object, shapes, gaps, [])
        #expect(object.red.isConstant && abs(255 * (1 - object.red.first) - contrast) < 4)
        #expect(object.opacity.range.upperBound <= 1 && object.opacity.range.lowerBound > 0)
        guard contrast == 200 else { return }
        // Beyond a tenth, the beginning of the fade is cut off. Below, the object looks as it was
        // measured.
        for frame in [6, 50, 80] {
            let color = object.visibleColor(at: Double(frame) / 60, over: Self.white)
            #expect(abs(255 - Double(color.x) - contrastAt(frame)) < 5, "frame \(frame)")
        }
    }

    // MARK: Restarts

    /// Sets the opacity of an object that fades to a floor in 30 frames, is invisible from frame 45
    /// on, and begins anew at full opacity after 60.
    private static func faded(_ object: ReconstructedObject, to floor: Double, isPeriodic: Bool) -> KeyframeCurve {
        let shapes = (0...120).filter { $0 % 60 < 45 }.map { frame in
            shape(frame, contrast: 200 * (1 - (1 - floor) * min(1, Double(frame % 60) / 30)))
        }
        var builder = builder(frames: 121, duration: isPeriodic ? 1 : 2)
        builder.isPeriodic = isPeriodic
        let gaps = Gaps(shapes, merged: [], limit: 121) { _, _ in false }
        var object = object
        builder.setColor(&object, shapes, gaps, gaps.hidden.flatMap(\.frames).map { builder.times[$0] })
        return object.opacity
    }

    /// The time at which the object has just become invisible.
    private static let hiddenTime = 46.0 / 60

    /// Only a ring that grows becomes too faint to be seen and begins anew.
    @Test func growingRingKeepsItsOpacityUntilItRestarts() {
        let ring = Self.object(.ring, grows: true)
        let opacity = Self.faded(ring, to: 0.2, isPeriodic: true)
        #expect(abs(opacity.value(at: Self.hiddenTime) - 0.2) < 0.05, "\(opacity)")
        let others = [(ring, false), (Self.object(.ring), true), (Self.object(.circle, grows: true), true)]
        for (object, isPeriodic) in others {
            let opacity = Self.faded(object, to: 0.2, isPeriodic: isPeriodic)
            #expect(abs(opacity.value(at: Self.hiddenTime)) < 0.05, "\(object.kind): \(opacity)")
        }
    }

    /// The limit is 12 percent of the largest opacity.
    @Test(arguments: [(0.04, true), (0.07, true), (0.2, false), (0.3, false)])
    func ringThatIsHardlyVisibleVanishesBeforeItRestarts(floor: Double, vanishes: Bool) {
        let opacity = Self.faded(Self.object(.ring, grows: true), to: floor, isPeriodic: true)
        let ends = opacity.keys.dropLast().filter(\.easing.isHold).map(\.value)
        #expect(!ends.isEmpty && ends.allSatisfy { vanishes ? $0 == 0 : abs($0 - floor) < 0.05 }, "\(opacity)")
        #expect(abs(opacity.range.upperBound - 1) < 0.05)
    }

    /// A ring that grows with its line and fades is at full opacity when it is a point, although
    /// its colour is measured later, and vanishes before it restarts.
    @Test(arguments: [0.04, 0.05, 0.08]) func growingLineFadesFromSizeZero(share: Double) throws {
        let shapes = (0...120).filter { (10..<45).contains($0 % 60) }.map { frame in
            Self.shape(frame, contrast: 200 * (1 - Double(frame % 60) / 50))
        }
        var builder = Self.builder(frames: 121, duration: 1)
        builder.isPeriodic = true
        let gaps = Gaps(shapes, merged: [], limit: 121) { _, _ in false }
        var ring = Self.object(.ring)
        ring.width = KeyframeCurve(keys: [
            CurveKeyframe(time: 0, value: 2, easing: .linear), CurveKeyframe(time: 0.75, value: 182, easing: .hold),
            CurveKeyframe(time: 1, value: 2, easing: .linear),
        ])
        ring.lineWidth = ring.width.map { share * $0 }
        builder.setColor(&ring, shapes, gaps, gaps.hidden.flatMap(\.frames).map { builder.times[$0] })
        for frame in [2, 8, 20, 40] {
            let color = ring.visibleColor(at: Double(frame) / 60, over: Self.white)
            let contrast = 200 * (1 - Double(frame) / 50)
            #expect(abs(255 - Double(color.x) - contrast) < 6, "frame \(frame): \(color) instead of \(contrast)")
        }
        #expect(ring.opacity.value(at: 59.0 / 60) == 0, "\(ring.opacity)")
    }
}
