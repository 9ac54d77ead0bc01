import Core
import Raster
import TestSupport
import Testing

@Suite struct OffsetTests {
    private let square = Path.rectangle(Rect(x: 10, y: 20, width: 100, height: 100))

    private func grown(_ path: Path, _ amount: Double, _ join: Stroke.Join = .round, limit: Double = 4) -> Double {
        area(of: path.offset(by: amount, join: join, miterLimit: limit, flatness: 0.01))
    }

    @Test(arguments: [0.5, 10, 200]) func squaresGrowByTheirJoins(amount: Double) {
        let sides = 10_000 + 400 * amount
        #expect(abs(grown(square, amount, .round) - (sides + .pi * amount * amount)) < 0.01 * 2 * .pi * amount + 0.1)
        #expect(abs(grown(square, amount, .miter) - (sides + 4 * amount * amount)) < 0.1)
        #expect(abs(grown(square, amount, .bevel) - (sides + 2 * amount * amount)) < 0.1)
        // Beyond the limit miters become bevels. At a right angle a miter's length is 1.414 times
        // the amount.
        #expect(abs(grown(square, amount, .miter, limit: 1.41) - (sides + 2 * amount * amount)) < 0.1)
        #expect(abs(grown(square, amount, .miter, limit: 1.42) - (sides + 4 * amount * amount)) < 0.1)
        #expect(abs(grown(reversed(square), amount, .miter) - (sides + 4 * amount * amount)) < 0.1)
    }

    @Test(arguments: [Stroke.Join.miter, .round, .bevel]) func squaresShrinkUntilTheyVanish(join: Stroke.Join) {
        for amount in [1.0, 25, 49] {
            let side = 100 - 2 * amount
            #expect(abs(grown(square, -amount, join) - side * side) < 0.01)
        }
        for amount in [50.5, 60, 1000, 1e8] {
            #expect(square.offset(by: -amount, join: join, miterLimit: 4, flatness: 0.01).elements.isEmpty)
        }
    }

    /// The join has no effect on curves, which have no corners.
    @Test(arguments: [Stroke.Join.miter, .round, .bevel]) func discsStayDiscs(join: Stroke.Join) {
        for (radius, amount) in [(30.0, 10.0), (30, -10), (30, -29), (1, 100), (0.05, 20), (300, 1)] {
            let result = Path.circle(center: Point(5, 5), radius: radius).offset(
                by: amount, join: join, miterLimit: 4, flatness: 0.01)
            let expected = .pi * (radius + amount) * (radius + amount)
            #expect(abs(area(of: result) - expected) < 0.03 * 2 * .pi * (radius + amount), "\(radius) \(amount)")
        }
        let gone = Path.circle(center: .zero, radius: 30).offset(by: -30.1, join: join, miterLimit: 4, flatness: 0.01)
        #expect(gone.elements.isEmpty)
    }

    @Test func holesShrinkWhileTheirRingsGrow() {
        let ring = joined(square, reversed(.rectangle(Rect(x: 40, y: 50, width: 40, height: 40))))
        #expect(abs(grown(ring, 5, .miter) - (110 * 110 - 30 * 30)) < 0.1)
        #expect(abs(grown(ring, -5, .miter) - (90 * 90 - 50 * 50)) < 0.1)
        #expect(abs(grown(ring, 25, .miter) - 150 * 150) < 0.1)
        #expect(grown(ring, -20, .miter) == 0)
    }

    /// Shapes that grow into each other merge, and shapes connected by a narrow bridge split when
    /// they shrink.
    @Test func shapesMergeAndSplit() {
        let two = joined(square, .rectangle(Rect(x: 120, y: 20, width: 100, height: 100)))
        let met = two.offset(by: 6, join: .miter, miterLimit: 4, flatness: 0.01)
        #expect(abs(area(of: met) - 222 * 112) < 0.1 && polygons(of: met).count == 1)
        let bar = Path.rectangle(Rect(x: 100, y: 60, width: 40, height: 8))
        let parted = joined(two, bar).offset(by: -5, join: .miter, miterLimit: 4, flatness: 0.01)
        #expect(abs(area(of: parted) - 2 * 90 * 90) < 0.1 && polygons(of: parted).count == 2)
    }

