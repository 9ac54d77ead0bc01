import Core
import TestSupport
import Testing

@Suite struct TrimTests {
    @Test(arguments: 0..<60) func trimmedLengthIsTheFractionOfTheWhole(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(1000 + seed))
        let measure = PathMeasure(randomPath(&generator))
        for _ in 0..<4 {
            let (a, b) = (generator.double(0...1), generator.double(0...1))
            let part = measure.trimmed(from: min(a, b), to: max(a, b))
            let expected = abs(b - a) * measure.length
            #expect(abs(PathMeasure(part).length - expected) < 1e-7 * measure.length)
            let sampled = length(of: polylines(of: part, stepsPerElement: 2000))
            #expect(abs(sampled - expected) < 1e-5 * measure.length)
        }
    }

    @Test(arguments: 0..<30) func trimmedPointsLieOnThePathAtTheirLength(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(2000 + seed))
        let path = randomPath(&generator)
        let lines = polylines(of: path, stepsPerElement: 3000)
        let whole = length(of: lines)
        for _ in 0..<3 {
            let fraction = generator.double(0.01...0.98)
            let part = PathMeasure(path).trimmed(from: fraction, to: fraction + 0.01)
            guard case .move(let start)? = part.elements.first else {
                Issue.record("a trimmed path begins with a move")
                continue
            }
            // The distance on a chord of the polyline is within its own length of the true one.
            #expect(start.distance(to: point(atLength: fraction * whole, of: lines)) < 1e-3 * whole / 100)
        }
    }

    private func point(atLength length: Double, of lines: [[Point]]) -> Point {
        var rest = length
        for line in lines {
            for (a, b) in zip(line, line.dropFirst()) {
                let piece = a.distance(to: b)
                if piece > rest { return a + (b - a) * (rest / piece) }
                rest -= piece
            }
        }
        return lines.last?.last ?? .zero
    }

    @Test func fullRangeKeepsThePath() {
        var path = Path()
        path.move(to: Point(1, 2))
        path.addLine(to: Point(3, 4))
        path.addLine(to: Point(9, 4))
        #expect(PathMeasure(path).trimmed(from: 0, to: 1) == path)
        #expect(PathMeasure(path).trimmed(from: -3, to: 7) == path, "fractions are limited to 0...1")
    }

    @Test(arguments: [(0.5, 0.5), (0.7, 0.3), (1, 1), (0, 0), (1.5, 2), (-1, 0)])
    func trimmingIsEmptyUnlessTheEndIsAfterTheStart(start: Double, end: Double) {
        let measure = PathMeasure(.circle(center: .zero, radius: 10))
        #expect(measure.trimmed(from: start, to: end).elements.isEmpty)
    }

    @Test func quarterOfACircleIsAnArc() throws {
        let quarter = PathMeasure(.circle(center: Point(60, 60), radius: 35)).trimmed(from: 0.25, to: 0.5)
        #expect(quarter.elements.count == 2)
        guard case .move(let start)? = quarter.elements.first,
            case .arc(let center, let radius, let from, let to)? =
                quarter.elements.last
        else {
            Issue.record("expected a move and an arc, not \(quarter)")
            return
        }
        #expect(start.distance(to: Point(95, 60)) < 1e-12)
        #expect(center == Point(60, 60) && radius == 35)
        #expect(abs(from) < 1e-12 && abs(to - .pi / 2) < 1e-12)
    }

    @Test func fractionsRunOverAllSubpaths() {
        var path = Path()
        path.move(to: .zero)
        path.addLine(to: Point(10, 0))
        path.move(to: Point(0, 5))
        path.addLine(to: Point(30, 5))
        let measure = PathMeasure(path)
        #expect(measure.length == 40)
        #expect(measure.trimmed(from: 0.5, to: 0.75).elements == [.move(Point(10, 5)), .line(Point(20, 5))])
        #expect(
            measure.trimmed(from: 0.125, to: 0.5).elements == [
                .move(Point(5, 0)), .line(Point(10, 0)), .move(Point(0, 5)), .line(Point(10, 5)),
            ])
    }

    /// A join at the common point would turn the ends of both lines into a corner.
    @Test func touchingSubpathsStaySeparate() {
        var path = Path.polyline([Point(0, 0), Point(10, 0)])
        path.move(to: Point(10, 0))
        path.addLine(to: Point(10, 10))
        #expect(
            PathMeasure(path).trimmed(from: 0.25, to: 0.75).elements == [
                .move(Point(5, 0)), .line(Point(10, 0)), .move(Point(10, 0)), .line(Point(10, 5)),
            ])
    }

    @Test func closedSubpathsWithinThePartStayClosed() {
        func square(_ x: Double) -> [Path.Element] {
            let corners = [Point(x, 0), Point(x + 10, 0), Point(x + 10, 10), Point(x, 10)]
            return [.move(corners[0])] + (corners.dropFirst() + corners.prefix(1)).map { .line($0) } + [.close]
        }
        var path = Path()
        for element in square(0) + square(20) { path.append(element) }
        let measure = PathMeasure(path)
        #expect(
            measure.trimmed(from: 0, to: 0.75).elements
                == square(0) + [.move(Point(20, 0)), .line(Point(30, 0)), .line(Point(30, 10))])
        #expect(
            measure.trimmed(from: 0.375, to: 1).elements
                == [.move(Point(0, 10)), .line(Point(0, 0))] + square(20))
        #expect(!measure.trimmed(from: 0.01, to: 0.49).elements.contains(.close))
        let circles = PathMeasure(twoCircles).trimmed(from: 0, to: 0.75)
        #expect(circles.elements.filter { $0 == .close }.count == 1)
    }

    private var twoCircles: Path {
        var path = Path.circle(center: .zero, radius: 5)
        path.move(to: Point(20, -5))
        for element in Path.circle(center: Point(20, 0), radius: 5).elements { path.append(element) }
        return path
    }

    @Test func closingLineIsPartOfThePath() {
        let triangle = Path.polygon([Point(0, 0), Point(4, 0), Point(4, 3)])
        let last = PathMeasure(triangle).trimmed(from: 7.0 / 12, to: 1)
        #expect(polylines(of: last).flatMap { $0 }.allSatisfy { abs($0.y - $0.x * 0.75) < 1e-12 })
        #expect(abs(PathMeasure(last).length - 5) < 1e-12)
    }

    @Test func partsOfACurveAreContiguous() {
        var path = Path()
        path.move(to: Point(0, 0))
        path.addCurve(to: Point(90, 10), control1: Point(10, 80), control2: Point(70, -60))
        let measure = PathMeasure(path)
        var end = Point(0, 0)
        for piece in 0..<10 {
            let part = measure.trimmed(from: Double(piece) / 10, to: Double(piece + 1) / 10)
            let points = polylines(of: part).flatMap { $0 }
            #expect((points.first ?? .zero).distance(to: end) < 1e-6)
            end = points.last ?? .zero
        }
        #expect(end.distance(to: Point(90, 10)) < 1e-6)
    }
}
