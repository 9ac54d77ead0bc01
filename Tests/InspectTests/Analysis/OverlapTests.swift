import Core
import Render
import TestSupport
import Testing

@testable import Inspect

/// Objects that overlap, and tracks of their pieces.
@Suite struct OverlapTests {
    private static func seen(_ time: Double, _ upper: Int, _ lower: Int, share: Float = 0.2) -> OverlapObservation {
        OverlapObservation(time: time, upper: upper, lower: lower, share: share)
    }

    @Test func paintOrderChangesBetweenOverlaps() {
        let first = (0..<5).map { Self.seen(0.2 + Double($0) / 60, 1, 0) }
        let second = (0..<5).map { Self.seen(0.8 + Double($0) / 60, 0, 1, share: 0) }
        // One frame tells nothing.
        let noise = Self.seen(0.22, 0, 1)
        let order = StackingOrder(
            (first + second + [noise]).sorted { $0.time < $1.time }, count: 2, duration: 1, frame: 1.0 / 60)
        #expect(order.intervals.map(\.order) == [[0, 1], [1, 0]])
        #expect(order.intervals[0].end > 0.27 && order.intervals[0].end < 0.8)
        #expect(abs((order.opacities[1] ?? 0) - 0.8) < 1e-6 && order.opacities[0] == nil)
    }

    private static func disc(_ frame: Int, _ x: Double, isAlone: Bool, area: Double = 530) -> ObservedShape {
        let contour = Contour(points: [Point(x, 0), Point(x + 1, 0), Point(x, 1)], isFree: [true, true, true])
        return ObservedShape(
            frame: frame, color: Channels(51, 255, 51), area: area, centroid: Point(x, 0),
            box: Rect(x: x - 13, y: -13, width: 26, height: 26), contours: [contour], isCut: false, isAlone: isAlone,
            isPlain: true)
    }

    private static func track(_ shapes: [ObservedShape]) -> ShapeTrack {
        var track = ShapeTrack(shapes[0])
        for shape in shapes.dropFirst() { track.append(shape) }
        return track
    }

    @Test func tracksOfOneObjectInTurnsAreJoined() {
        let before = (0..<40).map { Self.disc($0, Double($0), isAlone: $0 < 36) }
        let after = (44..<90).map { Self.disc($0, Double($0), isAlone: $0 > 48) }
        let piece = Self.disc(12, 12, isAlone: false, area: 90)
        #expect(SplitJoiner().joined([Self.track(before), Self.track([piece] + after)]).count == 1)
        // Both are seen as a whole at once.
        let other = (20..<90).map { Self.disc($0, Double($0) + 60, isAlone: true) }
        #expect(SplitJoiner().joined([Self.track(before), Self.track(other)]).count == 2)
    }

    @Test func pieceDoesNotMergeWithItsObject() {
        var tracker = ShapeTracker(background: Channels(255, 255, 255))
        for frame in 0..<5 { tracker.add([Self.disc(frame, 50, isAlone: true)], frame: frame) }
        let parts = [Self.disc(5, 46, isAlone: false, area: 120), Self.disc(5, 58, isAlone: false, area: 60)]
        tracker.add(parts, frame: 5)
        for frame in 6..<12 { tracker.add([Self.disc(frame, 50, isAlone: true)], frame: frame) }
        #expect(tracker.tracks.allSatisfy { $0.mergedFrames.isEmpty })
        #expect(tracker.tracks[0].shapes.count == 12)
    }

    @Test func nearlyClosedArcHasItsGap() throws {
        let (middle, gap) = (-1.2, 0.02)
        func side(_ radius: Double, _ angles: StrideThrough<Double>) -> [Point] {
            angles.map { Point(100 + radius * cos($0), 100 + radius * sin($0)) }
        }
        let (start, end) = (middle + gap / 2, middle - gap / 2 + 2 * .pi)
        let points =
            side(80, stride(from: start, through: end, by: 0.0145))
            + [80.0, 76, 72, 68, 64].flatMap { side($0, stride(from: end, through: end, by: 1)) }
            + side(64, stride(from: end, through: start, by: -0.0145))
            + [64.0, 68, 72, 76, 80].flatMap { side($0, stride(from: start, through: start, by: 1)) }
        var shape = Self.disc(0, 100, isAlone: true, area: 14_400)
        shape.contours = [Contour(points: points, isFree: points.map { _ in true })]
        var circle = ShapePose(frame: 0, center: Point(100, 100), width: 144, height: 144)
        circle.lineWidth = 16
        let pose = try #require(ArcFit.arc(shape, isRound: false, reference: circle))
        let turns = (pose.start - start) / (2 * .pi)
        #expect(abs(turns - turns.rounded()) < 0.002)
        #expect(abs(pose.extent - (2 * .pi - gap)) < 0.01)
    }
}
