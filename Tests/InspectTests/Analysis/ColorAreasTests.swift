import Core
import Testing

@testable import Inspect

/// Areas of one colour as changing shapes.
@Suite struct ColorAreasTests {
    /// Returns a polygon of 48 vertices; a hole has the opposite direction.
    private static func circle(_ center: Point, _ radius: Double, isHole: Bool = false) -> Contour {
        let points = (0..<48).map { index -> Point in
            let angle = 2 * Double.pi * Double(isHole ? -index : index) / 48
            return center + Point(radius * cos(angle), radius * sin(angle))
        }
        return Contour(points: points, isFree: points.map { _ in true })
    }

    private static func shape(_ frame: Int, _ contours: [Contour], color: Channels = Channels()) -> ObservedShape {
        let box = Rect(enclosing: contours[0].points) ?? Rect(x: 0, y: 0, width: 1, height: 1)
        return ObservedShape(
            frame: frame, color: color, area: contours.reduce(0) { $0 + $1.signedArea }, centroid: box.center, box: box,
            contours: contours, isCut: false, isAlone: true, isPlain: true)
    }

    private static func track(_ shape: (Int) -> ObservedShape) -> ShapeTrack {
        ShapeTrack((0..<9).map(shape), merged: [])
    }

    private static let times = (0...9).map { Double($0) / 60 }

    /// One disc grows while the other shrinks, so the larger one changes.
    @Test func outlinesContinueInAnyOrder() throws {
        let growing = Self.track { Self.shape($0, [Self.circle(Point(30, 30), 10 + Double($0 * $0) / 4)]) }
        let shrinking = Self.track { Self.shape($0, [Self.circle(Point(90, 30), 26 - Double($0 * $0) / 4)]) }
        let areas = ColorAreas([growing, shrinking])
        try #require(areas.tracks.count == 1 && areas.tracks[0].shapes.count == 9)
        #expect(areas.tracks[0].shapes.allSatisfy { $0.contours.count == 2 })
        let keys = MorphFit(tolerance: 0.1, times: Self.times).keys(areas.tracks[0].shapes)
        #expect(keys.count > 2)
        for (index, x) in [(0, 90.0), (1, 30.0)] {
            for key in keys {
                let box = try #require(Rect(enclosing: key.contours[index]))
                #expect(abs(box.center.x - x) < 1, "\(key.time)")
            }
        }
    }

    /// A thin ring has a hole that is about as large as its outline.
    @Test func holesContinueHoles() throws {
        let ring = Self.track { frame in
            let center = Point(40 + 3 * Double(frame % 2), 40)
            return Self.shape(frame, [Self.circle(center, 20), Self.circle(center, 19, isHole: true)])
        }
        for key in MorphFit(tolerance: 0.1, times: Self.times).keys(ring.shapes) {
            #expect(key.contours.map { $0.signedArea > 0 } == [true, false], "\(key.time)")
        }
    }

    /// A disc that fades keeps its track beside one that does not.
    @Test func colorsHaveTracks() {
        let plain = Self.track { Self.shape($0, [Self.circle(Point(30, 30), 10)]) }
        let fading = Self.track {
            Self.shape($0, [Self.circle(Point(90, 30), 10)], color: Channels(repeating: 60 + 20 * Float($0)))
        }
        let areas = ColorAreas([plain, fading])
        #expect(areas.tracks.map { $0.shapes.count } == [9, 9])
        #expect(areas.tracks.map { $0.last.centroid.x }.sorted() == [30, 90])
    }

    /// Between keyframes, a drawn outline lies between theirs, as players draw it.
    @Test func outlinesAreInterpolated() {
        let moving = Self.track { Self.shape($0, [Self.circle(Point(30 + 4 * Double($0), 30), 10)]) }
        let keys = MorphFit(tolerance: 0.1, times: Self.times).keys(moving.shapes)
        #expect(keys.count == 2)
        var object = DoubtTests.object(.morph)
        object.morph = keys
        let box = Rect(enclosing: object.polygons(at: 4.0 / 60)[0])
        #expect(abs((box?.center.x ?? 0) - 46) < 0.01)
    }
}
