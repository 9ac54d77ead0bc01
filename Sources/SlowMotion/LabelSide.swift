import Platform
import Loaders
import Scene

/// Where a name goes, seen from what it names. A side never jumps, so that names do not.
enum LabelSide {
    case above(lane: Int)
    case below
    case belowRight
    /// To the left, so many points lower.
    case left(shift: Double)
    /// To the right, so many points lower.
    case right(shift: Double)
    /// Away from the stage's centre, in lanes.
    case outward(lane: Int)
    /// As far from the stage's centre, but turned about it by an angle.
    case turned(Double)
    /// To the left of who moves with the object.
    case leftHand

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

/// What is known about the articles' constructions.
enum Construction {
    /// The stage's centre among the names.
    static let center = "(centre)"

    /// Names that lines connect.
    static let lines = [
        ["topCenter", "rightPathC", "bottomCenter", "leftPathC", "topCenter"],
        ["l3", "l2", "l1", "c", "r1", "r2", "r3"],
        [center, "O"], [center, "D"], ["begin", "control", "end"],
    ]

    /// On which side of the thing its name stands.
    static func side(of name: String) -> LabelSide { sides[name] ?? .right(shift: 0) }

    private static let sides: [String: LabelSide] = [
        // The drop's arrow goes up and down, so that its names are beside it; all four fit when it is a disc.
        "topCenter": .left(shift: -14), "leftPathC": .left(shift: 6), "rightPathC": .right(shift: -14),
        "bottomCenter": .right(shift: 6),
        "l3": .below, "l2": .below, "l1": .below, "r1": .below, "r2": .below, "r3": .below, "c": .right(shift: 0),
        // Who is overtaken stands further out.
        "O": .outward(lane: 1), "D": .outward(lane: 0), "tail": .outward(lane: 1), "head": .outward(lane: 0),
        "tip": .turned(-40 * .pi / 180),
        "left": .below, "right": .below, "spot 1": .above(lane: 1), "spot 2": .above(lane: 2),
        "spot 3": .above(lane: 3),
        // Outside of the bend: inside are the record and the arrows.
        "begin": .belowRight, "control": .left(shift: 0), "end": .belowRight, "note 1": .leftHand, "note 2": .leftHand,
        "note 3": .leftHand,
    ]

    /// Whether a point of the construction is the object itself, so that one name is enough: `c`, or the drop's ends.
    static func isSame(_ landmark: Landmark, _ object: MovingObject) -> Bool {
        landmark.name == object.name || landmark.name == object.name + "Center"
    }
}
