/// Where QQ Mail's balls are, written down once more from the specification's table alone.
enum Ball: Int, CaseIterable, Sendable {
    case red, yellow, green

    /// From and to which displacement each phase moves the ball, in points.
    private var table: [(Double, Double)] {
        switch self {
        case .red: [(-30, 0), (0, 30), (30, 0), (0, 0), (0, 0), (0, -30)]
        case .yellow: [(0, 0), (0, -30), (-30, 0), (0, 30), (30, 0), (0, 0)]
        case .green: [(30, 0), (0, 0), (0, 0), (0, -30), (-30, 0), (0, 30)]
        }
    }

    /// The parameter that colours it.
    var parameter: String { ["red", "yellow", "green"][rawValue] }

    /// The ball's displacement for frame k of the m of a cycle, in points. Integers decide which phase and which tick
    /// it is: a cycle has 180 ticks in 6 phases.
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

/// A picture of the balls' stage: how pixels and points go together.
struct BallStage {
    /// Radius of what is seen of a ball: 6 points and half of its outline.
    static let radius = 6.5

    var width: Int
    /// Rows in which the balls lie; what is above belongs to the drop.
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

    /// How much of a pixel a ball covers whose centre is given in points, 0...1.
    func coverage(_ column: Int, _ row: Int, ballAt x: Double) -> Double {
        let (dx, dy) = ((Double(column) + 0.5) - x * scale, (Double(row) + 0.5) - center.y * scale)
        return min(1, max(0, Self.radius * scale - (dx * dx + dy * dy).squareRoot() + 0.5))
    }

    /// The mean position, in points, and the area, in balls, of the weights that pixels have, all or those at most a
    /// distance left or right of some place.
    func centroid(
        within reach: Double = .infinity, of middle: Double = 0, _ weight: (_ column: Int, _ row: Int) -> Double
    ) -> (x: Double, y: Double, area: Double) {
        var (sum, x, y) = (0.0, 0.0, 0.0)
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
