import Core

/// QQ's pull-to-refresh drop, as a part of a scene. A pull stretches a disc into a drop.
///
/// Source: "iOS: iQIYI, QQ pull and QQ Mail loading animations", part 2.
struct Drop: Sendable {
    static let color = Parameter.color("color", Color(101, 200, 250), "Colour of the drop")
    static let topRadius = Parameter.number("topRadius", 15, 3...30, "Radius of the disc at rest, the upper end")
    static let bottomRadius = Parameter.number("bottomRadius", 12, 2...30, "Radius of the lower end as a pull begins")
    static let dropStroke = Parameter.number("dropStroke", 1, 0...10, "Width of the drop's outline")
    static let gesture = Parameter.gesture("gesture", defaultGesture, "The pull: time:distance[:timing],...")

    static let parameters: [any LoaderParameter] = [color, topRadius, bottomRadius, dropStroke, gesture]

    /// The default gesture of 2.88 s: rest, a pull of 60 pt, a hold, the release, rest.
    static let defaultGesture: Gesture = {
        let keyframes: [Gesture.Keyframe] = [
            .init(0, 0), .init(Rational(9, 25), 0), .init(Rational(36, 25), 60, .easeInEaseOut),
            .init(Rational(9, 5), 60), .init(Rational(117, 50), 0, .easeOut), .init(Rational(72, 25), 0),
        ]
        do throws(Gesture.Problem) { return try Gesture(keyframes) } catch {
            preconditionFailure("gesture \(error.message)")
        }
    }()

    /// The distance of a pull, in points, that shrinks both radii by one point. From the article.
    private static let stiffness = 6.0
    /// The minimum lower radius of a stretched drop, in points.
    private static let minRadius = 1.0

    let values: ParameterValues
    /// The centre of the upper end in points.
    let top: Point

    /// A drop that hangs from `top`. Throws `ParameterError` if the lower radius is larger than the
    /// upper one, or too small for the distance of the pull.
    init(_ values: ParameterValues, top: Point) throws(ParameterError) {
        self.values = values
        self.top = top
        let upper = values[Self.topRadius]
        let lower = values[Self.bottomRadius]
        guard lower <= upper else {
            throw ParameterError(
                .usage,
                "bottomRadius=\(plain(lower)) is larger than topRadius=\(plain(upper)); use at most \(plain(upper))",
                subjects: .parameters(Self.bottomRadius.name, Self.topRadius.name))
        }
        let limit = Self.stiffness * (lower - Self.minRadius)
        let maxDistance = values[Self.gesture].maxDistance
        guard maxDistance <= limit else {
            throw ParameterError(
                .data,
                "gesture: the pull of \(plain(maxDistance)) pt is above the maximum of \(plain(limit)) pt for "
                    + "bottomRadius=\(plain(lower)); pull less or increase bottomRadius",
                subjects: .parameters(Self.gesture.name, Self.bottomRadius.name))
        }
    }

    /// Returns the drop at `time` seconds of the gesture.
    func node(at time: Rational) -> Node {
        let color = values[Self.color]
        let width = values[Self.dropStroke]
        let path = outline(pull: values[Self.gesture].distance(at: time))
        return .shape(Shape(path, fill: color, stroke: width > 0 ? Stroke(color, width: width) : nil))
    }

    /// Returns the drop's two ends at `time` seconds of the gesture.
    func objects(at time: Rational) -> [MovingObject] {
        let pull = values[Self.gesture].distance(at: time)
        let outline = values[Self.dropStroke] / 2
        let upper = values[Self.topRadius] - pull / Self.stiffness + outline
        let lower = pull > 0 ? values[Self.bottomRadius] - pull / Self.stiffness + outline : upper
        return [
            MovingObject("top", title: LocalizedText("top", zh: "上端"), values[Self.color], at: top, radius: upper),
            MovingObject(
                "bottom", title: LocalizedText("bottom", zh: "下端"), values[Self.color],
                at: Point(top.x, top.y + pull), radius: lower),
        ]
    }

    /// Returns the four points of the article's figure at `time` seconds of the gesture.
    func landmarks(at time: Rational) -> [Landmark] {
        let pull = values[Self.gesture].distance(at: time)
        let lower = values[Self.bottomRadius] - pull / Self.stiffness
        // The arrow is vertical, so labels go to the sides. The shifts make room for all four
        // labels when the drop is a disc.
        return [
            Landmark("topCenter", top, labelSide: .left(shift: -14), centerOf: "top"),
            Landmark("rightPathC", Point(top.x + lower, top.y + pull / 2), labelSide: .right(shift: -14)),
            Landmark("bottomCenter", Point(top.x, top.y + pull), labelSide: .right(shift: 6), centerOf: "bottom"),
            Landmark("leftPathC", Point(top.x - lower, top.y + pull / 2), labelSide: .left(shift: 6)),
        ]
    }

    /// Returns the closed polygon through the four points of the figure.
    func construction(at time: Rational) -> [ConstructionLine] {
        let corners = landmarks(at: time).map(\.position)
        return [.polyline(corners + corners.prefix(1))]
    }

    /// Returns the outline for a pull of `pull` points.
    private func outline(pull: Double) -> Path {
        guard pull > 0 else { return .circle(center: top, radius: values[Self.topRadius]) }
        let upper = values[Self.topRadius] - pull / Self.stiffness
        let lower = values[Self.bottomRadius] - pull / Self.stiffness
        let bottom = Point(top.x, top.y + pull)
        let right = Point(top.x + lower, top.y + pull / 2)
        let left = Point(top.x - lower, top.y + pull / 2)
        var path = Path()
        path.addArc(center: top, radius: upper, startAngle: .pi, endAngle: 2 * .pi)
        path.addQuadCurve(to: Point(right.x, bottom.y), control: right)
        path.addArc(center: bottom, radius: lower, startAngle: 2 * .pi, endAngle: 3 * .pi)
        path.addQuadCurve(to: Point(top.x - upper, top.y), control: left)
        path.close()
        return path
    }
}
