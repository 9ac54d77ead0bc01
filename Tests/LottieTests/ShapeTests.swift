import Core
import Testing

@testable import Lottie

/// The position, size and direction of shapes.
@Suite struct ShapeTests {
    @Test func rectanglesAreCentredOnTheirPosition() throws {
        let bitmap = try draw(rectangle([40, 60], [30, 20]), fill(black))
        expect(bitmap.area, near: 600)
        expect(bitmap, [(25, 50, .black), (54, 69, .black), (24, 50, .white), (55, 60, .white), (40, 70, .white)])
    }

    @Test(arguments: [0.0, 5, 12, 40]) func roundCornersCutTheArea(radius: Double) throws {
        let bitmap = try draw(rectangle([50, 50], [60, 40], roundness: .number(radius)), fill(black))
        // The radius is at most half the shorter side.
        let r = min(radius, 20)
        expect(bitmap.area, near: 60 * 40 - (4 - .pi) * r * r, within: 0.002)
    }

    @Test func ellipsesFillTheirSize() throws {
        let bitmap = try draw(ellipse([50, 40], [60, 30]), fill(black))
        expect(bitmap.area, near: .pi * 30 * 15, within: 0.003)
        expect(bitmap, [(21, 40, .black), (50, 26, .black), (19, 40, .white), (50, 56, .white)])
    }

    /// Lengths too small to see become visible in a layer that enlarges them.
    @Test func enlargedCirclesAreRound() throws {
        let circle = ellipse([0, 0], [0.06, 0.06])
        let layer = shapes(circle, fill(black), at: ["p": [50, 50], "s": [100_000, 100_000]])
        expect(try draw(lottie(layer)).area, near: .pi * 30 * 30, within: 0.003)
    }

    @Test(arguments: [3, 5, 8]) func starsHaveTheAreaOfTheirTriangles(points: Int) throws {
        let bitmap = try draw(
            star([50, 50], points: .number(Double(points)), outer: 40, inner: 15), fill(black))
        let area = Double(points) * 40 * 15 * sin(.pi / Double(points))
        expect(bitmap.area, near: area, within: 0.003)
        // The first point is at 12 o'clock.
        expect(bitmap, [(50, 25, .black), (50, 50, .black), (50, 8, .white)], within: 3)
    }

    @Test(arguments: [3, 4, 6]) func polygonsAreRotated(points: Int) throws {
        let n = Double(points)
        let upright = try draw(polygon([50, 50], points: .number(n), radius: 30), fill(black))
        let turned = try draw(polygon([50, 50], points: .number(n), radius: 30, ["r": .number(180 / n)]), fill(black))
        let area = n / 2 * 900 * sin(2 * .pi / n)
        expect(upright.area, near: area, within: 0.003)
        expect(turned.area, near: area, within: 0.003)
        // After the rotation, the middle of an edge is on top instead of a vertex.
        let edge = Int((50 - 30 * cos(.pi / n)).rounded())
        expect(turned, [(50, edge - 2, .white), (50, edge + 2, .black)])
        expect(upright, [(49, 23, .black)], within: 60)
    }

    @Test func roundPolygonsApproximateACircle() throws {
        let round = try draw(polygon([50, 50], points: 8, radius: 30, ["os": 100]), fill(black))
        #expect(round.area > 8.0 / 2 * 900 * sin(2 * .pi / 8) && round.area < 1.1 * .pi * 900)
        expect(round.area, near: .pi * 900, within: 0.05)
    }

    @Test func pathsHaveCurvesAndCanBeOpen() throws {
        let bulge = corners([[20, 50], [80, 50]], into: [[0, 0], [0, -40]], out: [[0, -40], [0, 0]])
        let bitmap = try draw(path(bulge), fill(black))
        // The integral of y = 120 t (1 - t) with x' = 360 t (1 - t) is three fifths of the area of
        // the control points' bounds.
        expect(bitmap.area, near: 0.6 * 40 * 60)
        let open = corners([[20, 20], [80, 20], [80, 80]], closed: false)
        let line = try draw(path(open), stroke(black, 4))
        expect(line, [(50, 20, .black), (80, 50, .black), (50, 50, .white)])
        let closed = try draw(path(corners([[20, 20], [80, 20], [80, 80]])), stroke(black, 4))
        expect(closed, [(50, 50, .black)])
    }

    /// lottie-web makes tangents points when it loads a file, and marks the file and its layers.
    /// Programs that load a file to change it save it so.
    @Test(arguments: [true, false]) func tangentsThatLottieWebConvertedArePoints(isFileMarked: Bool) throws {
        let points = [[20.0, 50], [80, 50]]
        let converted = corners(points, into: [[20, 50], [80, 10]], out: [[20, 10], [80, 50]])
        let layer = shapes(path(converted), fill(black), isFileMarked ? [:] : ["completed": true])
        let bulge = corners(points, into: [[0, 0], [0, -40]], out: [[0, -40], [0, 0]])
        let marks: JSON = isFileMarked ? ["__complete": true] : [:]
        let bitmap = try draw(lottie(layer, marks))
        #expect(try bitmap == draw(path(bulge), fill(black)))
        guard !isFileMarked else { return }
        let unmarked = shapes(path(bulge), fill(red), at: ["p": [0, 40]])
        expect(try draw(lottie(layer, unmarked)), [(50, 40, .black), (50, 75, .fullRed)])
    }

    /// A dash without length is a dot with round caps, also among longer ones.
    @Test func dashesWithoutLengthAreDots() throws {
        let line = path(corners([[10, 50], [90, 50]], closed: false))
        let dots: [(Int, Int, Pixel)] = [(12, 50, .black), (29, 50, .white), (40, 50, .black), (51, 50, .white)]
        for lengths in [dashes(10, 20, 0, 20), dashes(10, 20, 0, 20, 10, 20, 0, 20)] {
            let bitmap = try draw(line, stroke(black, 8, ["lc": 2, "d": lengths]))
            expect(bitmap, dots + [(62, 50, .black), (79, 50, .white)])
        }
        expect(try draw(line, stroke(black, 8, ["d": dashes(10, 20, 0, 20)])), [(40, 50, .white)])
    }

    @Test func stylesOnlyPaintTheirGroup() throws {
        let bitmap = try draw(
            group(rectangle([30, 50], [20, 20]), fill(red)), group(rectangle([70, 50], [20, 20]), fill(blue)))
        expect(bitmap, [(30, 50, .fullRed), (70, 50, .fullBlue), (50, 50, .white)])
    }

    @Test func stylesPaintNestedGroupsAboveThem() throws {
        let bitmap = try draw(group(rectangle([0, 0], [20, 20]), at: ["p": [30, 50]]), fill(red))
        expect(bitmap, [(30, 50, .fullRed), (41, 50, .white)])
    }

    @Test func theFirstItemIsOnTop() throws {
        let bitmap = try draw(
            group(rectangle([40, 50], [40, 40]), fill(red)), group(rectangle([60, 50], [40, 40]), fill(blue)))
        expect(bitmap, [(50, 50, .fullRed), (70, 50, .fullBlue)])
        let below = try draw(rectangle([50, 50], [40, 40]), fill(red), fill(blue))
        expect(below, [(50, 50, .fullRed)])
    }

    @Test func hiddenItemsAreNotDrawn() throws {
        let bitmap = try draw(
            rectangle([50, 50], [40, 40]), fill(red).with(["hd": true]), fill(blue),
            group(ellipse([50, 50], [90, 90]), fill(black)).with(["hd": true]))
        expect(bitmap, [(50, 50, .fullBlue), (10, 50, .white)])
    }
}
