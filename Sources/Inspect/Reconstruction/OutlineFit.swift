import Core

/// A traced outline and fits of its position, size and rotation to observed outlines.
struct OutlineTemplate {
    /// The outlines relative to the centre of the area.
    let contours: [[Point]]
    private let area: Double
    private let signature: [Double]

    /// The number of directions in which outlines are compared.
    private static let directions = 90
    /// The maximum error of a rotation, relative to the smallest one, for it to be a candidate.
    /// Symmetric shapes have several.
    private static let ambiguity = 4.0

    init(_ shape: ObservedShape, tolerance: Double) {
        contours = shape.contours.map { contour in
            PolygonSimplifier.simplified(contour.points.map { $0 - shape.centroid }, tolerance: tolerance)
        }
        area = shape.area
        signature = OutlineTemplate.signature(shape)
    }

    /// Returns the largest distance of the outline from the centre in each direction.
    private static func signature(_ shape: ObservedShape) -> [Double] {
        var result = [Double](repeating: 0, count: directions)
        for contour in shape.contours.prefix(1) {
            var last = contour.points[contour.points.count - 1]
            for point in contour.points {
                // Points between the corners of the outline leave no direction empty.
                for step in 0..<4 {
                    let between = last + (point - last) * (Double(step) / 4) - shape.centroid
                    let turn = (atan2(between.y, between.x) / (2 * .pi) + 1) * Double(directions)
                    let index = Int(turn) % directions
                    result[index] = max(result[index], between.distance(to: .zero))
                }
                last = point
            }
        }
        return result
    }

    /// Returns the position, size and rotation of a shape, with the rotation nearest to the
    /// expected one among those that fit.
    func pose(of shape: ObservedShape, expectedRotation: Double, tolerance: Double) -> ShapePose? {
        guard shape.contours.count == contours.count else { return nil }
        let scale = (shape.area / area).squareRoot()
        let points = shape.freePoints(limit: 48)
        guard points.count >= 6, scale > 0 else { return nil }
        var best: ShapePose?
        for rotation in rotations(OutlineTemplate.signature(shape), scale, expectedRotation) {
            var start = ShapePose(frame: shape.frame, center: shape.centroid, width: scale, height: scale)
            start.rotation = rotation
            let fit = LeastSquares.fit(
                [shape.centroid.x, shape.centroid.y, scale, rotation], steps: [1e-3, 1e-3, 1e-4, 1e-4], iterations: 4
            ) { values in
                let trial = OutlineTemplate.pose(values, shape.frame)
                return points.map { distance($0, trial) }
            }
            var pose = OutlineTemplate.pose(fit.parameters, shape.frame)
            pose.residual = fit.rms
            // The nearest rotation counts unless another fits far better.
            if let known = best, known.residual <= max(tolerance, 1.6 * pose.residual + 0.1) { continue }
            best = pose
        }
        return best
    }

    private static func pose(_ values: [Double], _ frame: Int) -> ShapePose {
        ShapePose(
            frame: frame, center: Point(values[0], values[1]), width: values[2], height: values[2],
            rotation: values[3])
    }

    /// Returns up to three rotations at which the directions agree, the nearest to the expected one
    /// first.
    private func rotations(_ other: [Double], _ scale: Double, _ expected: Double) -> [Double] {
        let count = OutlineTemplate.directions
        let errors = (0..<count).map { shift in
            (0..<count).reduce(0.0) { sum, index in
                let difference = other[(index + shift) % count] - scale * signature[index]
                return sum + difference * difference
            }
        }
        let limit = OutlineTemplate.ambiguity * (errors.min() ?? 0) + 0.2 * Double(count)
        let minima = (0..<count).filter { index in
            errors[index] <= limit && errors[index] <= errors[(index + 1) % count]
                && errors[index] <= errors[(index + count - 1) % count]
        }
        let angles = minima.map { index in
            RotationTracking.nearest(Double(index) * 2 * .pi / Double(count), to: expected)
        }
        return Array(angles.sorted { abs($0 - expected) < abs($1 - expected) }.prefix(3))
    }

    /// Returns the distance of a point from the outline in a pose.
    private func distance(_ point: Point, _ pose: ShapePose) -> Double {
        let local = pose.local(point) * (1 / max(1e-6, pose.width))
        var best = Double.infinity
        for contour in contours {
            var last = contour[contour.count - 1]
            for next in contour {
                best = min(best, squaredDistance(local, last, next))
                last = next
            }
        }
        return best.squareRoot() * pose.width
    }
}

/// Returns the squared distance of a point from a line segment.
func squaredDistance(_ point: Point, _ a: Point, _ b: Point) -> Double {
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let length = dx * dx + dy * dy
    let share = length > 0 ? min(1, max(0, ((point.x - a.x) * dx + (point.y - a.y) * dy) / length)) : 0
    let (x, y) = (point.x - a.x - share * dx, point.y - a.y - share * dy)
    return x * x + y * y
}

/// Polygons with fewer vertices.
enum PolygonSimplifier {
    /// Returns a closed polygon without the vertices that are within a tolerance of the line
    /// between others (Douglas and Peucker, 1973).
    static func simplified(_ points: [Point], tolerance: Double) -> [Point] {
        guard points.count > 4 else { return points }
        // The chain is cut at its first point and at the point farthest from it.
        let far = points.indices.max { points[$0].distance(to: points[0]) < points[$1].distance(to: points[0]) } ?? 0
        var isKept = [Bool](repeating: false, count: points.count + 1)
        let closed = points + [points[0]]
        isKept[0] = true
        isKept[far] = true
        var ranges = [(0, far), (far, points.count)]
        while let (first, last) = ranges.popLast() {
            guard last > first + 1 else { continue }
            var worst = (index: first, distance: 0.0)
            for index in first + 1..<last {
                let distance = squaredDistance(closed[index], closed[first], closed[last])
                if distance > worst.distance { worst = (index, distance) }
            }
            guard worst.distance > tolerance * tolerance else { continue }
            isKept[worst.index] = true
            ranges += [(first, worst.index), (worst.index, last)]
        }
        let kept = points.indices.filter { isKept[$0] }
        return kept.count >= 3 ? kept.map { points[$0] } : points
    }
}
