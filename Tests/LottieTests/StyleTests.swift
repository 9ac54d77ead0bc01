import Core
import Testing

@testable import Lottie

/// Fills and strokes.
@Suite struct StyleTests {
    @Test func fillRulesDecideAboutOverlappingPaths() throws {
        // Both paths have the same direction, so the inner area has a winding number of 2.
        let nested = group(rectangle([50, 50], [60, 60]), rectangle([50, 50], [20, 20]), fill(black, ["r": 1]))
        let holed = group(rectangle([50, 50], [60, 60]), rectangle([50, 50], [20, 20]), fill(black, ["r": 2]))
        let against = group(
            rectangle([50, 50], [60, 60]), rectangle([50, 50], [20, 20], reversed: true), fill(black, ["r": 1]))
        expect(try draw(nested).area, near: 3600)
        expect(try draw(holed).area, near: 3200)
        expect(try draw(against).area, near: 3200)
    }

    @Test func opacityFadesFillsAndStrokes() throws {
        let quarter = try draw(rectangle([50, 50], [20, 20]), fill(black, opacity: 25))
        expect(quarter, [(50, 50, Pixel(191, 191, 191))])
        let line = try draw(rectangle([50, 50], [40, 40]), stroke(black, 6, opacity: 50))
        expect(line, [(30, 50, Pixel(127, 127, 127)), (50, 50, .white)])
        let both = try draw(
            lottie(
                shapes(
                    group(rectangle([50, 50], [40, 40]), fill(black), at: ["o": 50]), at: ["o": 50])))
        expect(both, [(50, 50, Pixel(191, 191, 191))])
    }

    @Test func groupsFadeAsAWhole() throws {
        // Where the stroke overlaps the fill, the fill does not show through.
        let bitmap = try draw(group(rectangle([50, 50], [40, 40]), stroke(red, 10), fill(blue), at: ["o": 50]))
        expect(bitmap, [(33, 50, Pixel(255, 127, 127)), (50, 50, Pixel(127, 127, 255))])
    }

    /// Line caps and the areas of a line of length 40 and width 10 with them.
    @Test(arguments: [(1, 400.0), (2, 400 + 25 * Double.pi), (3, 500.0)])
    func capsEndLines(cap: Int, area: Double) throws {
        let line = corners([[30, 50], [70, 50]], closed: false)
        let bitmap = try draw(path(line), stroke(black, 10, ["lc": .number(Double(cap))]))
        expect(bitmap.area, near: area)
    }

    /// Line joins and the areas that they add at a right angle.
    @Test(arguments: [(1, 25.0), (2, 25 * Double.pi / 4), (3, 12.5)])
    func joinsFillCorners(join: Int, corner: Double) throws {
        let hook = corners([[30, 70], [30, 30], [70, 30]], closed: false)
        let bitmap = try draw(path(hook), stroke(black, 10, ["lj": .number(Double(join))]))
        // Two lines of 40 by 10 overlap in a square of 5 by 5 at the corner.
        expect(bitmap.area, near: 800 - 25 + corner)
    }

    @Test func miterLimitsBevelCorners() throws {
        // At an angle of 60 degrees, the miter is two line widths long.
        let hook = corners([[20, 80], [50, 80 - 30 * 3.0.squareRoot()], [80, 80]], closed: false)
        let mitered = try draw(path(hook), stroke(black, 8, ["ml": 2.1]))
        let beveled = try draw(path(hook), stroke(black, 8, ["ml": 1.9]))
        // The bevel removes the triangle between the bevel and the tip.
        let tip = 8 - 2.0
        let base = 8 * 0.75.squareRoot()
        expect(mitered.area - beveled.area, near: base * tip / 2, within: 0.02)
    }

    @Test func dashesRunFromTheirOffset() throws {
        let line = corners([[10, 50], [90, 50]], closed: false)
        func dashed(_ pattern: JSON) throws -> PixelRow {
            let bitmap = try draw(path(line), stroke(black, 4, ["d": pattern]))
            return (0..<100).map { bitmap.ink($0, 50) > 0.5 }
        }
        let even = try dashed(dashes(10, 5))
        func pattern(_ isDash: (Int) -> Bool) -> PixelRow {
            (0..<100).map { (10..<90).contains($0) && isDash($0 - 10) }
        }
        #expect(even == pattern { $0 % 15 < 10 })
        let moved = try dashed(dashes(10, 5, offset: 3))
        #expect(moved == pattern { ($0 + 3) % 15 < 10 })
        // Without a gap length, the gap is as long as the dash.
        let single = try dashed(dashes(10))
        #expect(single == pattern { $0 % 20 < 10 })
        let pairs = try dashed(dashes(8, 4, 2, 6))
        #expect(pairs == pattern { $0 % 20 < 8 || (12..<14).contains($0 % 20) })
    }

