import Animations
import Core

/// The visible objects of a loader at a few instants of its period, to which leaders lead or over
/// which they run.
struct ObjectTrace: Sendable {
    /// The number of instants. An object that jumps over another one is above it for about a tenth
    /// of the period: at two instants.
    private static let instants = 24

    /// An ellipse in the bounding box of an object. The corners of such a box are often empty.
    struct Outline: Sendable {
        var center: Point
        /// Half of the width and height.
        var reach: Size

        /// Returns the distance of a point from the centre as a share of the reach: 1 on the edge.
        func distance(to point: Point) -> Double {
            Point.zero.distance(to: scaled(point))
        }

        /// Returns true if a line meets the ellipse.
        func meets(_ line: LineSegment) -> Bool {
            LineSegment(scaled(line.start), scaled(line.end)).distance(to: .zero) < 1
        }

        private func scaled(_ point: Point) -> Point {
            Point((point.x - center.x) / max(reach.width, 0.1), (point.y - center.y) / max(reach.height, 0.1))
        }
    }

    /// The outlines of the visible objects by index, in points of the canvas, for each instant.
    let moments: [[Int: Outline]]

    init(_ loader: any Loader) {
        moments = (0..<Self.instants).map { instant in
            let time = loader.period * Rational(Int128(2 * instant + 1), Int128(2 * Self.instants))
            let moment = AnnotatedMoment(loader, at: time)
            let outlines = moment.objects.indices.compactMap { index -> (Int, Outline)? in
                guard let extent = moment.extents[index] else { return nil }
                let object = moment.objects[index]
                let radius = moment.objects[index].radius
                guard radius == 0 else {
                    return (index, Outline(center: object.discCenter, reach: Size(radius, radius)))
                }
                return (index, Outline(center: extent.center, reach: Size(extent.width / 2, extent.height / 2)))
            }
            return Dictionary(uniqueKeysWithValues: outlines)
        }
    }
}

/// A straight line between two points.
struct LineSegment: Sendable {
    let start: Point
    let end: Point

    init(_ start: Point, _ end: Point) {
        self.start = start
        self.end = end
    }

    /// Returns the distance of a point from the line.
    func distance(to point: Point) -> Double {
        let direction = end - start
        let square = direction.x * direction.x + direction.y * direction.y
        guard square > 0 else { return start.distance(to: point) }
        let offset = point - start
        let share = (offset.x * direction.x + offset.y * direction.y) / square
        return (start + direction * min(1, max(0, share))).distance(to: point)
    }

    /// Returns true if two lines cross.
    func crosses(_ other: LineSegment) -> Bool {
        side(of: other.start) * side(of: other.end) < 0 && other.side(of: start) * other.side(of: end) < 0
    }

    /// Returns true if the line meets a rectangle.
    func meets(_ rect: Rect) -> Bool {
        let corner = Point(rect.x, rect.y)
        let opposite = Point(rect.maxX, rect.maxY)
        return rect.nearest(to: start) == start || rect.nearest(to: end) == end
            || crosses(LineSegment(corner, opposite))
            || crosses(LineSegment(Point(opposite.x, corner.y), Point(corner.x, opposite.y)))
    }

    /// Returns a number whose sign says on which side of the line a point is.
    private func side(of point: Point) -> Double {
        (end.x - start.x) * (point.y - start.y) - (end.y - start.y) * (point.x - start.x)
    }
}
