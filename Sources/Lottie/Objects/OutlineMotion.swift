import Core

/// The motion of an object's outlines, by a layer, a group of shapes or the points of a path.
struct OutlineMotion {
    /// The sum of the distances between an outline and the most similar one, moved, turned and
    /// scaled, at the next instant, relative to the outline's size. A square that becomes a circle
    /// has about 0.2.
    private(set) var shapeChange = 0.0
    /// True if all outlines are equal.
    private(set) var isStill = true
    /// The states with the positions, angles and scales of the outlines.
    private(set) var states: [ObjectState] = []

    /// The change of a path with another number of points.
    private static let otherPathChange = 1.0

    /// Measures the outlines of an object.
    ///
    /// - Parameter visible: the states at which the object is visible, in order.
    init(_ visible: [ObjectState]) {
        var angle = 0.0
        var scale = 1.0
        var last: [Point] = []
        for state in visible {
            let points = state.nodes.flatMap { $0.outline() }
            guard !points.isEmpty, points.allSatisfy(\.isFinite) else { continue }
            if !last.isEmpty {
                isStill = isStill && points == last
                if let fit = SimilarityFit(from: last, to: points) {
                    angle += fit.angle
                    scale *= fit.scale
                    shapeChange += fit.error
                } else {
                    shapeChange += Self.otherPathChange
                }
            }
            last = points
            states.append(
                state.moved(to: points.centroid, rotation: angle * 180 / .pi, scale: Point(scale, scale)))
        }
    }
}

/// The translation, rotation and scale that bring points closest to others.
private struct SimilarityFit {
    /// The rotation in radians.
    let angle: Double
    let scale: Double
    /// The root of the mean square of the remaining distances, relative to that from the centroid.
    let error: Double

    /// The minimum sum of squared distances from the centroid for which an angle is defined, and
    /// the minimum scale.
    private static let minSpread = 1e-6

    /// The fit of pairs of points; nil if the numbers of points differ, or all points coincide.
    init?(from first: [Point], to second: [Point]) {
        guard first.count == second.count else { return nil }
        let start = first.centroid
        let end = second.centroid
        var along = 0.0
        var across = 0.0
        var own = 0.0
        var other = 0.0
        for (a, b) in zip(first, second) {
            let p = a - start
            let q = b - end
            along += p.x * q.x + p.y * q.y
            across += p.x * q.y - p.y * q.x
            own += p.x * p.x + p.y * p.y
            other += q.x * q.x + q.y * q.y
        }
        guard own > Self.minSpread, other > Self.minSpread else { return nil }
        angle = atan2(across, along)
        let length = (along * along + across * across).squareRoot()
        scale = max(length / own, Self.minSpread)
        error = (max(0, other - length * length / own) / other).squareRoot()
    }
}

extension [Point] {
    /// The mean of the points.
    fileprivate var centroid: Point { reduce(.zero, +) * (1 / Double(Swift.max(1, count))) }
}
