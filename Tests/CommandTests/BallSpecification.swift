/// The positions of QQ Mail's balls, written independently from the specification's table.
enum Ball: Int, CaseIterable, Sendable {
    case red, yellow, green

    /// The displacement at the start and end of each phase, in points.
    private var table: [(Double, Double)] {
        switch self {
        case .red: [(-30, 0), (0, 30), (30, 0), (0, 0), (0, 0), (0, -30)]
        case .yellow: [(0, 0), (0, -30), (-30, 0), (0, 30), (30, 0), (0, 0)]
        case .green: [(30, 0), (0, 0), (0, 0), (0, -30), (-30, 0), (0, 30)]
        }
    }

    /// The parameter for the ball's colour.
    var parameter: String { ["red", "yellow", "green"][rawValue] }

    /// The ball's displacement in frame k of the m frames of a cycle, in points. The phase and tick
    /// are computed with integers: a cycle has 180 ticks in 6 phases.
    func displacement(frame k: Int, of m: Int, ticks: Bool) -> Double {
        let (phase, fraction): (Int, Double)
        if ticks {
            let moves = (180 * k / m + 1) % 180
            (phase, fraction) = (moves / 30, Double(moves % 30) / 30)
        } else {
            (phase, fraction) = (6 * k / m, Double(6 * k % m) / Double(m))
        }
        let (from, to) = table[phase]
        return from + (to - from) * fraction
    }

    /// The balls from front to back for frame k of m.
    static func depthOrder(frame k: Int, of m: Int) -> [Ball] {
        [[.green, .red, .yellow], [.red, .yellow, .green], [.yellow, .green, .red]][6 * k / m / 2]
    }
}

/// The canvas of the balls, and the mapping between its pixels and points.
struct BallCanvas {
    /// The visible radius of a ball in points: 6, plus half of its outline.
    static let radius = 6.5

    var width: Int
    /// The pixel rows with balls. QQ's drop is above.
    var rows: Range<Int>
    var scale: Double
    var center: (x: Double, y: Double)

    init(loader: String, scale: Double) {
        self.scale = scale
        let isMail = loader == "qq-mail"
        let (width, height) = isMail ? (120.0, 60.0) : (240.0, 240.0)
        (self.width, center) = (Int((width * scale).rounded()), isMail ? (60, 30) : (120, 120))
        rows = Int((center.y - 9) * scale)..<Int((center.y + 9) * scale)
        precondition(Int((height * scale).rounded()) >= rows.upperBound)
    }

    /// The coverage of a pixel by a ball with its centre at `x`, in points; 0...1.
    func coverage(_ column: Int, _ row: Int, ballAt x: Double) -> Double {
        let dx = (Double(column) + 0.5) - x * scale
        let dy = (Double(row) + 0.5) - center.y * scale
        return min(1, max(0, Self.radius * scale - (dx * dx + dy * dy).squareRoot() + 0.5))
    }

    /// The weighted mean position of pixels in points, and the sum of their weights in areas of a
    /// ball. Uses the pixels whose x is within `reach` points of `middle`.
    func centroid(
        within reach: Double = .infinity, of middle: Double = 0, _ weight: (_ column: Int, _ row: Int) -> Double
    ) -> (x: Double, y: Double, area: Double) {
        var sum = 0.0
        var x = 0.0
        var y = 0.0
        let columns = max(0, (middle - reach) * scale)...min(Double(width - 1), (middle + reach) * scale)
        for row in rows {
            for column in Int(columns.lowerBound)...Int(columns.upperBound) {
                let weight = weight(column, row)
                guard weight > 0 else { continue }
                sum += weight
                x += weight * (Double(column) + 0.5)
                y += weight * (Double(row) + 0.5)
            }
        }
        let ball = Double.pi * Self.radius * Self.radius * scale * scale
        return (x / sum / scale, y / sum / scale, sum / ball)
    }
}