    private typealias PixelRow = [Bool]

    @Test func dashOffsetsAreAnimated() throws {
        let line = corners([[10, 50], [90, 50]], closed: false)
        let json = lottie(
            shapes(path(line), stroke(black, 4, ["d": dashes(10, 10, offset: keys(key(0, 0), key(10, -20)))])))
        // After five frames, the pattern has moved by ten points, so dashes and gaps have swapped.
        let first = try draw(json, frame: 0)
        let later = try draw(json, frame: 5)
        expect(first, [(15, 50, .black), (25, 50, .white)])
        expect(later, [(15, 50, .white), (25, 50, .black)])
    }

    @Test func widthsAreAnimated() throws {
        let json = lottie(shapes(rectangle([50, 50], [40, 40]), stroke(black, keys(key(0, 2), key(10, 12)))))
        for frame in [0, 3, 7] {
            let width = 2 + Double(frame)
            expect(
                try draw(json, frame: Rational(frame)).area,
                near: (40 + width) * (40 + width) - (40 - width) * (40 - width))
        }
    }

    @Test func invisibleStylesDrawNothing() throws {
        #expect(try draw(rectangle([50, 50], [40, 40]), stroke(black, 0)).area == 0)
        #expect(try draw(rectangle([50, 50], [40, 40]), stroke(black, 4, opacity: 0)).area == 0)
        #expect(try draw(fill(black)).area == 0)
    }

    /// Blend modes (`bm`) with their results for two colours.
    private static let blends: [(Int, [Double])] = [
        (0, [0.2, 0.6, 0.9]), (1, [0.16, 0.3, 0.09]), (2, [0.84, 0.8, 0.91]), (4, [0.2, 0.5, 0.1]),
        (5, [0.8, 0.6, 0.9]), (10, [0.6, 0.1, 0.8]), (11, [0.68, 0.5, 0.82]), (16, [1, 1, 1]),
    ]

    @Test(arguments: blends)
    func fillsBlendWithItemsBelow(mode: Int, blended: [Double]) throws {
        let bitmap = try draw(
            group(rectangle([50, 50], [40, 40]), fill([0.2, 0.6, 0.9], ["bm": .number(Double(mode))])),
            group(rectangle([50, 50], [80, 80]), fill([0.8, 0.5, 0.1])))
        let bytes = blended.map { Int(($0 * 255).rounded()) }
        expect(bitmap, [(50, 50, Pixel(bytes[0], bytes[1], bytes[2])), (15, 50, Pixel(204, 128, 26))], within: 3)
    }

    @Test func coloursOfOldFilesAreInBytes() throws {
        let old = lottie(shapes(rectangle([50, 50], [40, 40]), fill([255, 128, 0, 255])), ["v": "4.1.6"])
        expect(try draw(old), [(50, 50, Pixel(255, 128, 0))])
    }

    /// Hard Mix is 1 where the components of source and backdrop add up to at least 1.
    @Test func hardMixHasPureColours() throws {
        let bitmap = try draw(
            lottie(solid("#808080", ["bm": 17]), solid("#808080", 50, 100), solid("#7e40ff")))
        expect(bitmap, [(25, 50, .white), (75, 50, .fullBlue)])
        let half = try draw(lottie(solid("#808080", 60, 60, ["bm": 17]), solid("#204060")))
        expect(half, [(30, 30, .black), (80, 80, Pixel(0x20, 0x40, 0x60))])
    }

    /// A dashed line that grows from a point is drawn from its first frame on.
    @Test func dashesCanBeScaledToNothing() throws {
        let fixture = try LottieFixture(
            lottie(
                shapes(
                    group(
                        ellipse([0, 0], [60, 60]), stroke(black, 4, ["d": [["n": "d", "v": property(5)]]]),
                        transform(["p": [50, 50], "s": keys(key(0, [0, 0]), key(10, [100, 100]))]).with(["ty": "tr"])))))
        #expect(throws: Never.self) { try fixture.loader.checkRenderCost() }
        #expect(try fixture.render(5).area > 20)
    }
}
