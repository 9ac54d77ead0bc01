import Core

/// Small dense least-squares problems.
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
                if isDone { return (parameters, rms(error, current.count)) }
            }
            if !isBetter { break }
        }
        return (parameters, rms(error, current.count))
    }

    private static func sum(_ residuals: [Double]) -> Double { residuals.reduce(0) { $0 + $1 * $1 } }

    private static func rms(_ sum: Double, _ count: Int) -> Double { (sum / Double(max(1, count))).squareRoot() }

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
        var rows = zip(matrix, right).map { $0 + [$1] }
        let count = rows.count
        for column in 0..<count {
            guard let pivot = (column..<count).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
                abs(rows[pivot][column]) > 1e-12
            else { return nil }
            rows.swapAt(column, pivot)
            for row in 0..<count where row != column {
                let factor = rows[row][column] / rows[column][column]
                guard factor != 0 else { continue }
                for index in column...count { rows[row][index] -= factor * rows[column][index] }
            }
        }
        return (0..<count).map { rows[$0][count] / rows[$0][$0] }
    }
}
