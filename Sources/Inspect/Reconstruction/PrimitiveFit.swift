import Core

/// Fits of circles, ellipses and rectangles to observed outlines.
enum PrimitiveFit {
    /// The increments of the numerical derivatives of a rectangle: centre, size, rotation and
    /// corner radius. Circles use the first two.
    private static let steps = [1e-3, 1e-3, 1e-3, 1e-3, 1e-4, 1e-3]
    /// The maximum radius, in pixels, of corners that are blurred rather than round.
    private static let sharp = 1.0
    /// The maximum distance of an inlier from the circle's outline, in pixels of the view.
    private static let maxInlierDistance = 1.0

    /// Returns the circle with the observed area. A partly hidden one is fitted to the visible
    /// outline; nil if too little of it is seen.
    static func circle(_ shape: ObservedShape, diameter: Double? = nil, pixel: Double = 1) -> ShapePose? {
        var points = shape.freePoints(of: Array(shape.contours.prefix(1)))
        guard points.count >= 5 else { return nil }
        var pose = ShapePose(
            frame: shape.frame, center: shape.centroid, width: shape.diameter, height: shape.diameter)
        if let diameter, shape.freeShare < 0.95 || shape.isCut {
            guard shape.freeShare > 0.3 else { return nil }
            pose.center = center(of: points, diameter, from: shape.centroid)
            // The outline of another object may be a part of this one's.
            let inliers = points.filter {
                abs($0.distance(to: pose.center) - diameter / 2) <= maxInlierDistance * pixel
            }
            if inliers.count < points.count, inliers.count * 2 > points.count {
                pose.center = center(of: inliers, diameter, from: pose.center)
                points = inliers
            }
            pose.width = diameter
            pose.height = diameter
        }
        pose.residual = rms(points) { $0.distance(to: pose.center) - pose.width / 2 }
        return pose
    }

    /// Returns the centre of the circle of a diameter that is nearest to points.
    private static func center(of points: [Point], _ diameter: Double, from start: Point) -> Point {
        let fit = LeastSquares.fit([start.x, start.y], steps: steps) { values in
            points.map { $0.distance(to: Point(values[0], values[1])) - diameter / 2 }
        }
        return Point(fit.parameters[0], fit.parameters[1])
    }

    /// Returns the ellipse with the outline's second moments.
    static func ellipse(_ shape: ObservedShape) -> ShapePose? {
        let points = shape.contours[0].points
        guard points.count >= 8, shape.contours.count == 1 else { return nil }
        let moments = AreaMoments(points)
        guard moments.area > 0 else { return nil }
        let mean = (moments.xx + moments.yy) / 2
        let half = (moments.xx - moments.yy) / 2
        let root = (half * half + moments.xy * moments.xy).squareRoot()
        guard mean > root else { return nil }
        // A solid ellipse has the variance a²/4 along a half-axis of length a.
        var pose = ShapePose(
            frame: shape.frame, center: moments.center, width: 4 * (mean + root).squareRoot(),
            height: 4 * (mean - root).squareRoot())
        pose.rotation = atan2(moments.xy, half) / 2
        pose.residual = rms(shape.freePoints()) { point in
            let local = pose.local(point)
            let (x, y) = (2 * local.x / pose.width, 2 * local.y / pose.height)
            let radius = (x * x + y * y).squareRoot()
            return radius > 0 ? local.distance(to: .zero) * (1 - 1 / radius) : pose.height / 2
        }
        return pose
    }

    /// Returns the rectangle, possibly with rounded corners, that fits the outline best.
    static func rectangle(_ shape: ObservedShape) -> ShapePose? {
        let points = shape.freePoints(limit: 120)
        guard points.count >= 8, shape.contours.count == 1 else { return nil }
        var pose = MinimumBox.around(shape.contours[0].points, frame: shape.frame)
        guard min(pose.width, pose.height) > 0.5 else { return nil }
        // The corners of a rounded rectangle miss (4 - π) r² of the box.
        let missing = max(0, pose.width * pose.height - shape.area)
        pose.cornerRadius = min((missing / (4 - .pi)).squareRoot(), min(pose.width, pose.height) / 2)
        let start = [pose.center.x, pose.center.y, pose.width, pose.height, pose.rotation, pose.cornerRadius]
        func fitted(_ start: [Double]) -> (parameters: [Double], rms: Double) {
            let fit = LeastSquares.fit(start, steps: steps, iterations: 8) { values in
                let trial = rectangle(values, frame: shape.frame)
                return points.map { distance($0, fromRectangle: trial) }
            }
            return (fit.parameters, fit.rms)
        }
        var fit = fitted(start)
        // The area of a thin rectangle that is turned says little about its corners.
        if fit.parameters[5] > sharp {
            let other = fitted(Array(start.dropLast()) + [0])
            if other.rms <= fit.rms { fit = other }
        }
        var result = rectangle(fit.parameters, frame: shape.frame)
        result.cornerRadius = min(max(0, result.cornerRadius), min(result.width, result.height) / 2)
        result.residual = fit.rms
        return result.width > 0 && result.height > 0 ? result : nil
    }

