import Core

extension BezierContour {
    /// Returns the contour with `ridges` ridges per curve, alternately on both sides, at a distance
    /// of `size` from the curve.
    func zigZag(size: Double, ridges: Int, isSmooth: Bool) -> BezierContour {
        guard size != 0, curveCount > 0 else { return self }
        var points: [(point: Point, direction: Point, span: Double)] = []
        var side = 1.0
        for (index, curve) in curves.enumerated() {
            let length = ArcLengthTable(curve)
            let span = length.total / Double(ridges + 1)
            for ridge in 0...ridges {
                let t = length.parameter(at: span * Double(ridge))
                var direction = curve.direction(t)
                if ridge == 0, index > 0 || isClosed {
                    // At a vertex, the ridge points along the bisector of the two curves.
                    let before = self.curve((index + curveCount - 1) % curveCount).direction(1)
                    let sum = before + direction
                    let sumLength = hypot(sum.x, sum.y)
                    if sumLength > 1e-9 { direction = sum * (1 / sumLength) }
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
            let tangent = isSmooth ? direction * (span / 2) : .zero
            return Vertex(point, into: point - tangent, out: point + tangent)
        }
        return BezierContour(vertices, isClosed: isClosed)
    }
}
