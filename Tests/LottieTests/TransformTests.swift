import Motion
import Platform
import Scene
import TestSupport
import Testing

@testable import Lottie

/// Where things are, how large and turned.
@Suite struct TransformTests {
    /// A flag that is 20 wide and 10 high, with its lower left corner at the origin.
    private let flag = rectangle([10, -5], [20, 10])

    private func flag(_ at: [String: JSON]) throws -> PixelGrid { try draw(movie(shapes(flag, fill(black), at: at))) }

    @Test func positionAnchorScaleAndTurn() throws {
        expect(try flag(["p": [30, 60]]), [(31, 51, .black), (49, 59, .black), (50, 59, .white), (31, 49, .white)])
        expect(try flag(["p": [30, 60], "a": [20, 0]]), [(11, 51, .black), (31, 51, .white)])
        let scaled = try flag(["p": [30, 60], "s": [200, 300]])
        expect(scaled.area, near: 200 * 6)
        expect(scaled, [(69, 31, .black), (71, 31, .white), (69, 29, .white)])
        // Clockwise: what was to the right is below.
        expect(try flag(["p": [30, 60], "r": 90]), [(31, 61, .black), (39, 79, .black), (29, 61, .white)])
        expect(try flag(["p": [50, 50], "s": [-100, 100]]), [(31, 45, .black), (51, 45, .white)])
    }

    @Test func theAnchorStaysInPlace() throws {
        for turn in [0.0, 37, 211] {
            let picture = try flag(["p": [40, 60], "a": [10, -5], "r": .number(turn), "s": [150, 150]])
            #expect(picture.centroid.distance(to: Point(40, 60)) < 0.1)
            expect(picture.area, near: 200 * 2.25)
        }
    }

    /// A skew leans what is above its axis to one side: by the tangent of its angle.
    @Test(arguments: [30.0, -45, 60]) func skewsLean(angle: Double) throws {
        let square = rectangle([0, 0], [20, 20])
        let picture = try draw(movie(shapes(square, fill(black), at: ["p": [50, 50], "sk": .number(angle)])))
        expect(picture.area, near: 400)
        let lean = tan(angle * .pi / 180)
        for y in [42, 50, 57] {
            let row = (0..<100).filter { picture.ink($0, y) > 0.5 }.map(Double.init)
            let middle = (row.reduce(0, +) / Double(row.count)) + 0.5
            #expect(abs(middle - (50 + lean * (50 - (Double(y) + 0.5)))) < 0.6, "\(y): \(middle)")
        }
    }

    @Test func skewsHaveAnAxis() throws {
        // Along an axis of 90 degrees rows stay and columns lean.
        let square = rectangle([0, 0], [20, 20])
        let picture = try draw(movie(shapes(square, fill(black), at: ["p": [50, 50], "sk": 45, "sa": 90])))
        for x in [42, 57] {
            let column = (0..<100).filter { picture.ink(x, $0) > 0.5 }.map(Double.init)
            let middle = column.reduce(0, +) / Double(column.count) + 0.5
            #expect(abs(abs(middle - 50) - abs(Double(x) + 0.5 - 50)) < 0.6, "\(x): \(middle)")
        }
    }

    @Test func positionsMayBeSplit() throws {
        let position: JSON = ["s": true, "x": keys(key(0, 20), key(10, 80)), "y": property(40)]
        let json = movie(shapes(rectangle([0, 0], [10, 10]), fill(black), at: ["p": position]))
        for frame in [0, 5, 9] {
            #expect(
                try draw(json, frame: Rational(frame)).centroid.distance(to: Point(20 + 6 * Double(frame), 40)) < 0.1)
        }
    }

    private func dart(_ position: JSON, oriented: Bool) -> JSON {
        movie(shapes(rectangle([10, 0], [20, 6]), fill(black), at: ["p": position], ["ao": oriented ? 1 : 0]))
    }

    @Test func spatialCurvesArePassedByLength() throws {
        // A bow over (50, 50), symmetric: half of the way is its top.
        let bow = keys(
            key(0, [20, 80], .linear, ["to": [0, -40], "ti": [0, -40]]), key(10, [80, 80]))
        let json = movie(shapes(ellipse([0, 0], [10, 10]), fill(black), at: ["p": bow]))
        #expect(try draw(json, frame: 5).centroid.distance(to: Point(50, 50)) < 0.1)
        // Speed is even: equal steps of time are equal lengths, which chords nearly are.
        let places = try (0..<10).map { try draw(json, frame: Rational($0)).centroid }
        let steps = zip(places, places.dropFirst()).map { $0.distance(to: $1) }
        let mean = steps.reduce(0, +) / Double(steps.count)
        #expect(steps.allSatisfy { abs($0 - mean) < 0.06 * mean }, "\(steps)")
    }

    @Test func whatIsOrientedTurnsAlongItsWay() throws {
        let way = keys(
            key(0, [20, 20]), key(4, [80, 20]), key(8, [80, 80]), key(10, [80, 80]))
        // To the right, then down.
        expect(try draw(dart(way, oriented: true), frame: 2), [(60, 20, .black), (50, 30, .white)])
        expect(try draw(dart(way, oriented: true), frame: 6), [(80, 60, .black), (90, 50, .white)])
        expect(try draw(dart(way, oriented: false), frame: 6), [(90, 50, .black), (80, 60, .white)])
    }

    @Test func groupsNestTheirTransforms() throws {
        let picture = try draw(
            movie(
                shapes(
                    group(
                        group(rectangle([0, 0], [10, 10]), fill(black), at: ["p": [10, 0], "r": 45]),
                        at: ["p": [0, 20], "s": [200, 200]]),
                    at: ["p": [50, 50], "r": 90])))
        // (10, 0) doubled and 20 down is (20, 20), which a quarter's turn takes to (-20, 20).
        #expect(picture.centroid.distance(to: Point(30, 70)) < 0.1)
        expect(picture.area, near: 400)
    }
}
