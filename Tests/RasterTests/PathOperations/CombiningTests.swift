import Core
import Raster
import TestSupport
import Testing

@Suite struct CombiningTests {
    private static let flatness = 0.02

    /// The expected result of an operation for a point covered by some operands.
    private func isWanted(_ operation: PathBoolean, _ covered: [Bool]) -> Bool {
        switch operation {
        case .union: covered.contains(true)
        case .subtract: covered[0] && !covered.dropFirst().contains(true)
        case .intersect: !covered.contains(false)
        case .exclude: covered.filter { $0 }.count % 2 == 1
        }
    }

    /// Away from edges the result covers exactly the expected points, with a winding number of 1 or
    /// -1.
    @Test(.slow, arguments: PathBoolean.allCases) func resultsMatchWindingNumbers(operation: PathBoolean) {
        var generator = SeededGenerator(seed: 1)
        var inside = 0
        var outside = 0
        for round in 0..<120 {
            let shapes = (0..<generator.int(1...4)).map { _ in randomShape(&generator) }
            let result = polygons(of: .combining(shapes, by: operation, flatness: Self.flatness))
            let operands = shapes.map { polygons(of: $0) }
            for _ in 0..<60 {
                let point = Point(generator.double(-60...60), generator.double(-60...60))
                guard operands.allSatisfy({ distance(from: point, to: $0) > 2 * Self.flatness }) else { continue }
                let wanted = isWanted(operation, operands.map { winding(of: $0, at: point) != 0 })
                let found = winding(of: result, at: point)
                #expect(abs(found) == (wanted ? 1 : 0), "round \(round), \(point)")
                if wanted { inside += 1 } else { outside += 1 }
            }
        }
        // The random shapes must make both outcomes frequent.
        #expect(inside > 300 && outside > 300, "\(inside) \(outside)")
    }

    /// The area of the intersection of two circles of radius `r` at distance `d`.
    private func lens(_ r: Double, _ d: Double) -> Double {
        2 * r * r * acos(d / (2 * r)) - d / 2 * (4 * r * r - d * d).squareRoot()
    }

    @Test(arguments: [10.0, 30, 59.9]) func overlappingDiscsHaveTheirExactAreas(distance: Double) {
        let discs = [
            Path.circle(center: Point(-7, 3), radius: 30), .circle(center: Point(distance - 7, 3), radius: 30),
        ]
        let disc = Double.pi * 900
        let lens = lens(30, distance)
        let areas: [PathBoolean: Double] = [
            .union: 2 * disc - lens, .subtract: disc - lens, .intersect: lens, .exclude: 2 * (disc - lens),
        ]
        for (operation, expected) in areas {
            let found = area(of: .combining(discs, by: operation, flatness: Self.flatness))
            #expect(abs(found - expected) < 2 * Self.flatness * 2 * 2 * .pi * 30, "\(operation): \(found) \(expected)")
        }
    }

    @Test func separateDiscsKeepTheirCurves() {
        let discs = [Path.circle(center: .zero, radius: 10), .circle(center: Point(50, 0), radius: 10)]
        for operation in [PathBoolean.union, .exclude] {
            let result = Path.combining(discs, by: operation, flatness: Self.flatness)
            #expect(abs(area(of: result) - 200 * .pi) < 0.2)
            let arcs = result.elements.filter { if case .arc = $0 { true } else { false } }
            #expect(arcs.count == 2)
        }
        #expect(Path.combining(discs, by: .intersect, flatness: Self.flatness).elements.isEmpty)
        #expect(abs(area(of: .combining(discs, by: .subtract, flatness: Self.flatness)) - 100 * .pi) < 0.1)
    }

