import Animations
import Core

/// Positions of names on an annotated frame.
extension LabelSide {
    /// True if the name keeps a constant distance, clear of the object's largest disc.
    var isSteady: Bool {
        switch self {
        case .outward, .turned, .leftHand: false
        case .above, .below, .belowRight, .left, .right, .margin: true
        }
    }

    /// True if the name of a construction point keeps clear of every object that passes through the
    /// point, including its mark. Douyin's notes start and end at such points.
    var clearsPassingObjects: Bool { if case .belowRight = self { true } else { false } }

    /// Returns the horizontal distance in points from a point to the edge of the objects' discs; 0
    /// if it is in none.
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

    /// Returns the centre of a name's box of the given size beside a disc at `point`.
    ///
    /// - Parameters:
    ///   - disc: the radius of the disc in points.
    ///   - hub: the centre of the canvas, from which outward names point away.
    ///   - heading: the direction of the object's motion, of any length.
    func center(of size: Size, at point: Point, disc: Double, about hub: Point, heading: Point) -> Point {
        let gap = disc + 5
        let width = size.width / 2
        let height = size.height / 2
        func reach(_ angle: Double) -> Double { abs(cos(angle)) * width + abs(sin(angle)) * height }
        let arm = point - hub
        switch self {
        case .above(let row): return point + Point(0, -gap - height - Double(row) * size.height)
        case .below: return point + Point(0, gap + height)
        case .belowRight: return point + Point(disc * 0.75 + 6 + width, disc * 0.75 + 4 + height)
        case .left(let shift): return point + Point(-gap - 3 - width, shift)
        // Without room for columns of names, a name lies to the right of its object.
        case .margin: return point + Point(gap + 3 + width, 0)
        case .right(let shift): return point + Point(gap + 3 + width, shift)
        case .outward(let row):
            let angle = atan2(arm.y, arm.x)
            // The distance between rows is the extent of the name in the outward direction.
            return point.moved(by: gap + 6 + reach(angle) * Double(1 + 2 * row), towards: angle)
        case .turned(let turn):
            return hub.moved(by: 1.1 * arm.distance(to: .zero), towards: atan2(arm.y, arm.x) + turn)
        case .leftHand:
            let angle = atan2(heading.y, heading.x) - .pi / 2
            return point.moved(by: gap - 3 + reach(angle), towards: angle)
        }
    }
}
