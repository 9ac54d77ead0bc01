import Core

/// The properties of a path that determine its cost.
struct PathMetrics {
    /// The length in pixels.
    var length = 0.0
    /// The number of pixel rows that the edges cross, summed over the edges.
    var rows = 0.0
    /// The estimated number of line segments after Cairo flattens the path.
    var segments = 0.0
    /// The largest absolute coordinate, in pixels; infinite if one is not a number.
    var maxCoordinate = 0.0

    init(_ path: Path, _ transform: AffineTransform, height: Double) {
        var current = Point.zero
        var first = Point.zero
        func row(_ y: Double) -> Double { min(max(y, 0), height) }
        for element in path.elements {
            var points: [Point]
            switch element {
            case .move(let point):
                current = transform.apply(point)
                first = current
                include(current)
                continue
            case .line(let point): points = [transform.apply(point)]
            case .quadratic(let control, let end): points = [transform.apply(control), transform.apply(end)]
            case .cubic(let a, let b, let end): points = [transform.apply(a), transform.apply(b), transform.apply(end)]
            case .arc(let center, let radius, _, _):
                // Counts a full circle: a length of 2 pi radii, with each row crossed twice.
                let pixelRadius = radius * transform.maxScale
                let pixelCenter = transform.apply(center)
                length += 7 * pixelRadius
                rows += 4 * min(pixelRadius, height)
                segments += pixelRadius.squareRoot() + 8
                include(Point(pixelCenter.x + pixelRadius, pixelCenter.y + pixelRadius))
                points = []
            case .close: points = [first]
            }
            var polygonLength = 0.0
            for point in points {
                polygonLength += current.distance(to: point)
                rows += abs(row(point.y) - row(current.y))
                include(point)
                current = point
            }
            length += polygonLength
            // Halving a curve quarters its error, so the number of segments grows with the square
            // root of the length.
            segments += points.count > 1 ? 1 + min(polygonLength * 4, 1e8).squareRoot() : 1
        }
    }

    /// Upper bounds from the extent of a path.
    init(maximumOf path: Path, _ transform: AffineTransform, height: Double) {
        let count = Double(path.elements.count)
        // The largest singular value, to which the transform scales the longest line.
        length = path.extent.length * transform.scales.larger
        rows = min(length, 4 * count * height)
        // The sum of square roots is the largest if all curves have the same length.
        segments = count + 8 * Double(path.extent.arcCount) + (4 * Double(path.extent.curveCount) * length).squareRoot()
        guard let bounds = path.bounds.map(transform.bounds) else { return }
        include(Point(bounds.x, bounds.y))
        include(Point(bounds.maxX, bounds.maxY))
        // The exact number counts the square around a circle.
        if path.extent.arcCount > 0 { maxCoordinate *= 4 }
    }

    private mutating func include(_ point: Point) {
        let coordinate = max(abs(point.x), abs(point.y))
        // The comparison is false for NaN.
        maxCoordinate = coordinate <= .greatestFiniteMagnitude ? max(maxCoordinate, coordinate) : .infinity
    }
}

extension AffineTransform {
    /// An approximation of the largest factor by which the transform scales a length.
    var maxScale: Double { max(hypot(a, b), hypot(c, d)) }
}
