import Core
import TestSupport
import Testing

@testable import Raster

@Suite struct ArcTests {
    /// Corners lie on or just outside the arc and edges just inside, so that the polygon keeps the
    /// arc's area.
    @Test func cornersStayWithinTheTolerance() {
        var generator = SeededGenerator(seed: 205)
        for _ in 0..<300 {
            let radius = generator.double(0.05...900)
            let tolerance = generator.double(0.005...0.2)
            let start = generator.double(-9...9)
            let sweep = generator.double(-6.2...6.2)
            let center = Point(generator.double(-50...50), generator.double(-50...50))
            let corners = ArcPolygon.corners(
                center: center, radius: radius, from: start, to: start + sweep, tolerance: tolerance)
            #expect(corners.first?.distance(to: center.moved(by: radius, towards: start)) == 0)
            #expect(corners.last?.distance(to: center.moved(by: radius, towards: start + sweep)) == 0)
            for (corner, next) in zip(corners, corners.dropFirst()) {
                let middle = (corner + next) * 0.5
                #expect(abs(corner.distance(to: center) - radius) < 1.2 * tolerance)
                #expect(abs(middle.distance(to: center) - radius) < 1.2 * tolerance)
            }
        }
    }

    @Test func circlesKeepTheirArea() {
        for (radius, start) in [(0.5, 0.0), (3, -Double.pi / 2), (40, 1), (500, -7)] {
            for end in [start + 2 * .pi, start - 2 * .pi] {
                let corners = ArcPolygon.corners(center: .zero, radius: radius, from: start, to: end, tolerance: 0.02)
                let doubled = zip(corners, corners.dropFirst())
                    .reduce(0) { $0 + ($1.0.x * $1.1.y - $1.1.x * $1.0.y) }
                let area = (end > start ? 1 : -1) * Double.pi * radius * radius
                #expect(abs(doubled / 2 / area - 1) < 0.003 / radius, "radius \(radius) from \(start)")
            }
        }
    }

    @Test func degenerateArcsHaveFewCorners() throws {
        func corners(_ radius: Double, _ start: Double, _ end: Double) -> [Point] {
            ArcPolygon.corners(center: .zero, radius: radius, from: start, to: end, tolerance: 0.02)
        }
        #expect(corners(9, 1, 1).allSatisfy { $0.distance(to: Point.zero.moved(by: 9, towards: 1)) < 1e-9 })
        #expect(corners(0, 0, 3).allSatisfy { $0 == .zero } && corners(-5, 0, 3).allSatisfy { $0 == .zero })
        #expect(corners(1e300, 0, 2 * .pi).count < 100_000)
        // Full turns beyond the first cover nothing new.
        #expect(corners(9, 0, 1e9).count < 200)
        #expect(corners(9, 0, 6 * .pi).count == corners(9, 0, 2 * .pi).count)
        #expect(corners(9, 1, 4 * .pi + 2).count < corners(9, 1, 2 * .pi + 0.9).count + 30)
    }

    /// The circle is connected to lines at both ends.
    @Test func circlesInLongerSubpathsAreComplete() throws {
        var path = Path()
        path.move(to: Point(10, 50))
        path.addLine(to: Point(30, 50))
        path.addArc(center: Point(50, 50), radius: 20, startAngle: -.pi, endAngle: .pi)
        path.addLine(to: Point(10, 50))
        let area = 400 * Double.pi
        #expect(abs(try rendered(Shape(path, fill: .black)).area - area) < 0.003 * area)
    }

