import Core

/// The kind of a reconstructed shape.
package enum ShapeKind: String, Sendable {
    case circle
    case ellipse
    /// A rectangle, with or without rounded corners.
    case rectangle
    case ring
    /// An arc of a circle with butt caps.
    case arc
    /// An arc of a circle with round caps.
    case roundArc
    /// A traced outline that keeps its form.
    case outline
    /// A traced outline that changes its form.
    case morph

    var isArc: Bool { self == .arc || self == .roundArc }
}

/// The measured position and form of an object in one frame. Lengths are in pixels, angles in
/// radians, clockwise from the x axis.
struct ShapePose {
    var frame: Int
    var center: Point
    /// The width without rotation: of an arc or ring, of its centre line; of an outline, as a
    /// multiple of the reference.
    var width: Double
    var height: Double
    var rotation = 0.0
    var cornerRadius = 0.0
    var lineWidth = 0.0
    /// The angle at which an arc begins.
    var start = 0.0
    /// The angle that an arc covers, 0...2π.
    var extent = 2 * Double.pi
    /// True if another object hides a part.
    var isCovered = false
    /// The rms distance of the observed outline from the shape.
    var residual = 0.0

    /// Returns a point relative to the centre and without the rotation.
    func local(_ point: Point) -> Point {
        let (dx, dy) = (point.x - center.x, point.y - center.y)
        let (c, s) = (cos(rotation), sin(rotation))
        return Point(dx * c + dy * s, dy * c - dx * s)
    }
}

extension ObservedShape {
    /// Returns points of the outlines that border the background, at most about `limit`.
    func freePoints(of chosen: [Contour]? = nil, limit: Int = 90) -> [Point] {
        let all = (chosen ?? contours).flatMap { zip($0.points, $0.isFree).filter(\.1).map(\.0) }
        let step = max(1, all.count / limit)
        return stride(from: 0, to: all.count, by: step).map { all[$0] }
    }

    /// The shape as if nothing hid a part of it.
    var asSeen: ObservedShape {
        guard !isAlone else { return self }
        var shape = self
        for index in contours.indices {
            shape.contours[index].isFree = Array(repeating: true, count: contours[index].points.count)
        }
        return shape
    }

    /// The share of the outline that borders the background.
    var freeShare: Double {
        let flags = contours.flatMap(\.isFree)
        return Double(flags.count { $0 }) / Double(max(1, flags.count))
    }

    /// True if others hide a part of the outline, from which the position is measured.
    var isPartlyHidden: Bool { !isAlone && freeShare < 0.9 }
}
