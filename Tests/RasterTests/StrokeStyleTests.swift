import Core
import Raster
import TestSupport
import Testing

/// Dashes, miter limits and fill rules.
@Suite struct StrokeStyleTests {
    private func inked(_ pixels: PixelGrid, row: Int) -> [Int] { (0..<100).filter { pixels.coverage($0, row) > 0.5 } }

    private static let patterns: [([Double], Double)] = [
        ([10, 5], 0), ([10, 5], 4), ([10, 5], -4), ([7], 0), ([7], 3), ([8, 4, 2], 0), ([3, 0], 0),
        ([12, 3, 1, 4], 25),
    ]

    @Test(arguments: patterns)
    func dashesAlternateWithGaps(lengths: [Double], phase: Double) throws {
        let stroke = Stroke(.black, width: 4, dash: Stroke.Dash(lengths, phase: phase))
        let pixels = try rendered(Shape(line(Point(10, 50), Point(90, 50)), stroke: stroke))
        // A pattern with an odd number of lengths is doubled.
        let pattern = lengths.count % 2 == 0 ? lengths : lengths + lengths
        let whole = pattern.reduce(0, +)
        let wanted = (10..<90).filter { x in
            let position = (Double(x) + 0.5 - 10 + phase).truncatingRemainder(dividingBy: whole)
            var rest = position < 0 ? position + whole : position
            for (index, length) in pattern.enumerated() {
                if rest < length { return index % 2 == 0 }
                rest -= length
            }
            return false
        }
        #expect(inked(pixels, row: 50) == wanted)
    }

    @Test func invalidPatternsAreSolid() throws {
        for lengths in [[], [0.0], [0, 0], [5, -1], [-2]] {
            let stroke = Stroke(.black, width: 4, dash: Stroke.Dash(lengths))
            let pixels = try rendered(Shape(line(Point(10, 50), Point(90, 50)), stroke: stroke))
            #expect(inked(pixels, row: 50) == Array(10..<90), "\(lengths)")
        }
    }

    @Test func dashesFollowArcs() throws {
        // 24 dashes and as many gaps around a circle cover half of its ring.
        let circle = Path.circle(center: Point(50, 50), radius: 30)
        let piece = 2 * Double.pi * 30 / 48
        let pixels = try rendered(
            Shape(circle, stroke: Stroke(.black, width: 6, dash: Stroke.Dash([piece, piece]))))
        #expect(abs(pixels.area - Double.pi * 30 * 6) < 0.01 * Double.pi * 30 * 6)
        for index in 0..<48 {
            let position = Point(50, 50).moved(by: 30, towards: 2 * .pi * (Double(index) + 0.5) / 48 - .pi / 2)
            let ink = pixels.coverage(Int(position.x), Int(position.y))
            #expect(index % 2 == 0 ? ink > 0.7 : ink < 0.3, "\(index): \(ink)")
        }
    }

    @Test func dashesApplyToTrimmedStrokes() throws {
        let stroke = Stroke(.black, width: 4, start: 0.25, end: 0.75, dash: Stroke.Dash([10, 10]))
        let pixels = try rendered(Shape(line(Point(10, 50), Point(90, 50)), stroke: stroke))
        #expect(inked(pixels, row: 50) == (30..<70).filter { ($0 - 30) % 20 < 10 })
    }

    /// A transform to more width and less height with the same area does not cut strokes off.
    @Test(arguments: [Stroke.Join.miter, .round, .bevel], [nil, Stroke.Dash([24, 6], phase: -27)])
    func squashedStrokesAreWhole(join: Stroke.Join, dash: Stroke.Dash?) throws {
        let square = Path.rectangle(Rect(x: -15, y: -15, width: 30, height: 30))
        let shape = Shape(square, stroke: Stroke(.black, width: 8, join: join, dash: dash))
        let squash = AffineTransform(a: 2, b: 0, c: 0, d: 0.5, tx: 50, ty: 50)
        let pixels = try rendered([.group(Group(transform: squash, nodes: [.shape(shape)]))])
        #expect(inked(pixels, row: 50) == Array(12..<28) + Array(72..<88))
    }

    /// The miter length at a corner is 1 / sin(half angle) line widths.
    @Test(arguments: [30.0, 60, 90, 120]) func mitersAreCutAtTheLimit(degrees: Double) throws {
        let half = degrees / 2 * .pi / 180
        let tip = Point(50, 25)
        let path = line(tip + Point(-sin(half), cos(half)) * 50, tip, tip + Point(sin(half), cos(half)) * 50)
        func area(_ limit: Double) throws -> Double {
            try rendered(Shape(path, stroke: Stroke(.black, width: 8, miterLimit: limit))).area
        }
        let ratio = 1 / sin(half)
        let whole = try area(ratio * 1.01)
        let cut = try area(max(1, ratio * 0.99))
        // Without the miter the triangle from the bevel to the tip is missing.
        let missing = 4 * cos(half) * (4 / sin(half) - 4 * sin(half))
        #expect(abs(whole - cut - missing) < 0.01 * missing + 0.2, "\(whole - cut), not \(missing)")
    }

    @Test func fillRulesUseTheWindingNumber() throws {
        // A pentagram, whose middle has the winding number 2.
        let corners = (0..<5).map { Point(50, 50).moved(by: 40, towards: Double($0) * 0.8 * .pi - .pi / 2) }
        let full = try rendered(Shape(.polygon(corners), fill: .black))
        let hollow = try rendered(Shape(.polygon(corners), fill: .black, fillRule: .evenOdd))
        #expect(full.coverage(50, 50) == 1 && hollow.coverage(50, 50) == 0)
        #expect(full.coverage(50, 20) == 1 && hollow.coverage(50, 20) == 1)
        // The corners of the central pentagon are the star's inner ones.
        let inner = 40 * cos(2 * Double.pi / 5) / cos(Double.pi / 5)
        #expect(abs(full.area - hollow.area - 2.5 * inner * inner * sin(2 * Double.pi / 5)) < 2)
    }
}