    /// A ring has a hole if its inner contour runs in the opposite direction, and none otherwise.
    @Test func ringsHaveHolesByTheNonzeroRule() {
        let outer = Path.rectangle(Rect(x: 0, y: 0, width: 10, height: 10))
        let inner = Rect(x: 2, y: 2, width: 5, height: 5)
        let ring = joined(outer, reversed(.rectangle(inner)))
        #expect(area(of: .combining([ring], by: .union, flatness: 0.1)) == 75)
        #expect(area(of: .combining([joined(outer, .rectangle(inner))], by: .union, flatness: 0.1)) == 100)
        // A shape that overlaps the hole and more.
        let plug = Path.rectangle(Rect(x: 4, y: 4, width: 8, height: 2))
        #expect(area(of: .combining([ring, plug], by: .union, flatness: 0.1)) == 75 + 6 + 4)
        #expect(area(of: .combining([ring, plug], by: .intersect, flatness: 0.1)) == 6)
        #expect(area(of: .combining([ring, plug], by: .subtract, flatness: 0.1)) == 69)
        #expect(area(of: .combining([ring, plug], by: .exclude, flatness: 0.1)) == 79)
    }

    /// A five-pointed star consists of ten triangles and a pentagon with the winding number 2.
    @Test(arguments: [false, true]) func starsAreFilledByTheNonzeroRule(isReversed: Bool) {
        let line = isReversed ? reversed(star(points: 5, radius: 40)) : star(points: 5, radius: 40)
        let result = Path.combining([line], by: .union, flatness: 0.001)
        let inner = 40 * cos(2 * Double.pi / 5) / cos(Double.pi / 5)
        #expect(abs(area(of: result) - 5 * 40 * inner * sin(.pi / 5)) < 0.05)
        #expect(polygons(of: result).filter { $0.count > 2 }.map(\.count) == [10], "only the outline is left")
    }

    @Test func sharedEdgesAndCornersDisappear() {
        func square(_ x: Double, _ y: Double) -> Path { .rectangle(Rect(x: x, y: y, width: 10, height: 10)) }
        let row = Path.combining([square(0, 0), square(10, 0), square(20, 0)], by: .union, flatness: 0.1)
        #expect(area(of: row) == 300 && row.elements.count == 5, "\(row.elements)")
        #expect(Path.combining([square(0, 0), square(10, 0)], by: .intersect, flatness: 0.1).elements.isEmpty)
        #expect(Path.combining([square(0, 0), square(0, 0)], by: .exclude, flatness: 0.1).elements.isEmpty)
        #expect(Path.combining([square(0, 0), square(0, 0)], by: .subtract, flatness: 0.1).elements.isEmpty)
        #expect(area(of: .combining([square(0, 0), square(10, 10)], by: .union, flatness: 0.1)) == 200)
    }

