import Glibc
import Loaders
import Motion
import Scene

/// The notes over the stage that name things.
extension Annotator {
    private static let fontSize = 12.0

    // MARK: Construction

    /// Thin lines between the points of the article's construction.
    func construction(at moment: AnnotatedMoment) -> [Node] {
        let points = Dictionary(
            moment.landmarks.map { ($0.name, layout.place($0.position)) }, uniquingKeysWith: { first, _ in first })
        let color = theme.ink.opacity(0.5)
        let lines = Construction.lines.compactMap { names -> Node? in
            let corners = names.compactMap { $0 == Construction.center ? layout.place(table.center) : points[$0] }
            return corners.count == names.count ? Draw.polyline(corners, color) : nil
        }
        let curves = points["begin"].flatMap { begin in
            points["control"].flatMap { control in
                points["end"].map { end in
                    var path = Path()
                    path.move(to: begin)
                    path.addQuadCurve(to: end, control: control)
                    return Node.shape(Shape(path, stroke: Stroke(theme.accent.opacity(0.7), width: 1)))
                }
            }
        }
        let dots = moment.landmarks.map {
            Draw.dot(layout.place($0.position), radius: 3, fill: theme.backdrop, outline: theme.ink)
        }
        return lines + (curves.map { [$0] } ?? []) + dots
    }

    // MARK: Names

    func labels(at moment: AnnotatedMoment) -> [Node] {
        let landmarks = moment.landmarks.map { landmark in
            let side = Construction.side(of: landmark.name)
            let object = moment.objects.firstIndex { Construction.isSame(landmark, $0) }
            let own = object.map { side.isSteady ? largestRadii[$0] : moment.objects[$0].radius }
            let disc = own ?? side.depth(of: landmark.position, in: moment.objects)
            return label(
                landmark.name, at: layout.place(landmark.position), disc: disc * layout.scale, side, theme.ink)
        }
        let objects = moment.objects.enumerated().compactMap { index, object -> [Node]? in
            if object.stage != nil { return laneName(of: index, at: moment) }
            guard !moment.landmarks.contains(where: { Construction.isSame($0, object) }) else { return nil }
            let side = Construction.side(of: object.name)
            let disc = side.isSteady ? largestRadii[index] : object.radius
            return label(
                object.name(in: language), at: layout.place(object.position), disc: disc * layout.scale, side,
                theme.readable(colors[index]))
        }
        // Lines to names go under all names.
        let all = landmarks + objects
        return all.flatMap { $0.dropLast(2) } + all.flatMap { $0.suffix(2) }
    }

    /// The name of an object with stages on its line below, on the side that its arrow does not go to.
    private func laneName(of index: Int, at moment: AnnotatedMoment) -> [Node] {
        let (object, anchor) = (moment.objects[index], laneAnchor(of: index, at: moment))
        let name = object.name(in: language)
        let width = TextExtent.width(name, fontSize: Annotator.fontSize)
        let toTheRight = kinds.contains(.vectors) && (object.direction ?? 0) < 0
        let isCentered = !kinds.contains(.vectors)
        let x = isCentered ? anchor.x - width / 2 : toTheRight ? anchor.x + 8 : anchor.x - 8 - width
        let alignment: Text.Alignment = isCentered ? .center : toTheRight ? .left : .right
        return [
            Draw.text(
                name, at: Point(x, anchor.y - 8.5), width: width, size: Annotator.fontSize,
                color: theme.readable(colors[index]),
                alignment: alignment)
        ]
    }

    /// A line to a name if it is not next to its point, a pale ground, and the name.
    private func label(_ name: String, at point: Point, disc: Double, _ side: LabelSide, _ color: Color) -> [Node] {
        let size = Size(
            TextExtent.width(name, fontSize: Annotator.fontSize), TextExtent.height(fontSize: Annotator.fontSize))
        let center = side.center(of: size, at: point, disc: disc, about: layout.place(table.center))
        let room = layout.panel.expanded(by: -3)
        let origin = Point(
            min(max(center.x - size.width / 2, room.x), room.maxX - size.width),
            min(max(center.y - size.height / 2, room.y), room.maxY - size.height))
        let box = Rect(x: origin.x, y: origin.y, width: size.width, height: size.height)
        let ground = Draw.box(box, radius: 3, fill: theme.backdrop.opacity(0.72))
        let text = Draw.text(
            name, at: origin, width: size.width, size: Annotator.fontSize, color: color, alignment: .center)
        guard side.hasLeader else { return [ground, text] }
        let near = Point(min(max(point.x, box.x), box.maxX), min(max(point.y, box.y), box.maxY))
        let start = point + (near - point) * min(1, disc / max(1, point.distance(to: near)))
        return [Draw.line(start, near, color.opacity(0.6)), ground, text]
    }
}

/// Where a name goes, seen from what it names. Sides never change with time, so that names do not flicker.
enum LabelSide {
    case above(lane: Int)
    case below
    case belowLeft
    case belowRight
    case left
    case right
    case outward(lane: Int)
    case inward

    /// Whether a line leads to the name.
    var hasLeader: Bool {
        switch self {
        case .above(let lane), .outward(let lane): lane > 0
        default: false
        }
    }

    /// Whether the name keeps clear of the largest disc that there ever is, so that it stands still.
    var isSteady: Bool {
        switch self {
        case .above, .below: true
        default: false
        }
    }

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

    /// The middle of a name's box of some size beside a disc at `point`; `hub` is what inward and outward refer to.
    func center(of size: Size, at point: Point, disc: Double, about hub: Point) -> Point {
        let (gap, width, height) = (disc + 5, size.width / 2, size.height / 2)
        switch self {
        case .above(let lane): return point + Point(0, -gap - height - Double(lane) * size.height)
        case .below: return point + Point(0, gap + height)
        case .belowLeft: return point + Point(-disc * 0.75 - 4 - width, disc * 0.75 + 4 + height)
        case .belowRight: return point + Point(disc * 0.75 + 6 + width, disc * 0.75 + 4 + height)
        case .left: return point + Point(-gap - 3 - width, 0)
        case .right: return point + Point(gap + 3 + width, 0)
        case .outward, .inward:
            let arm = point - hub
            let angle = atan2(arm.y, arm.x)
            let reach = abs(cos(angle)) * width + abs(sin(angle)) * height
            if case .outward(let lane) = self {
                return point.moved(by: gap + reach * Double(1 + 2 * lane), towards: angle)
            }
            return point.moved(by: -gap - reach, towards: angle)
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
    static func side(of name: String) -> LabelSide { sides[name] ?? .right }

    private static let sides: [String: LabelSide] = [
        "topCenter": .above(lane: 0), "rightPathC": .right, "bottomCenter": .belowRight, "leftPathC": .left,
        "l3": .below, "l2": .below, "l1": .below, "r1": .below, "r2": .below, "r3": .below, "c": .right,
        "O": .inward, "D": .outward(lane: 0), "begin": .belowRight, "control": .left, "end": .belowRight,
        "tail": .outward(lane: 1), "head": .outward(lane: 0), "tip": .outward(lane: 0),
        "left": .below, "right": .below, "spot 1": .above(lane: 1), "spot 2": .above(lane: 2),
        "spot 3": .above(lane: 3), "note 1": .belowLeft, "note 2": .belowLeft, "note 3": .belowLeft,
    ]

    /// Whether a point of the construction is the object itself, so that one name is enough: `c`, or the drop's ends.
    static func isSame(_ landmark: Landmark, _ object: MovingObject) -> Bool {
        landmark.name == object.name || landmark.name == object.name + "Center"
    }
}
