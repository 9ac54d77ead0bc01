import Core
import TestSupport
import Testing

@testable import Lottie

/// Transforms of layers and groups.
@Suite struct TransformTests {
    /// A rectangle 20 points wide and 10 high, with its bottom left corner at the origin.
    private let flag = rectangle([10, -5], [20, 10])

    private func flag(_ at: [String: JSON]) throws -> PixelGrid { try draw(lottie(shapes(flag, fill(black), at: at))) }

    @Test func positionAnchorScaleAndRotationAreApplied() throws {
        expect(try flag(["p": [30, 60]]), [(31, 51, .black), (49, 59, .black), (50, 59, .white), (31, 49, .white)])
        expect(try flag(["p": [30, 60], "a": [20, 0]]), [(11, 51, .black), (31, 51, .white)])
        let scaled = try flag(["p": [30, 60], "s": [200, 300]])
        expect(scaled.area, near: 200 * 6)
        expect(scaled, [(69, 31, .black), (71, 31, .white), (69, 29, .white)])
        // A clockwise rotation moves the right side down.
        expect(try flag(["p": [30, 60], "r": 90]), [(31, 61, .black), (39, 79, .black), (29, 61, .white)])
        expect(try flag(["p": [50, 50], "s": [-100, 100]]), [(31, 45, .black), (51, 45, .white)])
    }

    @Test func theAnchorPointStaysAtThePosition() throws {
        for rotation in [0.0, 37, 211] {
            let bitmap = try flag(["p": [40, 60], "a": [10, -5], "r": .number(rotation), "s": [150, 150]])
            #expect(bitmap.centroid.distance(to: Point(40, 60)) < 0.1)
            expect(bitmap.area, near: 200 * 2.25)
        }
    }

    /// Points are displaced along the skew axis by their distance from it times the tangent of the
    /// angle.
    @Test(arguments: [30.0, -45, 60]) func skewDisplacesAlongTheAxis(angle: Double) throws {
        let square = rectangle([0, 0], [20, 20])
        let bitmap = try draw(lottie(shapes(square, fill(black), at: ["p": [50, 50], "sk": .number(angle)])))
        expect(bitmap.area, near: 400)
        let slope = tan(angle * .pi / 180)
        for y in [42, 50, 57] {
            let row = (0..<100).filter { bitmap.ink($0, y) > 0.5 }.map(Double.init)
            let middle = (row.reduce(0, +) / Double(row.count)) + 0.5
            #expect(abs(middle - (50 + slope * (50 - (Double(y) + 0.5)))) < 0.6, "\(y): \(middle)")
        }
    }

    @Test func skewAxisTurnsTheSkew() throws {
        // With an axis of 90 degrees, columns are displaced instead of rows.
        let square = rectangle([0, 0], [20, 20])
        let bitmap = try draw(lottie(shapes(square, fill(black), at: ["p": [50, 50], "sk": 45, "sa": 90])))
        for x in [42, 57] {
            let column = (0..<100).filter { bitmap.ink(x, $0) > 0.5 }.map(Double.init)
            let middle = column.reduce(0, +) / Double(column.count) + 0.5
            #expect(abs(abs(middle - 50) - abs(Double(x) + 0.5 - 50)) < 0.6, "\(x): \(middle)")
        }
    }

    @Test func dimensionsCanBeSeparate() throws {
        let position: JSON = ["s": true, "x": keys(key(0, 20), key(10, 80)), "y": property(40)]
        let json = lottie(shapes(rectangle([0, 0], [10, 10]), fill(black), at: ["p": position]))
        for frame in [0, 5, 9] {
            #expect(
                try draw(json, frame: Rational(frame)).centroid.distance(to: Point(20 + 6 * Double(frame), 40)) < 0.1)
        }
    }

    private func dart(_ position: JSON, oriented: Bool) -> JSON {
        lottie(shapes(rectangle([10, 0], [20, 6]), fill(black), at: ["p": position], ["ao": oriented ? 1 : 0]))
    }

    @Test func spatialCurvesHaveConstantSpeed() throws {
        // A symmetric arc with its top at (50, 50), halfway along its length.
        let arc = keys(
            key(0, [20, 80], .linear, ["to": [0, -40], "ti": [0, -40]]), key(10, [80, 80]))
        let json = lottie(shapes(ellipse([0, 0], [10, 10]), fill(black), at: ["p": arc]))
        #expect(try draw(json, frame: 5).centroid.distance(to: Point(50, 50)) < 0.1)
        // Equal times are equal arc lengths, which chords approximate.
        let positions = try (0..<10).map { try draw(json, frame: Rational($0)).centroid }
        let steps = zip(positions, positions.dropFirst()).map { $0.distance(to: $1) }
        let mean = steps.reduce(0, +) / Double(steps.count)
        #expect(steps.allSatisfy { abs($0 - mean) < 0.06 * mean }, "\(steps)")
    }

    @Test func autoOrientedLayersFollowTheirPath() throws {
        let path = keys(
            key(0, [20, 20]), key(4, [80, 20]), key(8, [80, 80]), key(10, [80, 80]))
        // To the right, then down.
        expect(try draw(dart(path, oriented: true), frame: 2), [(60, 20, .black), (50, 30, .white)])
        expect(try draw(dart(path, oriented: true), frame: 6), [(80, 60, .black), (90, 50, .white)])
        expect(try draw(dart(path, oriented: false), frame: 6), [(90, 50, .black), (80, 60, .white)])
    }

    @Test func groupsNestTheirTransforms() throws {
        let bitmap = try draw(
            lottie(
                shapes(
                    group(
                        group(rectangle([0, 0], [10, 10]), fill(black), at: ["p": [10, 0], "r": 45]),
                        at: ["p": [0, 20], "s": [200, 200]]),
                    at: ["p": [50, 50], "r": 90])))
        // (10, 0) is doubled and moved to (20, 20), which a quarter turn maps to (-20, 20).
        #expect(bitmap.centroid.distance(to: Point(30, 70)) < 0.1)
        expect(bitmap.area, near: 400)
    }

    /// The tangent of the skew repeats every half turn.
    @Test(arguments: [(180.0, 0.0), (-180, 0), (210, 30), (-225, -45)]) func skewRepeats(angle: Double, same: Double)
        throws
    {
        func bitmap(_ angle: Double) throws -> PixelGrid {
            let square = rectangle([0, 0], [40, 40])
            return try draw(lottie(shapes(square, fill(black), at: ["p": [50, 50], "sk": .number(angle)])))
        }
        let (found, expected) = (try bitmap(angle), try bitmap(same))
        for x in stride(from: 5, to: 100, by: 10) {
            expect(found, [(x, 35, expected[x, 35]), (x, 65, expected[x, 65])])
        }
    }
}