    private static func rectangle(_ values: [Double], frame: Int) -> ShapePose {
        ShapePose(
            frame: frame, center: Point(values[0], values[1]), width: abs(values[2]), height: abs(values[3]),
            rotation: values[4], cornerRadius: values[5])
    }

    /// Returns the signed distance of a point from a rounded rectangle.
    static func distance(_ point: Point, fromRectangle pose: ShapePose) -> Double {
        let local = pose.local(point)
        let radius = min(max(0, pose.cornerRadius), min(pose.width, pose.height) / 2)
        let x = abs(local.x) - pose.width / 2 + radius
        let y = abs(local.y) - pose.height / 2 + radius
        let outside = Point(max(x, 0), max(y, 0)).distance(to: .zero)
        return outside + min(max(x, y), 0) - radius
    }

    static func rms(_ points: [Point], _ distance: (Point) -> Double) -> Double {
        points.map(distance).rootMeanSquare
    }
}

/// The area, centre and second central moments of a polygon (Green's theorem).
struct AreaMoments {
    private(set) var area = 0.0
    private(set) var center = Point.zero
    /// The variances and the covariance of the points inside.
    private(set) var xx = 0.0
    private(set) var yy = 0.0
    private(set) var xy = 0.0

    init(_ points: [Point]) {
        guard let origin = points.first else { return }
        var sumX = 0.0
        var sumY = 0.0
        var sumXX = 0.0
        var sumYY = 0.0
        var sumXY = 0.0
        var last = points[points.count - 1] - origin
        for point in points.map({ $0 - origin }) {
            let cross = last.x * point.y - point.x * last.y
            area += cross / 2
            sumX += cross * (last.x + point.x) / 6
            sumY += cross * (last.y + point.y) / 6
            sumXX += cross * (last.x * last.x + last.x * point.x + point.x * point.x) / 12
            sumYY += cross * (last.y * last.y + last.y * point.y + point.y * point.y) / 12
            sumXY +=
                cross * (2 * last.x * last.y + last.x * point.y + point.x * last.y + 2 * point.x * point.y) / 24
            last = point
        }
        guard area != 0 else { return }
        let mean = Point(sumX / area, sumY / area)
        center = origin + mean
        xx = sumXX / area - mean.x * mean.x
        yy = sumYY / area - mean.y * mean.y
        xy = sumXY / area - mean.x * mean.y
    }
}

/// The smallest rectangle around points, in any direction.
enum MinimumBox {
    /// Returns it as a pose with a rotation of at least -π/4 and less than π/4. One side lies on
    /// an edge of the convex hull (Freeman and Shapira, 1975).
    static func around(_ points: [Point], frame: Int) -> ShapePose {
        let hull = convexHull(points)
        var best = ShapePose(frame: frame, center: points[0], width: 0, height: 0)
        var bestArea = Double.infinity
        for (a, b) in zip(hull, hull.dropFirst() + hull.prefix(1)) where a.distance(to: b) > 1e-9 {
            var angle = atan2(b.y - a.y, b.x - a.x)
            angle -= (angle / (.pi / 2)).rounded() * (.pi / 2)
            let turned = ShapePose(frame: frame, center: .zero, width: 0, height: 0, rotation: angle)
            guard let box = Rect(enclosing: hull.map(turned.local)), box.width * box.height < bestArea else { continue }
            bestArea = box.width * box.height
            let (c, s) = (cos(angle), sin(angle))
            let center = Point(box.center.x * c - box.center.y * s, box.center.x * s + box.center.y * c)
            best = ShapePose(frame: frame, center: center, width: box.width, height: box.height, rotation: angle)
        }
        return best
    }

    /// Returns the convex hull (Andrew's monotone chain).
    private static func convexHull(_ points: [Point]) -> [Point] {
        let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        func chain(_ points: some Sequence<Point>) -> [Point] {
            var hull: [Point] = []
            for point in points {
                while hull.count >= 2 {
                    let a = hull[hull.count - 2]
                    let b = hull[hull.count - 1]
                    guard (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) <= 0 else { break }
                    hull.removeLast()
                }
                hull.append(point)
            }
            return Array(hull.dropLast())
        }
        return chain(sorted) + chain(sorted.reversed())
    }
}
