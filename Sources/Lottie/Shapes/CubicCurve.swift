import Core

extension CubicCurve {
    /// Creates a straight line.
    init(_ start: Point, _ end: Point) { self.init(start, start, end, end) }

    var isLine: Bool { p0 == p1 && p2 == p3 }

    /// True if the curve deviates from a line too little to be visible. Keyframes of paths pass
    /// through such curves, and where their handles point backwards, Cairo's strokes have holes.
    var hasShortHandles: Bool {
        // The deviation is at most 3/4 of the handles, so that it stays below a pixel if the layer
        // is enlarged until the chord is 1,333 pixels long.
        let limit = min(BezierContour.flatness, 1e-3 * p0.distance(to: p3))
        return p0.distance(to: p1) <= limit && p2.distance(to: p3) <= limit
    }

    /// Returns the point at a parameter in 0...1.
    func point(_ t: Double) -> Point {
        // A line is parameterised by its length, which its control points alone would not give.
        if isLine { return p0 + (p3 - p0) * t }
        let u = 1 - t
        return p0 * (u * u * u) + p1 * (3 * u * u * t) + p2 * (3 * u * t * t) + p3 * (t * t * t)
    }

    /// Returns the tangent at a parameter as a unit vector; zero for a curve without extent.
    func direction(_ t: Double) -> Point {
        let u = 1 - t
        var tangent = (p1 - p0) * (u * u) + (p2 - p1) * (2 * u * t) + (p3 - p2) * (t * t)
        // The derivative is zero where a control point coincides with its end point.
        if hypot(tangent.x, tangent.y) < 1e-9 { tangent = t < 0.5 ? p2 - p0 : p3 - p1 }
        if hypot(tangent.x, tangent.y) < 1e-9 { tangent = p3 - p0 }
        let length = hypot(tangent.x, tangent.y)
        return length > 0 ? tangent * (1 / length) : .zero
    }

    /// Returns the two parts of the curve at a parameter, by de Casteljau's algorithm.
    func split(_ t: Double) -> (CubicCurve, CubicCurve) {
        func mix(_ a: Point, _ b: Point) -> Point { a + (b - a) * t }
        if isLine {
            let middle = mix(p0, p3)
            return (CubicCurve(p0, middle), CubicCurve(middle, p3))
        }
        let a = mix(p0, p1)
        let b = mix(p1, p2)
        let c = mix(p2, p3)
        let d = mix(a, b)
        let e = mix(b, c)
        let middle = mix(d, e)
        return (CubicCurve(p0, a, d, middle), CubicCurve(middle, e, c, p3))
    }

    /// Returns the part between two parameters. Unlike `part(from:to:)`, it keeps the ends and the
    /// straight lines of the curve exactly.
    func trimmed(from: Double, to: Double) -> CubicCurve {
        guard from > 0 else { return to < 1 ? split(to).0 : self }
        let rest = split(from).1
        return to < 1 ? rest.split((to - from) / (1 - from)).0 : rest
    }
}