    @Test func resultsAreDeterministic() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<20 {
            let shapes = (0..<3).map { _ in randomShape(&generator) }
            for operation in PathBoolean.allCases {
                let first = Path.combining(shapes, by: operation, flatness: Self.flatness)
                #expect(first == Path.combining(shapes, by: operation, flatness: Self.flatness))
                #expect(first.isFinite)
            }
        }
    }

    @Test func emptyPathsGiveEmptyResults() {
        var dot = Path()
        dot.move(to: Point(3, 4))
        dot.close()
        let line = Path.polygon([Point(0, 0), Point(5, 5), Point(10, 10), Point(2, 2)])
        let pointArc = Path.circle(center: Point(1, 1), radius: 0)
        for operation in PathBoolean.allCases {
            #expect(Path.combining([], by: operation, flatness: 0.1).elements.isEmpty)
            for empty in [Path(), dot, line, pointArc] {
                #expect(Path.combining([empty], by: operation, flatness: 0.1).elements.isEmpty)
                #expect(Path.combining([empty, empty], by: operation, flatness: 0.1).elements.isEmpty)
            }
        }
        let square = Path.rectangle(Rect(x: 0, y: 0, width: 9, height: 9))
        #expect(area(of: .combining([square, line, Path(), dot], by: .subtract, flatness: 0.1)) == 81)
    }

    @Test(arguments: [Double.nan, .infinity, 1e300, 1e10, -1e18])
    func extremeNumbersReturnTheOperandsUnchanged(number: Double) {
        let odd = [
            Path.polygon([.zero, Point(number, 3), Point(4, 4)]), .circle(center: .zero, radius: number),
            .circle(center: Point(0, number), radius: 1),
        ]
        let square = Path.rectangle(Rect(x: 0, y: 0, width: 9, height: 9))
        for path in odd {
            for operation in PathBoolean.allCases {
                let result = Path.combining([square, path], by: operation, flatness: 0.1)
                #expect("\(result)" == "\(joined(square, path))")
            }
        }
        var turning = Path()
        turning.addArc(center: .zero, radius: 3, startAngle: 0, endAngle: number)
        #expect("\(Path.combining([turning], by: .union, flatness: 0.1))" == "\(joined(turning))")
        // An invalid flatness is replaced by the minimum.
        let discs = [Path.circle(center: .zero, radius: 10), .circle(center: Point(5, 0), radius: 10)]
        if number.isNaN || number < 0 {
            #expect(abs(area(of: .combining(discs, by: .intersect, flatness: number)) - lens(10, 5)) < 0.05)
        }
    }

    /// Large numbers, cusps and tiny shapes only cost time and accuracy.
    @Test func extremeInputTerminates() {
        var cusp = Path()
        cusp.move(to: .zero)
        cusp.addCurve(to: Point(10, 0), control1: Point(10, 10), control2: Point(0, 10))
        cusp.addCurve(to: .zero, control1: .zero, control2: Point(10, 0))
        for scale in [1e-12, 1e-3, 1e3, 9e7] {
            let far = polygons(of: cusp).map { Path.polygon($0.map { $0 * scale }) }
            for flatness in [0, 1e-9, 1, 1e30] {
                _ = Path.combining(far + [.circle(center: .zero, radius: scale)], by: .exclude, flatness: flatness)
            }
        }
    }

    /// Two jagged outlines of 2000 edges each intersect in thousands of points.
    @Test func twoThousandEdgesAreFast() {
        func gear(_ center: Point, _ phase: Double) -> Path {
            .polygon(
                (0..<2000).map { index in
                    center.moved(by: index % 2 == 0 ? 100 : 90, towards: Double(index) * .pi / 1000 + phase)
                })
        }
        let gears = [gear(.zero, 0), gear(Point(3, 1), 0.0005)]
        let started = ContinuousClock.now
        let result = Path.combining(gears, by: .exclude, flatness: 0.02)
        let elapsed = started.duration(to: .now)
        #expect(elapsed < .seconds(10), "\(elapsed)")
        #expect(result.elements.count > 2000 && result != joined(gears[0], gears[1]))
    }

    /// A line with too many self-intersections and one with too many edges are rejected quickly.
    @Test func workIsBounded() {
        var generator = SeededGenerator(seed: 3)
        for count in [3000, 20_000, 200_000] {
            let scribble = Path.polygon(
                (0..<count).map { _ in Point(generator.double(0...500), generator.double(0...500)) })
            let started = ContinuousClock.now
            let result = Path.combining([scribble, .circle(center: .zero, radius: 3)], by: .union, flatness: 0.02)
            let elapsed = started.duration(to: .now)
            #expect(result == joined(scribble, .circle(center: .zero, radius: 3)))
            #expect(elapsed < .seconds(10), "\(count): \(elapsed)")
        }
    }

    /// Shapes that do not touch cost little.
    @Test func manySeparateDiscsAreFast() {
        let discs = (0..<10_000).map { index in
            let center = Point(Double(index % 100), Double(index / 100)) * 10
            return Path.circle(center: center, radius: 4)
        }
        let started = ContinuousClock.now
        var field = Path()
        for disc in discs { field.append(disc) }
        let result = Path.combining([field, .circle(center: Point(-50, 0), radius: 4)], by: .union, flatness: 0.02)
        let elapsed = started.duration(to: .now)
        #expect(elapsed < .seconds(10), "\(elapsed)")
        #expect(abs(area(of: result) - 10_001 * 16 * .pi) < 200)
    }
}
