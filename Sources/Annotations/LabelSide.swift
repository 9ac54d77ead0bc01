import Platform
import Loaders
import Scene

/// Where a name goes on an annotated picture.
extension LabelSide {
    /// Whether the name keeps clear of the largest disc that there ever is, so that it keeps its distance.
    var isSteady: Bool {
        switch self {
        case .outward, .turned, .leftHand: false
        case .above, .below, .belowRight, .left, .right: true
        }
    }

    /// Whether a construction point's name keeps clear of every object that passes through the point, its mark included:
    /// notes begin and end their ways at such points.
    var clearsPassers: Bool { if case .belowRight = self { true } else { false } }

    /// How far it is, in points and sideways, from a point to where it leaves the objects' discs; 0 if it is in none.
    func depth(of point: Point, in objects: [MovingObject]) -> Double {
        let direction: Double
        switch self {
        case .left: direction = -1
        case .right: direction = 1
        default: return 0
        }
        return objects.reduce(0) { depth, object in
            let offset = point - object.position
            guard object.radius > 0, point.distance(to: object.position) < object.radius else { return depth }
            let half = (object.radius * object.radius - offset.y * offset.y).squareRoot()
            return max(depth, half - direction * offset.x)
        }
    }

    /// The middle of a name's box of some size beside a disc at `point`.
    ///
    /// - Parameters:
    ///   - hub: What lies outward is seen from here.
    ///   - heading: Where the object moves to, of any length.
    func center(of size: Size, at point: Point, disc: Double, about hub: Point, heading: Point) -> Point {
        let (gap, width, height) = (disc + 5, size.width / 2, size.height / 2)
        func reach(_ angle: Double) -> Double { abs(cos(angle)) * width + abs(sin(angle)) * height }
        let arm = point - hub
        switch self {
        case .above(let lane): return point + Point(0, -gap - height - Double(lane) * size.height)
        case .below: return point + Point(0, gap + height)
        case .belowRight: return point + Point(disc * 0.75 + 6 + width, disc * 0.75 + 4 + height)
        case .left(let shift): return point + Point(-gap - 3 - width, shift)
        case .right(let shift): return point + Point(gap + 3 + width, shift)
        case .outward(let lane):
            let angle = atan2(arm.y, arm.x)
            // Lanes are as far apart as a line is high, or the name is wide, by the direction.
            return point.moved(by: gap + 6 + reach(angle) * Double(1 + 2 * lane), towards: angle)
        case .turned(let turn):
            return hub.moved(by: 1.1 * arm.distance(to: .zero), towards: atan2(arm.y, arm.x) + turn)
        case .leftHand:
            let angle = atan2(heading.y, heading.x) - .pi / 2
            return point.moved(by: gap - 3 + reach(angle), towards: angle)
        }
    }
}
