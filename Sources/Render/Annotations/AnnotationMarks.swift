import Animations
import Core

/// The mark that distinguishes an object from the others, on the canvas and in the list of objects.
enum ObjectMark: Sendable, Hashable {
    /// No mark: no other object has the same colour.
    case none
    /// A ring of a distinct colour around the object.
    case ring
    /// A dot of a distinct colour, for an object without a disc or one that the construction names.
    case dot

    /// The width of a ring in points of the frame.
    static let ringWidth = 2.0
    /// The distance between a disc and its ring in points of the frame.
    static let ringGap = 1.5
    /// The radius of a dot including its outline, in points of the frame.
    static let dotRadius = 4.0

    /// Returns the outer radius of the mark around a disc of the given radius, in points of the
    /// frame.
    func outerRadius(around radius: Double) -> Double {
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
            return object.radius == 0 || isNamed || !object.hasPosition ? .dot : .ring
        }
    }

    /// Returns the marks over the canvas for objects that share a colour, back to front.
    func marks(at moment: AnnotatedMoment) -> [Node] {
        let visible = moment.objects.indices.filter {
            moment.named.contains($0) && moment.extents[$0] != nil && !moment.hides(objectAt: $0)
        }
        let order = visible.sorted {
            moment.objects[$0].depth < moment.objects[$1].depth
        }
        return order.flatMap { index -> [Node] in
            let center = layout.place(moment.objects[index].discCenter)
            switch marks[index] {
            case .none: return []
            case .dot:
                // The centre of an object that only turns, grows or fades is often empty.
                guard marginNames[index] != nil, !curves.moves(index), moment.drawings[index] != nil else {
                    return [dot(center, colors[index], on: theme, scale: pointScale)]
                }
                return moment.leaderEnds[index].map { [dot($0, colors[index], on: theme, scale: pointScale)] } ?? []
            case .ring:
                let radius = moment.objects[index].radius * layout.scale + ObjectMark.ringGap
                return ring(center, radius: radius, colors[index])
            }
        }
    }

    /// Returns nodes clipped to the outside of all rings, so that even a translucent object looks
    /// as it does without notes. Invisible objects have no rings.
    func outsideRings(_ nodes: [Node], at moment: AnnotatedMoment) -> [Node] {
        guard !nodes.isEmpty else { return [] }
        return moment.objects.indices.filter { marks[$0] == .ring && moment.extents[$0] != nil }.reduce(nodes) {
            nodes, index in
            let center = layout.place(moment.objects[index].discCenter)
            let radius = marks[index].outerRadius(around: moment.objects[index].radius * layout.scale)
            var clip = Path.rectangle(layout.panel)
            clip.move(to: center.moved(by: radius, towards: 0))
            // The opposite direction of the rectangle's makes a hole.
            clip.addArc(center: center, radius: radius, startAngle: 0, endAngle: -2 * .pi)
            clip.close()
            return [.group(Group(clip: clip, nodes: nodes))]
        }
    }

    /// Returns an object's swatch in the list of objects, with the same mark as on the canvas.
    func swatch(ofObject index: Int, at center: Point) -> [Node] {
        let own = objectColors[index]
        let color = bandColors[index]
        switch marks[index] {
        case .none: return [Draw.dot(center, radius: 5, fill: own, outline: color)]
        case .dot: return [dot(center, color, on: surround)]
        case .ring: return [Draw.dot(center, radius: 4, fill: own)] + ring(center, radius: 4.5, color, hasHalo: false)
        }
    }

    /// The factor on the radii of points: a small drawing without names gets small points.
    var pointScale: Double { showsLabels ? 1 : 0.6 }

    private func dot(_ center: Point, _ color: Color, on theme: AnnotationTheme, scale: Double = 1) -> Node {
        Draw.dot(center, radius: (ObjectMark.dotRadius - 0.5) * scale, fill: color, outline: theme.backdrop)
    }

    /// Returns a ring with the given inner radius. On the canvas, a thin halo separates it from the
    /// drawing below.
    private func ring(_ center: Point, radius: Double, _ color: Color, hasHalo: Bool = true) -> [Node] {
        func circle(_ color: Color, _ width: Double) -> Node {
            let path = Path.circle(center: center, radius: radius + ObjectMark.ringWidth / 2)
            return .shape(Shape(path, stroke: Stroke(color, width: width, join: .round)))
        }
        let line = circle(color, ObjectMark.ringWidth)
        return hasHalo ? [circle(theme.backdrop, ObjectMark.ringWidth + 1.5), line] : [line]
    }
}
