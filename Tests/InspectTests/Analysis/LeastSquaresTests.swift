import Core
import TestSupport
import Testing

@testable import Inspect

/// Systems of linear equations with known solutions.
@Suite struct LeastSquaresTests {
    /// Equations whose solution is known.
    private struct System {
        var matrix: [[Double]]
        let solution: [Double]
        var right: [Double] { matrix.map { row in zip(row, solution).reduce(0) { $0 + $1.0 * $1.1 } } }

        /// A random system. The largest coefficient of each row is beside the diagonal, so that
        /// rows must be exchanged, and the first pivot is zero.
        init(_ generator: inout SeededGenerator, count: Int) {
            solution = (0..<count).map { _ in generator.double(-10...10) }
            matrix = (0..<count).map { row in
                (0..<count).map { column in
                    generator.double(-1...1) + (column == (row + 1) % count ? 2 * Double(count) : 0)
                }
            }
            if count > 1 { matrix[0][0] = 0 }
        }
    }

    private static func distance(_ a: [Double], _ b: [Double]) -> Double {
        a.count == b.count ? zip(a, b).map { abs($0 - $1) }.max() ?? 0 : .infinity
    }

    @Test func systemsHaveTheirSolutions() throws {
        var generator = SeededGenerator(seed: 31)
        for trial in 0..<140 {
            let system = System(&generator, count: 1 + trial % 7)
            let solution = try #require(LeastSquares.solve(system.matrix, system.right))
            #expect(Self.distance(solution, system.solution) < 1e-9)
            let partial = LeastSquares.partialSolution(system.matrix, system.right)
            #expect(partial.map { $0 ?? .infinity } == solution)
        }
    }

    /// The last equation is twice the first one.
    @Test func dependentEquationsHaveNoSolution() {
        var generator = SeededGenerator(seed: 32)
        for count in 2...6 {
            var system = System(&generator, count: count)
            system.matrix[count - 1] = system.matrix[0].map { 2 * $0 }
            #expect(LeastSquares.solve(system.matrix, system.right) == nil)
        }
        #expect(LeastSquares.solve([[0]], [0]) == nil)
    }

    @Test func unknownsWithoutEquationsStayUnknownAndOthersAreSolved() {
        var generator = SeededGenerator(seed: 33)
        for count in 1...7 {
            for missing in 0..<count {
                var system = System(&generator, count: count)
                for index in 0..<count {
                    system.matrix[index][missing] = 0
                    system.matrix[missing][index] = 0
                }
                // The others need equations of their own.
                for index in 0..<count where index != missing { system.matrix[index][index] += 4 * Double(count) }
                let partial = LeastSquares.partialSolution(system.matrix, system.right)
                #expect(partial.indices.filter { partial[$0] == nil } == [missing])
                for index in 0..<count where index != missing {
                    #expect(abs((partial[index] ?? .infinity) - system.solution[index]) < 1e-9)
                }
            }
        }
    }

    @Test func tridiagonalSystemsHaveTheirSolutions() {
        var generator = SeededGenerator(seed: 34)
        for count in 1...30 {
            let diagonal = (0..<count).map { _ in generator.double(2.5...4) }
            let offDiagonal = (0..<count).map { _ in generator.double(-1...1) }
            let expected = (0..<count).map { _ in generator.double(-10...10) }
            let right = expected.indices.map { index -> Double in
                let before = index > 0 ? offDiagonal[index - 1] * expected[index - 1] : 0
                let after = index + 1 < count ? offDiagonal[index] * expected[index + 1] : 0
                return before + diagonal[index] * expected[index] + after
            }
            let solution = LeastSquares.solve(diagonal: diagonal, offDiagonal: offDiagonal, right)
            #expect(Self.distance(solution, expected) < 1e-9)
        }
    }

    @Test func circleGoesThroughPointsOfAnArc() throws {
        var generator = SeededGenerator(seed: 35)
        for count in 3...60 {
            let center = Point(generator.double(-20...20), generator.double(-20...20))
            let radius = generator.double(5...40)
            let start = generator.double(0...6)
            let points = (0..<count).map {
                center.moved(by: radius, towards: start + 2 * Double($0) / Double(count - 1))
            }
            let circle = try #require(LeastSquares.circle(points))
            #expect(circle.center.distance(to: center) < 1e-6)
            #expect(abs(circle.squaredRadius - radius * radius) < 1e-5)
        }
    }

    /// The derivative by the constant of Kåsa's equation is zero there.
    @Test func squaredRadiusIsTheMeanSquaredDistanceFromTheCenter() throws {
        var generator = SeededGenerator(seed: 36)
        for count in 4...40 {
            let points = (0..<count).map { _ in Point(generator.double(-9...9), generator.double(-9...9)) }
            let circle = try #require(LeastSquares.circle(points))
            let squares = points.map { point -> Double in
                let distance = point.distance(to: circle.center)
                return distance * distance
            }
            let mean = squares.reduce(0, +) / Double(count)
            #expect(abs(circle.squaredRadius - mean) < 1e-6 * max(1, mean))
        }
    }

    @Test func pointsOnALineHaveNoCircle() {
        let numbers = (-3...3).map(Double.init)
        #expect(LeastSquares.circle(numbers.map { Point($0, 2 * $0 + 1) }) == nil)
        #expect(LeastSquares.circle(numbers.map { Point(2, $0) }) == nil)
        #expect(LeastSquares.circle([Point(1, 0), Point(0, 1)]) == nil)
        #expect(LeastSquares.circle([]) == nil)
    }
}
