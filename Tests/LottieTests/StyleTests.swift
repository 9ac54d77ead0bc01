import Motion
import Platform
import Testing

@testable import Lottie

/// Fills and lines.
@Suite struct StyleTests {
    @Test func fillRulesDecideWhereAPathHoldsItself() throws {
        // Both run the same way, so that the inner one is wound around twice.
        let nested = group(rectangle([50, 50], [60, 60]), rectangle([50, 50], [20, 20]), fill(black, ["r": 1]))
        let holed = group(rectangle([50, 50], [60, 60]), rectangle([50, 50], [20, 20]), fill(black, ["r": 2]))
        let against = group(
            rectangle([50, 50], [60, 60]), rectangle([50, 50], [20, 20], reversed: true), fill(black, ["r": 1]))
        expect(try draw(nested).area, near: 3600)
        expect(try draw(holed).area, near: 3200)
        expect(try draw(against).area, near: 3200)
    }

    @Test func opacityFadesWhatIsPainted() throws {
        let quarter = try draw(rectangle([50, 50], [20, 20]), fill(black, opacity: 25))
        expect(quarter, [(50, 50, Pixel(191, 191, 191))])
        let line = try draw(rectangle([50, 50], [40, 40]), stroke(black, 6, opacity: 50))
        expect(line, [(30, 50, Pixel(127, 127, 127)), (50, 50, .white)])
        let both = try draw(
            movie(
                shapes(
                    group(rectangle([50, 50], [40, 40]), fill(black), at: ["o": 50]), at: ["o": 50])))
        expect(both, [(50, 50, Pixel(191, 191, 191))])
    }

    @Test func aGroupFadesAsOne() throws {
        // Where the line lies over the fill, the fill does not shine through.
        let picture = try draw(group(rectangle([50, 50], [40, 40]), stroke(red, 10), fill(blue), at: ["o": 50]))
        expect(picture, [(33, 50, Pixel(255, 127, 127)), (50, 50, Pixel(127, 127, 255))])
    }

    /// Caps of a line of 40 points and a width of 10: their areas.
    @Test(arguments: [(1, 400.0), (2, 400 + 25 * Double.pi), (3, 500.0)])
    func capsEndLines(cap: Int, area: Double) throws {
        let line = corners([[30, 50], [70, 50]], closed: false)
        let picture = try draw(path(line), stroke(black, 10, ["lc": .number(Double(cap))]))
        expect(picture.area, near: area)
    }

    /// Joins of two lines at a right angle: what they add outside of the corner's square.
    @Test(arguments: [(1, 25.0), (2, 25 * Double.pi / 4), (3, 12.5)])
    func joinsFillCorners(join: Int, corner: Double) throws {
        let hook = corners([[30, 70], [30, 30], [70, 30]], closed: false)
        let picture = try draw(path(hook), stroke(black, 10, ["lj": .number(Double(join))]))
        // Two lines of 40 by 10 that share a quarter of the corner's square.
        expect(picture.area, near: 800 - 25 + corner)
    }

    @Test func miterLimitsCutCorners() throws {
        // Twice the half angle is 60 degrees: the miter is 2 widths long.
        let hook = corners([[20, 80], [50, 80 - 30 * 3.0.squareRoot()], [80, 80]], closed: false)
        let (long, cut) = try (
            draw(path(hook), stroke(black, 8, ["ml": 2.1])), draw(path(hook), stroke(black, 8, ["ml": 1.9]))
        )
        // Beveled, the triangle from the bevel to the tip is missing: half its base times its height.
        let tip = 8 - 2.0, base = 8 * 0.75.squareRoot()
        expect(long.area - cut.area, near: base * tip / 2, within: 0.02)
    }

    @Test func dashesRunFromTheirOffset() throws {
        let line = corners([[10, 50], [90, 50]], closed: false)
        func dashed(_ pattern: JSON) throws -> PixelRow {
            let picture = try draw(path(line), stroke(black, 4, ["d": pattern]))
            return (0..<100).map { picture.ink($0, 50) > 0.5 }
        }
        let even = try dashed(dashes(10, 5))
        func pattern(_ isPiece: (Int) -> Bool) -> PixelRow {
            (0..<100).map { (10..<90).contains($0) && isPiece($0 - 10) }
        }
        #expect(even == pattern { $0 % 15 < 10 })
        let moved = try dashed(dashes(10, 5, offset: 3))
        #expect(moved == pattern { ($0 + 3) % 15 < 10 })
        // A piece alone is as long as its gap.
        let single = try dashed(dashes(10))
        #expect(single == pattern { $0 % 20 < 10 })
        let pairs = try dashed(dashes(8, 4, 2, 6))
        #expect(pairs == pattern { $0 % 20 < 8 || (12..<14).contains($0 % 20) })
    }

    private typealias PixelRow = [Bool]

    @Test func dashesMove() throws {
        let line = corners([[10, 50], [90, 50]], closed: false)
        let json = movie(
            shapes(path(line), stroke(black, 4, ["d": dashes(10, 10, offset: keys(key(0, 0), key(10, -20)))])))
        // Five frames later the pattern has moved on by ten points: pieces where gaps were.
        let (first, later) = try (draw(json, frame: 0), draw(json, frame: 5))
        expect(first, [(15, 50, .black), (25, 50, .white)])
        expect(later, [(15, 50, .white), (25, 50, .black)])
    }

    @Test func widthsMove() throws {
        let json = movie(shapes(rectangle([50, 50], [40, 40]), stroke(black, keys(key(0, 2), key(10, 12)))))
        for frame in [0, 3, 7] {
            let width = 2 + Double(frame)
            expect(
                try draw(json, frame: Rational(frame)).area,
                near: (40 + width) * (40 + width) - (40 - width) * (40 - width))
        }
    }

    @Test func nothingIsDrawnOfALineWithoutWidth() throws {
        #expect(try draw(rectangle([50, 50], [40, 40]), stroke(black, 0)).area == 0)
        #expect(try draw(rectangle([50, 50], [40, 40]), stroke(black, 4, opacity: 0)).area == 0)
        #expect(try draw(fill(black)).area == 0)
    }

    /// Darker and lighter of two colours, their product and so on, at a pixel.
    private static let mixtures: [(Int, [Double])] = [
        (0, [0.2, 0.6, 0.9]), (1, [0.16, 0.3, 0.09]), (2, [0.84, 0.8, 0.91]), (4, [0.2, 0.5, 0.1]),
        (5, [0.8, 0.6, 0.9]), (10, [0.6, 0.1, 0.8]), (11, [0.68, 0.5, 0.82]), (16, [1, 1, 1]),
    ]

    @Test(arguments: mixtures)
    func fillsMixWithWhatIsBelow(mode: Int, mixed: [Double]) throws {
        let picture = try draw(
            group(rectangle([50, 50], [40, 40]), fill([0.2, 0.6, 0.9], ["bm": .number(Double(mode))])),
            group(rectangle([50, 50], [80, 80]), fill([0.8, 0.5, 0.1])))
        let bytes = mixed.map { Int(($0 * 255).rounded()) }
        expect(picture, [(50, 50, Pixel(bytes[0], bytes[1], bytes[2])), (15, 50, Pixel(204, 128, 26))], within: 3)
    }

    @Test func coloursOfOldFilesAreBytes() throws {
        let old = movie(shapes(rectangle([50, 50], [40, 40]), fill([255, 128, 0, 255])), ["v": "4.1.6"])
        expect(try draw(old), [(50, 50, Pixel(255, 128, 0))])
    }
}