    @Test func openLinesBecomeOutlines() {
        let line = Path.polyline([Point(0, 0), Point(100, 0), Point(100, 50)])
        #expect(abs(grown(line, 5, .miter) - (105 * 10 + 45 * 10)) < 0.1)
        // One round corner and two round ends.
        #expect(abs(grown(line, 5, .round) - (105 * 10 + 45 * 10 - 25 + .pi / 4 * 25 + .pi * 25)) < 0.3)
        #expect(line.offset(by: -5, join: .round, miterLimit: 4, flatness: 0.01).elements.isEmpty)
    }

    /// With round joins the grown shape contains the points within the amount of it, and the shrunk
    /// shape the inner points farther than the amount from all edges.
    @Test func roundOffsetsMatchDistances() {
        var generator = SeededGenerator(seed: 5)
        var inside = 0
        var outside = 0
        for round in 0..<60 {
            let shape = Path.combining([randomShape(&generator)], by: .union, flatness: 0.005)
            let amount = generator.double(-8...15)
            let outline = polygons(of: shape)
            let moved = polygons(of: shape.offset(by: amount, join: .round, miterLimit: 4, flatness: 0.01))
            for _ in 0..<60 {
                let point = Point(generator.double(-80...80), generator.double(-80...80))
                let depth = distance(from: point, to: outline) * (winding(of: outline, at: point) != 0 ? 1 : -1)
                guard abs(depth + amount) > 0.03 else { continue }
                let wanted = depth > -amount
                #expect(abs(winding(of: moved, at: point)) == (wanted ? 1 : 0), "round \(round), \(amount), \(point)")
                if wanted { inside += 1 } else { outside += 1 }
            }
        }
        #expect(inside > 300 && outside > 300, "\(inside) \(outside)")
    }

    /// Round and miter joins cover at least the area of bevels.
    @Test(.slow) func bevelsHaveTheSmallestArea() {
        var generator = SeededGenerator(seed: 9)
        for round in 0..<25 {
            let shape = randomShape(&generator)
            let amount = generator.double(-8...15)
            let sign = amount > 0 ? 1.0 : -1
            let areas = [Stroke.Join.bevel, .round, .miter].map { sign * grown(shape, amount, $0, limit: 3) }
            #expect(areas[0] <= min(areas[1], areas[2]) + 2, "round \(round), \(amount): \(areas)")
        }
    }

    @Test func resultsAreDeterministic() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<20 {
            let shape = randomShape(&generator)
            let amount = generator.double(-8...15)
            let first = shape.offset(by: amount, join: .miter, miterLimit: 4, flatness: 0.02)
            #expect(first == shape.offset(by: amount, join: .miter, miterLimit: 4, flatness: 0.02))
            #expect(first.isFinite)
        }
    }

    @Test func degenerateInputNeitherCrashesNorHangs() {
        var dot = Path()
        dot.move(to: Point(3, 4))
        let spike = Path.polygon([.zero, Point(100, 0), Point(50, 1e-9)])
        for join in [Stroke.Join.miter, .round, .bevel] {
            for amount in [3, -3, 1e-12, 1e8] as [Double] {
                for limit in [4, 0, -1, .infinity, .nan] {
                    for path in [
                        Path(), dot, spike, .polygon([.zero, Point(1, 1)]), .circle(center: .zero, radius: 0),
                    ] {
                        #expect(path.offset(by: amount, join: join, miterLimit: limit, flatness: 0.01).isFinite)
                    }
                }
            }
            for amount in [Double.nan, .infinity, 1e300, 0] {
                #expect(square.offset(by: amount, join: join, miterLimit: 4, flatness: 0.01) == square)
            }
        }
        let broken = Path.polygon([.zero, Point(.nan, 3), Point(4, 4)])
        let same = broken.offset(by: 3, join: .round, miterLimit: 4, flatness: 0.01)
        #expect("\(same)" == "\(broken)")
    }

    @Test(.slow) func twoThousandEdgesAreFast() {
        let gear = Path.polygon(
            (0..<2000).map { Point.zero.moved(by: $0 % 2 == 0 ? 100 : 90, towards: Double($0) * .pi / 1000) })
        for amount in [2.0, -2] {
            let started = ContinuousClock.now
            let result = gear.offset(by: amount, join: .round, miterLimit: 4, flatness: 0.02)
            let elapsed = started.duration(to: .now)
            #expect(elapsed < .seconds(10), "\(elapsed)")
            #expect(result != gear && !result.elements.isEmpty)
        }
    }
}
