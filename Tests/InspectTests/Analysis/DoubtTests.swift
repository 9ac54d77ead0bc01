import Core
import TestSupport
import Testing

@testable import Inspect

/// The comparison of reconstructed objects with what the clip shows.
@Suite struct DoubtTests {
    private static func map(_ difference: (Int, Int) -> Channels) -> DifferenceMap {
        var map = DifferenceMap(width: 60, height: 40)
        for y in 0..<40 { for x in 0..<60 { map.set(difference(x, y), x, y) } }
        return map
    }

    @Test func missingObjectIsSeen() {
        let missing = Self.map { x, y in
            (20..<32).contains(x) && (10..<22).contains(y) ? Channels(repeating: 120) : Channels()
        }
        let found = missing.shape(at: 1, scale: 0.5)
        #expect(found.share > 0.03 && found.time == 1)
        #expect(found.center.distance(to: Point(51, 31)) < 1)
        // An edge that is two pixels off.
        let edge = Self.map { x, _ in (20..<22).contains(x) ? Channels(repeating: 200) : Channels() }
        #expect(edge.shape(at: 1, scale: 1).share == 0)
    }

    @Test func otherColorIsSeen() {
        let tinted = Self.map { x, _ in x < 30 ? Channels(18, -4, 0) : Channels() }
        #expect(tinted.tint(at: 0, scale: 1).share > 0.25 && tinted.shape(at: 0, scale: 1).share == 0)
        #expect(Self.map { _, _ in Channels(6, -8, 4) }.tint(at: 0, scale: 1).share == 0)
    }

    /// Returns an object of 60x40 pixels that rests.
    static func object(_ kind: ShapeKind) -> ReconstructedObject {
        ReconstructedObject(resting: kind, size: Size(60, 40))
    }

    private static func disc(opacity: Double) -> ReconstructedObject {
        var object = Self.object(.circle)
        object.width = KeyframeCurve(constant: 40)
        object.height = object.width
        object.opacity = KeyframeCurve(constant: opacity)
        return object
    }

    /// Returns the share that a drawn disc and a seen one on white have in common.
    private static func overlap(seen center: Point, opacity: Double) -> Double {
        let points = (0..<48).map { index in
            let angle = 2 * Double.pi * Double(index) / 48
            return center + Point(20 * cos(angle), 20 * sin(angle))
        }
        let shape = ObservedShape(
            frame: 0, color: Channels(repeating: 255 * Float(1 - opacity)), area: 1257, centroid: center,
            box: Rect(x: center.x - 20, y: center.y - 20, width: 40, height: 40),
            contours: [Contour(points: points, isFree: points.map { _ in true })], isCut: false, isAlone: true,
            isPlain: true)
        let check = ReconstructionCheck(
            [ShapeTrack([shape], merged: [])], over: Channels(repeating: 255), times: [0], duration: 1)
        return check.minShare([disc(opacity: opacity)])
    }

    /// A faint disc may be seen before it counts as drawn.
    @Test(arguments: [0.08, 0.12, 1]) func faintDiscIsUnderstood(opacity: Double) {
        #expect(Self.overlap(seen: Point(50, 50), opacity: opacity) > 0.9)
        #expect(Self.overlap(seen: Point(95, 50), opacity: opacity) < 0.5)
    }

    @Test func polygonsHaveCapsAndRoundCorners() {
        var rectangle = Self.object(.rectangle)
        rectangle.cornerRadius = 15
        let area = AreaMoments(rectangle.polygons(at: 0)[0]).area
        #expect(abs(abs(area) - (2400 - (4 - .pi) * 225)) < 5)
        let butt = abs(AreaMoments(Self.object(.arc).polygons(at: 0)[0]).area)
        let round = abs(AreaMoments(Self.object(.roundArc).polygons(at: 0)[0]).area)
        #expect(abs(round - butt - .pi * 25) < 2)
    }

    @Test func arcOfConstantLengthHasOneMotion() throws {
        var generator = SeededGenerator(seed: 5)
        let contour = Contour(points: [Point(0, 0), Point(9, 0), Point(0, 9)], isFree: [true, true, true])
        let shapes = (0..<72).map { frame in
            ObservedShape(
                frame: frame, color: Channels(), area: 1800, centroid: Point(100, 100),
                box: Rect(x: 40, y: 40, width: 120, height: 120), contours: [contour], isCut: false, isAlone: true,
                isPlain: true)
        }
        let poses = (0..<72).map { frame -> ShapePose in
            var pose = ShapePose(frame: frame, center: Point(100, 100), width: 120, height: 120)
            pose.lineWidth = 14
            pose.start = 0.08 * Double(frame)
            // One of its ends is off for some frames.
            let error = (30..<33).contains(frame) ? 0.1 : Double.random(in: -0.01...0.01, using: &generator)
            pose.extent = 1.5 * .pi + error
            return pose
        }
        let builder = ObjectBuilder(
            background: Channels(repeating: 255), times: (0..<72).map { Double($0) / 60 }, duration: 1.2, pixel: 1)
        let track = ClassifiedTrack(kind: .arc, poses: poses, track: ShapeTrack(shapes, merged: []))
        let object = try #require(builder.object(track))
        #expect(object.end.keys.map(\.time) == object.start.keys.map(\.time))
        #expect(abs(object.end.first - object.start.first - 1.5 * .pi) < 0.01)
    }

    /// Its area says little about its corners, which the outline shows.
    @Test func thinTurnedRectangleIsSharp() throws {
        let (c, s) = (cos(0.35), sin(0.35))
        let corners = [(-30.0, -4.0), (30, -4), (30, 4), (-30, 4)].map {
            Point(100 + $0 * c - $1 * s, 80 + $0 * s + $1 * c)
        }
        let points = corners.indices.flatMap { index -> [Point] in
            (0..<24).map { corners[index] + (corners[(index + 1) % 4] - corners[index]) * (Double($0) / 24) }
        }
        let contour = Contour(points: points, isFree: points.map { _ in true })
        let shape = ObservedShape(
            frame: 0, color: Channels(), area: 430, centroid: Point(100, 80),
            box: Rect(x: 70, y: 60, width: 60, height: 40), contours: [contour], isCut: false, isAlone: true,
            isPlain: true)
        let pose = try #require(PrimitiveFit.rectangle(shape))
        #expect(pose.cornerRadius < 1 && abs(max(pose.width, pose.height) - 60) < 0.3)
    }
}
