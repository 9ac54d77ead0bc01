import Core

/// Small least-squares problems, and the systems of linear equations to which they lead.
enum LeastSquares {
    /// Returns parameters that minimize the sum of squared residuals, with the residuals' rms
    /// (Levenberg–Marquardt with numerical derivatives). `steps` are the increments of the
    /// derivatives, one per parameter.
    static func fit(
        _ start: [Double], steps: [Double], iterations: Int = 12, _ residuals: ([Double]) -> [Double]
    ) -> (parameters: [Double], rms: Double) {
        var parameters = start
        var current = residuals(parameters)
        var error = sum(current)
        var damping = 1e-3
        for _ in 0..<iterations {
            let (matrix, gradient) = normalEquations(parameters, steps, current, residuals)
            var isBetter = false
            for _ in 0..<4 where !isBetter {
                guard let change = solve(damped(matrix, damping), gradient) else { break }
                let trial = zip(parameters, change).map { $0 - $1 }
                let next = residuals(trial)
                let nextError = sum(next)
                isBetter = nextError < error
                damping *= isBetter ? 0.3 : 8
                guard isBetter else { continue }
                let isDone = nextError > error * 0.9999
                parameters = trial
                current = next
                error = nextError
                if isDone { return (parameters, current.rootMeanSquare) }
            }
            if !isBetter { break }
        }
        return (parameters, current.rootMeanSquare)
    }

    private static func sum(_ residuals: [Double]) -> Double { residuals.reduce(0) { $0 + $1 * $1 } }

    private static func damped(_ matrix: [[Double]], _ damping: Double) -> [[Double]] {
        var result = matrix
        for index in matrix.indices { result[index][index] *= 1 + damping }
        return result
    }

    private static func normalEquations(
        _ parameters: [Double], _ steps: [Double], _ current: [Double], _ residuals: ([Double]) -> [Double]
    ) -> ([[Double]], [Double]) {
        let columns = parameters.indices.map { index -> [Double] in
            var moved = parameters
            moved[index] += steps[index]
            return zip(residuals(moved), current).map { ($0 - $1) / steps[index] }
        }
        func product(_ a: [Double], _ b: [Double]) -> Double {
            var sum = 0.0
            for index in a.indices { sum += a[index] * b[index] }
            return sum
        }
        let matrix = columns.map { row in columns.map { product(row, $0) } }
        return (matrix, columns.map { product($0, current) })
    }

    /// Returns the solution of a system of linear equations by Gaussian elimination with pivoting;
    /// nil if it is singular.
    static func solve(_ matrix: [[Double]], _ right: [Double]) -> [Double]? {
        let values = partialSolution(matrix, right)
        return values.contains { $0 == nil } ? nil : values.compactMap(\.self)
    }

    /// Returns a solution of a system of linear equations. If the system is singular, it is that
    /// with unknowns of 0, which are nil in the result.
    static func partialSolution(_ matrix: [[Double]], _ right: [Double]) -> [Double?] {
        var rows = zip(matrix, right).map { $0 + [$1] }
        let count = rows.count
        var pivots = [Int?](repeating: nil, count: count)
        var row = 0
        for column in 0..<count {
            guard let pivot = (row..<count).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
                abs(rows[pivot][column]) > 1e-12
            else { continue }
            rows.swapAt(row, pivot)
            for other in 0..<count where other != row {
                let factor = rows[other][column] / rows[row][column]
                guard factor != 0 else { continue }
                for index in column...count { rows[other][index] -= factor * rows[row][index] }
            }
            pivots[column] = row
            row += 1
        }
        return pivots.enumerated().map { column, row in row.map { rows[$0][count] / rows[$0][column] } }
    }

    /// Returns the solution of a system of linear equations with a symmetric, tridiagonal matrix by
    /// Gaussian elimination (Thomas).
    static func solve(diagonal: [Double], offDiagonal: [Double], _ right: [Double]) -> [Double] {
        var diagonal = diagonal
        var solution = right
        let last = diagonal.count - 1
        for index in 0..<last {
            let factor = offDiagonal[index] / diagonal[index]
            diagonal[index + 1] -= factor * offDiagonal[index]
            solution[index + 1] -= factor * solution[index]
        }
        solution[last] /= diagonal[last]
        for index in (0..<last).reversed() {
            solution[index] = (solution[index] - offDiagonal[index] * solution[index + 1]) / diagonal[index]
        }
        return solution
    }

    /// Returns the centre and the squared radius of the circle through points near the origin, by
    /// Kåsa's algebraic fit; nil for points on a line.
    static func circle(_ points: [Point]) -> (center: Point, squaredRadius: Double)? {
        var matrix = [[Double]](repeating: [0, 0, 0], count: 3)
        var right = [0.0, 0.0, 0.0]
        for point in points {
            let row = [point.x, point.y, 1]
            let square = point.x * point.x + point.y * point.y
            for i in 0..<3 {
                for j in 0..<3 { matrix[i][j] += row[i] * row[j] }
                right[i] += row[i] * square
            }
        }
        guard let solution = solve(matrix, right) else { return nil }
        let center = Point(solution[0] / 2, solution[1] / 2)
        return (center, solution[2] + center.x * center.x + center.y * center.y)
    }
}
