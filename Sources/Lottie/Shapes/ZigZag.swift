import Platform
import Scene

extension Contour {
    /// The contour with ridges on both sides of every curve, so many a curve.
    func zigZag(size: Double, ridges: Int, isSmooth: Bool) -> Contour {
        guard size != 0, curveCount > 0 else { return self }
        var points: [(point: Point, direction: Point, span: Double)] = []
        var side = 1.0
        for (index, curve) in curves.enumerated() {
            let length = CurveLength(curve)
            let span = length.total / Double(ridges + 1)
            for ridge in 0...ridges {
                let t = length.parameter(at: span * Double(ridge))
                var direction = curve.direction(t)
                if ridge == 0, index > 0 || isClosed {
                    // At a corner the ridge points between both sides.
                    let before = self.curve((index + curveCount - 1) % curveCount).direction(1)
                    let sum = before + direction
                    let size = hypot(sum.x, sum.y)
                    if size > 1e-9 { direction = sum * (1 / size) }
                }
                points.append((curve.point(t) + Point(-direction.y, direction.x) * (size * side), direction, span))
                side = -side
            }
        }
        if !isClosed, let last = curves.last {
            let direction = last.direction(1)
            let point = last.p3 + Point(-direction.y, direction.x) * (size * side)
            points.append((point, direction, points.last?.span ?? 0))
        }
        let vertices = points.map { point, direction, span in
            let reach = isSmooth ? direction * (span / 2) : .zero
            return Vertex(point, into: point - reach, out: point + reach)
        }
        return Contour(vertices, isClosed: isClosed)
    }
}