    @Test(arguments: [(6.0, Stroke.Cap.round), (6, .butt), (6, .square), (44, .round), (30, .butt)])
    func strokesOfCirclesAreRings(width: Double, cap: Stroke.Cap) throws {
        let radius = 20.0
        for isOpen in [false, true] {
            var path = Path.circle(center: Point(50, 50), radius: radius)
            if isOpen {
                path = Path()
                path.addArc(center: Point(50, 50), radius: radius, startAngle: 1, endAngle: 1 + 2 * .pi)
            }
            let outer = Double.pi * (radius + width / 2) * (radius + width / 2)
            let hole = max(0, radius - width / 2)
            let area = outer - .pi * hole * hole
            let pixels = try rendered(Shape(path, stroke: Stroke(.black, width: width, cap: cap)))
            #expect(abs(pixels.area - area) < 0.006 * area, "open: \(isOpen)")
        }
    }

    /// The coverage of every pixel agrees with samples of the stroke's definition.
    @Test(arguments: [Stroke.Cap.butt, .round])
    func arcStrokesCoverTheirExactArea(cap: Stroke.Cap) throws {
        var generator = SeededGenerator(seed: 206)
        let center = Point(24, 24)
        let samples = 8
        for _ in 0..<20 {
            let radius = generator.double(7...16)
            let width = generator.double(1...12)
            let start = generator.double(-7...7)
            let sweep = generator.double(0.5...4.5)
            let end = generator.double(0...1) < 0.5 ? start + sweep : start - sweep
            var arc = Path()
            arc.addArc(center: center, radius: radius, startAngle: start, endAngle: end)
            let shape = Shape(arc, stroke: Stroke(.black, width: width, cap: cap))
            let pixels = try rendered([.shape(shape)], width: 48, height: 48)
            let ends = [start, end].map { center.moved(by: radius, towards: $0) }
            func isInside(_ point: Point) -> Bool {
                let angle = atan2(point.y - center.y, point.x - center.x)
                let turned = (angle - min(start, end)).truncatingRemainder(dividingBy: 2 * .pi)
                let isBeside = (turned < 0 ? turned + 2 * .pi : turned) <= sweep
                return (isBeside && abs(point.distance(to: center) - radius) <= width / 2)
                    || (cap == .round && ends.contains { $0.distance(to: point) <= width / 2 })
            }
            var worst = 0.0
            var area = 0.0
            for pixel in 0..<48 * 48 {
                let (x, y) = (pixel % 48, pixel / 48)
                let inside = (0..<samples * samples).filter { sample in
                    let (column, row) = (Double(sample % samples) + 0.5, Double(sample / samples) + 0.5)
                    return isInside(Point(Double(x) + column / Double(samples), Double(y) + row / Double(samples)))
                }
                let expected = Double(inside.count) / Double(samples * samples)
                worst = max(worst, abs(pixels.coverage(x, y) - expected))
                area += expected
            }
            #expect(worst < 0.12, "radius \(radius), width \(width), \(start)...\(end)")
            #expect(
                abs(pixels.area - area) < 0.003 * area + 0.2, "radius \(radius), width \(width), \(start)...\(end)")
        }
    }

    /// Only pixels near the moving end change, so that the rest of the arc does not flicker.
    @Test func growingArcsChangeOnlyAtTheirEnd() throws {
        func pixels(_ end: Double) throws -> PixelGrid {
            var arc = Path()
            arc.addArc(center: Point(50, 50), radius: 35, startAngle: -1, endAngle: end)
            return try rendered(Shape(arc, stroke: Stroke(.black, width: 7, cap: .round)))
        }
        let (before, after) = (try pixels(2.1), try pixels(2.17))
        let end = Point(50, 50).moved(by: 35, towards: 2.13)
        let changed = (0..<10_000).filter { before[$0 % 100, $0 / 100] != after[$0 % 100, $0 / 100] }
        #expect(!changed.isEmpty)
        for pixel in changed {
            let (x, y) = (pixel % 100, pixel / 100)
            let isNear = Point(Double(x), Double(y)).distance(to: end) < 9
            // Cairo samples the coverage of rows in which an edge ends, and computes that of
            // others.
            #expect(isNear || (abs(Double(y) - end.y) < 9 && before[x, y].distance(to: after[x, y]) < 20), "\(x), \(y)")
        }
    }
}
