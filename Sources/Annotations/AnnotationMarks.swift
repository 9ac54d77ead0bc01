import Loaders
import Scene

/// How an object is told from the others, on the canvas and in the list of objects alike.
enum ObjectMark: Sendable, Hashable {
    /// By its own colour, which no other has.
    case none
    /// By a ring of another colour around it.
    case ring
    /// By a dot of another colour: a bare point, or one that the construction names.
    case dot

    /// The width of a ring, and its distance from the disc, in points of the picture.
    static let (ringWidth, ringGap) = (2.0, 1.5)
    /// The radius of a dot, its outline included.
    static let dotRadius = 4.0

    /// How far the mark reaches beyond a disc of the object's radius on the picture.
    func reach(beyond radius: Double) -> Double {
        switch self {
        case .none: radius
        case .ring: radius + ObjectMark.ringGap + ObjectMark.ringWidth
        case .dot: max(radius, ObjectMark.dotRadius)
        }
    }
}

extension Annotator {
    static func marks(of objects: [MovingObject], landmarks: [Landmark]) -> [ObjectMark] {
        objects.indices.map { index in
            let object = objects[index]
            if AnnotationTheme.hasOwnColor(index, in: objects) { return .none }
            let isNamed = landmarks.contains { $0.object == object.name }
            return object.radius == 0 || isNamed ? .dot : .ring
        }
    }

    /// The marks of objects that share a colour, on the canvas, the front ones last.
    func marks(at moment: AnnotatedMoment) -> [Node] {
        let order = moment.objects.indices.filter(moment.named.contains).sorted {
            moment.objects[$0].depth < moment.objects[$1].depth
        }
        return order.flatMap { index -> [Node] in
            let center = layout.place(moment.objects[index].discCenter)
            switch marks[index] {
            case .none: return []
            case .dot: return [dot(center, colors[index], on: theme)]
            case .ring:
                let radius = moment.objects[index].radius * layout.scale + ObjectMark.ringGap
                return ring(center, radius: radius, colors[index])
            }
        }
    }

    /// Nodes without what lies inside of objects' rings, so that an object is seen as it is, even if one sees through it.
    func besideRings(_ nodes: [Node], at moment: AnnotatedMoment) -> [Node] {
        guard !nodes.isEmpty else { return [] }
        return moment.objects.indices.filter { marks[$0] == .ring }.reduce(nodes) { nodes, index in
            let center = layout.place(moment.objects[index].discCenter)
            let radius = marks[index].reach(beyond: moment.objects[index].radius * layout.scale)
            var clip = Path.rectangle(layout.panel)
            clip.move(to: center.moved(by: radius, towards: 0))
            // Against the rectangle's direction: a hole.
            clip.addArc(center: center, radius: radius, startAngle: 0, endAngle: -2 * .pi)
            clip.close()
            return [.group(Group(clip: clip, nodes: nodes))]
        }
    }

    /// An object as the list shows it: as it is seen on the canvas.
    func swatch(ofObject index: Int, at center: Point) -> [Node] {
        let (own, color) = (objectColors[index], stripColors[index])
        switch marks[index] {
        case .none: return [Draw.dot(center, radius: 5, fill: own, outline: color)]
        case .dot: return [dot(center, color, on: surround)]
        case .ring: return [Draw.dot(center, radius: 4, fill: own)] + ring(center, radius: 4.5, color, hasGround: false)
        }
    }

    private func dot(_ center: Point, _ color: Color, on theme: AnnotationTheme) -> Node {
        Draw.dot(center, radius: ObjectMark.dotRadius - 0.5, fill: color, outline: theme.backdrop)
    }

    /// A ring that begins at a radius. On the canvas a thin ground keeps it apart from what is below.
    private func ring(_ center: Point, radius: Double, _ color: Color, hasGround: Bool = true) -> [Node] {
        func circle(_ color: Color, _ width: Double) -> Node {
            let path = Path.circle(center: center, radius: radius + ObjectMark.ringWidth / 2)
            return .shape(Shape(path, stroke: Stroke(color, width: width, join: .round)))
        }
        let line = circle(color, ObjectMark.ringWidth)
        return hasGround ? [circle(theme.backdrop, ObjectMark.ringWidth + 1.5), line] : [line]
    }
}
