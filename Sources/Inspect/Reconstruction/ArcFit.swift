import Core

/// Fits of rings and arcs to observed outlines.
enum ArcFit {
    /// The share of the line's width, from its middle, in which only caps have points.
    private static let capShare = 0.25
    /// The maximum angle in radians of a gap that is found from the points of its caps. Successive
    /// points along the sides of an arc are as far apart.
    private static let maxNarrow = 0.15

    /// Returns the ring between two concentric circles; nil for other shapes.
    static func ring(_ shape: ObservedShape) -> ShapePose? {
        guard shape.contours.count == 2, shape.contours[1].signedArea < 0 else { return nil }
        let outer = AreaMoments(shape.contours[0].points)
        let inner = AreaMoments(shape.contours[1].points)
        let outerRadius = (abs(outer.area) / .pi).squareRoot()
        let innerRadius = (abs(inner.area) / .pi).squareRoot()
        var pose = ShapePose(
            frame: shape.frame, center: outer.center, width: outerRadius + innerRadius,
            height: outerRadius + innerRadius)
        pose.lineWidth = outerRadius - innerRadius
        let distances = [(shape.contours[0], outerRadius), (shape.contours[1], innerRadius)].map { contour, radius in
            PrimitiveFit.rms(contour.points) { $0.distance(to: outer.center) - radius }
        }
        pose.residual = distances.max() ?? 0
        return pose
    }

    /// Returns the arc that fits an outline without holes; nil if none does. With a `reference`,
    /// its centre, diameter and line width are fixed.
    static func arc(_ shape: ObservedShape, isRound: Bool, reference: ShapePose? = nil) -> ShapePose? {
        guard shape.contours.count == 1, shape.contours[0].points.count >= 8,
            var pose = reference ?? initialCircle(shape)
        else { return nil }
        pose.frame = shape.frame
        let points = shape.freePoints(limit: reference == nil ? 160 : 90)
        let gap =
            reference.flatMap { narrowGap(shape.contours[0].points, $0) }
            ?? largestGap(shape.contours[0].points, around: pose.center)
        let capAngle = pose.lineWidth / pose.width * (isRound ? 1 : 0) * 2
        pose.start = gap.end + capAngle / 2
        pose.extent = max(0.01, 2 * .pi - (gap.end - gap.start) - capAngle)
        let isFixed = reference != nil
        let angles = [pose.start, pose.extent]
        let start = isFixed ? angles : angles + [pose.center.x, pose.center.y, pose.width, pose.lineWidth]
        let steps = [1e-5, 1e-5, 1e-3, 1e-3, 1e-3, 1e-3]
        let fit = LeastSquares.fit(start, steps: Array(steps.prefix(start.count))) { values in
            let trial = arc(values, pose)
            return points.map { distance($0, fromArc: trial, isRound: isRound) }
        }
        var result = arc(fit.parameters, pose)
        result.residual = fit.rms
        guard result.extent > -0.05, result.extent < 2 * .pi + 0.05, result.lineWidth > 0.2, result.width > 1 else {
            return nil
        }
        result.extent = min(max(result.extent, 0), 2 * .pi)
        return result
    }

    private static func arc(_ values: [Double], _ base: ShapePose) -> ShapePose {
        var pose = base
        pose.start = values[0]
        pose.extent = values[1]
        guard values.count > 2 else { return pose }
        pose.center = Point(values[2], values[3])
        pose.width = values[4]
        pose.height = values[4]
        pose.lineWidth = values[5]
        return pose
    }

    /// Returns the circle through the outline, which runs along both sides of the arc.
    private static func initialCircle(_ shape: ObservedShape) -> ShapePose? {
        let origin = shape.centroid
        let points = shape.contours[0].points.map { $0 - origin }
        guard let circle = LeastSquares.circle(points) else { return nil }
        let center = circle.center
        let radius = max(0, circle.squaredRadius).squareRoot()
        let distances = points.map { $0.distance(to: center) }.sorted()
        let lineWidth = distances[distances.count * 9 / 10] - distances[distances.count / 10]
        guard radius > 1, radius < 20 * shape.diameter else { return nil }
        var pose = ShapePose(frame: shape.frame, center: origin + center, width: 2 * radius, height: 2 * radius)
        pose.lineWidth = max(0.5, lineWidth)
        return pose
    }

    /// Returns the gap of an arc that is nearly closed, from the points of its caps: those between
    /// the two sides. Returns nil for other arcs.
    private static func narrowGap(_ points: [Point], _ circle: ShapePose) -> (start: Double, end: Double)? {
        let caps = points.filter {
            abs($0.distance(to: circle.center) - circle.width / 2) < circle.lineWidth * capShare
        }
        let sum = caps.reduce(Point.zero) { $0 + ($1 - circle.center) }
        guard !caps.isEmpty, sum != .zero else { return nil }
        let middle = atan2(sum.y, sum.x)
        let angles = caps.map { point -> Double in
            let angle = atan2(point.y - circle.center.y, point.x - circle.center.x) - middle
            return RotationTracking.nearest(angle, to: 0)
        }
        guard let low = angles.min(), let high = angles.max(), high - low < maxNarrow else { return nil }
        // The caps of a short arc are also near each other.
        let opposite = points.contains {
            ($0 - circle.center).x * sum.x + ($0 - circle.center).y * sum.y < 0
        }
        return opposite ? (middle + low, middle + high) : nil
    }

    /// Returns the largest range of directions without points, with `end` the larger angle.
    private static func largestGap(_ points: [Point], around center: Point) -> (start: Double, end: Double) {
        let angles = points.map { atan2($0.y - center.y, $0.x - center.x) }.sorted()
        var best = (start: angles[angles.count - 1], end: angles[0] + 2 * .pi)
        for (a, b) in zip(angles, angles.dropFirst()) where b - a > best.end - best.start { best = (a, b) }
        return best
    }

    /// Returns the signed distance of a point from an arc.
    private static func distance(_ point: Point, fromArc pose: ShapePose, isRound: Bool) -> Double {
        let (dx, dy) = (point.x - pose.center.x, point.y - pose.center.y)
        let middle = pose.start + pose.extent / 2
        let angle = abs(RotationTracking.nearest(atan2(dy, dx) - middle, to: 0))
        let radius = (dx * dx + dy * dy).squareRoot()
        let past = angle - pose.extent / 2
        let across = abs(radius - pose.width / 2) - pose.lineWidth / 2
        guard past > -0.5 else { return across }
        if isRound {
            guard past > 0 else { return across }
            let along = radius * sin(min(past, .pi / 2))
            let inward = radius * cos(past) - pose.width / 2
            return (along * along + inward * inward).squareRoot() - pose.lineWidth / 2
        }
        let along = radius * sin(min(max(past, -.pi / 2), .pi / 2))
        guard along > 0, across > 0 else { return max(along, across) }
        return (along * along + across * across).squareRoot()
    }
}
