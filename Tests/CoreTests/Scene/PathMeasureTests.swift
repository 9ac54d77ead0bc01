import Core
import TestSupport
import Testing

@Suite struct PathMeasureTests {
    @Test func emptyPathsHaveNoLength() {
        #expect(PathMeasure(Path()).length == 0)
        var onlyMoves = Path()
        onlyMoves.move(to: Point(3, 4))
        onlyMoves.move(to: Point(5, 6))
        #expect(PathMeasure(onlyMoves).length == 0)
        #expect(PathMeasure(onlyMoves).trimmed(from: 0, to: 1).elements.isEmpty)
    }

    @Test func linesAreExact() {
        #expect(PathMeasure(.polygon([Point(0, 0), Point(3, 4)])).length == 10)
        #expect(PathMeasure(.rectangle(Rect(x: 1, y: 2, width: 30, height: 40))).length == 140)
    }

    @Test(arguments: [0.1, 1, 35, 1000]) func circlesAreExact(radius: Double) {
        let measured = PathMeasure(.circle(center: Point(7, -3), radius: radius)).length
        #expect(abs(measured - 2 * .pi * radius) <= 1e-12 * radius)
    }

    @Test func arcLengthIsTheSameInBothDirections() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            let radius = generator.double(0...50)
            let from = generator.double(-10...10)
            let to = generator.double(-10...10)
            var path = Path()
            path.addArc(center: Point(5, 5), radius: radius, startAngle: from, endAngle: to)
            #expect(abs(PathMeasure(path).length - radius * abs(to - from)) < 1e-10)
        }
    }

    @Test func arcsIncludeTheirConnectingLine() {
        var pie = Path()
        pie.move(to: .zero)
        pie.addArc(center: .zero, radius: 10, startAngle: 0, endAngle: .pi / 2)
        #expect(abs(PathMeasure(pie).length - (10 + 5 * .pi)) < 1e-12)
        pie.close()
        #expect(abs(PathMeasure(pie).length - (20 + 5 * .pi)) < 1e-12)
        let radius = PathMeasure(pie).trimmed(from: 0, to: 5 / (20 + 5 * .pi))
        #expect(polylines(of: radius).flatMap { $0 }.allSatisfy { $0.y == 0 && (-1e-9...5.000_001).contains($0.x) })
    }

    @Test func parabolaHasItsClosedFormLength() {
        var path = Path()
        path.move(to: .zero)
        path.addQuadCurve(to: Point(1, 1), control: Point(0.5, 0))
        #expect(abs(PathMeasure(path).length - (5.0.squareRoot() / 2 + asinh(2) / 4)) < 1e-9)
    }

    @Test(arguments: [Double.nan, .infinity, 1e200]) func hugeAndNonFiniteNumbersTerminate(x: Double) {
        var path = Path()
        path.move(to: .zero)
        path.addCurve(to: Point(1, x), control1: Point(x, 0), control2: Point(3, 3))
        path.addQuadCurve(to: .zero, control: Point(5, -x))
        #expect(PathMeasure(path).trimmed(from: 0.25, to: 0.75).elements.count <= 4)
    }

    @Test func straightCubicHasTheLengthOfALine() {
        var path = Path()
        path.move(to: Point(1, 1))
        path.addCurve(to: Point(7, 9), control1: Point(1.6, 1.8), control2: Point(5.5, 7))
        #expect(abs(PathMeasure(path).length - 10) < 1e-9)
    }

    @Test(arguments: 0..<60) func lengthAgreesWithDenseSampling(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let path = randomPath(&generator)
        let sampled = length(of: polylines(of: path, stepsPerElement: 3000))
        #expect(abs(PathMeasure(path).length - sampled) < 2e-6 * sampled)
    }
}
