import Platform
import Loaders
import Motion
import Scene

/// The notes over the canvas that name things.
extension Annotator {
    private static let fontSize = 12.0

    // MARK: Construction

    /// Thin lines between the points of the article's construction, outside of ringed objects.
    func construction(at moment: AnnotatedMoment) -> [Node] {
        let lines = moment.construction.map { line -> Node in
            switch line {
            case .polyline(let corners): return Draw.polyline(corners.map(layout.place), theme.ink.opacity(0.5))
            case .path(let from, let control, let to):
                var path = Path()
                path.move(to: layout.place(from))
                path.addQuadCurve(to: layout.place(to), control: layout.place(control))
                return .shape(Shape(path, stroke: Stroke(theme.accent.opacity(0.7), width: 1)))
            }
        }
        let dots = moment.bareLandmarks.map {
            Draw.dot(layout.place($0.position), radius: Self.pointRadius, fill: theme.backdrop, outline: theme.ink)
        }
        return besideRings(lines, at: moment) + dots
    }

    // MARK: Names

    func labels(at moment: AnnotatedMoment) -> [Node] {
        let largest = largestRadii.max() ?? 0
        let landmarks = moment.bareLandmarks.map { landmark in
            let side = landmark.labelSide
            let disc =
                side.clearsPassers
                ? ObjectMark.ring.reach(beyond: largest * layout.scale)
                : side.depth(of: landmark.position, in: moment.objects) * layout.scale
            return label(
                landmark.name, at: layout.place(landmark.position), disc: max(disc, Self.pointRadius), side,
                theme.readable(theme.ink), leaderFrom: Self.pointRadius)
        }
        let objects = moment.objects.indices.filter(moment.named.contains).map { index -> [Node] in
            let object = moment.objects[index]
            if object.step != nil { return laneName(of: index, at: moment) }
            let landmark = moment.landmarks.first { $0.object == object.name }
            let name = landmark?.name ?? object.title.text(in: language)
            let side = landmark?.labelSide ?? object.labelSide
            let radius = (side.isSteady ? largestRadii[index] : object.radius) * layout.scale
            let isDot = marks[index] == .dot
            return label(
                name, at: layout.place(object.position), disc: marks[index].reach(beyond: radius), side,
                theme.readable(colors[index]), heading: moment.velocities[index],
                leaderAt: layout.place(object.discCenter),
                leaderFrom: isDot
                    ? ObjectMark.dotRadius : marks[index].reach(beyond: object.radius * layout.scale))
        }
        // Lines to names go under all names.
        let all = keepsNamesApart ? apart(landmarks + objects) : landmarks + objects
        return all.flatMap { $0.dropLast(2) } + all.flatMap { $0.suffix(2) }
    }

    /// Names that do not lie over one another: each goes down as far as those before it need, so that none jumps while things
    /// move. A small canvas has less room for names than they were given sides for.
    private func apart(_ labels: [[Node]]) -> [[Node]] {
        var taken: [Rect] = []
        return labels.map { nodes in
            guard case .text(var text)? = nodes.last, nodes.count > 1 else { return nodes }
            let before = text.frame
            // Each one may push it below the next.
            for _ in taken {
                guard let other = taken.first(where: { $0.crosses(text.frame) }) else { break }
                text.frame.y = other.maxY
            }
            taken.append(text.frame)
            guard text.frame != before else { return nodes }
            let ground = Draw.box(text.frame, radius: 3, fill: theme.backdrop)
            return nodes.dropLast(2) + [ground, .text(text)]
        }
    }

    /// The radius of a dot at a point that is no object.
    private static let pointRadius = 3.0

    /// The name of an object with steps on its line below: at the same place whichever way the object goes.
    private func laneName(of index: Int, at moment: AnnotatedMoment) -> [Node] {
        let name = moment.objects[index].title.text(in: language)
        let width = TextExtent.width(name, fontSize: Annotator.fontSize)
        let origin = laneTextOrigin(of: index, at: moment)
        return [
            Draw.text(
                name, at: origin + Point(0, 0.5), width: width, size: Annotator.fontSize,
                color: theme.readable(colors[index]))
        ]
    }

    /// Where the text below an object with steps begins: its name, its sign, or both, as a whole below the object.
    func laneTextOrigin(of index: Int, at moment: AnnotatedMoment) -> Point {
        laneAnchor(of: index, at: moment) - Point(laneTextWidth(of: index, at: moment) / 2, 9)
    }

    /// The width of an object's text below it; the sign has always the same room.
    func laneTextWidth(of index: Int, at moment: AnnotatedMoment) -> Double {
        let name = TextExtent.width(moment.objects[index].title.text(in: language), fontSize: Annotator.fontSize)
        let (hasName, hasSign) = (kinds.contains(.labels), kinds.contains(.vectors))
        return (hasName ? name : 0) + (hasName && hasSign ? 4 : 0) + (hasSign ? Self.signWidth : 0)
    }

    /// Room for a sign.
    static let signWidth = ["+1", "−1", "0"].map { TextExtent.width($0, fontSize: 13, bold: true) }.max() ?? 0

    /// A line to a name if it is not next to its point, a ground, and the name.
    private func label(
        _ name: String, at point: Point, disc: Double, _ side: LabelSide, _ color: Color, heading: Point = .zero,
        leaderAt start: Point? = nil, leaderFrom edge: Double
    ) -> [Node] {
        let size = Size(
            TextExtent.width(name, fontSize: Annotator.fontSize), TextExtent.height(fontSize: Annotator.fontSize))
        let center = side.center(of: size, at: point, disc: disc, about: layout.place(table.center), heading: heading)
        let room = layout.panel.expanded(by: -2)
        let origin = Point(
            min(max(center.x - size.width / 2, room.x), room.maxX - size.width),
            min(max(center.y - size.height / 2, room.y), room.maxY - size.height))
        let box = Rect(x: origin.x, y: origin.y, width: size.width, height: size.height)
        let ground = Draw.box(box, radius: 3, fill: theme.backdrop)
        let text = Draw.text(
            name, at: origin, width: size.width, size: Annotator.fontSize, color: color, alignment: .center)
        return leader(from: start ?? point, edge: edge, to: box, color.opacity(0.75)) + [ground, text]
    }

    /// A thin line from the edge of what is named to just before a name's box, unless that is next to it.
    private func leader(from point: Point, edge: Double, to box: Rect, _ color: Color) -> [Node] {
        let near = Point(min(max(point.x, box.x), box.maxX), min(max(point.y, box.y), box.maxY))
        let (length, gap) = (point.distance(to: near), 1.5)
        guard length > edge + 2 * gap + 5 else { return [] }
        let direction = (near - point) * (1 / length)
        return [Draw.line(point + direction * (edge + gap), near - direction * gap, color)]
    }
}

extension Rect {
    /// Whether two rectangles share more than an edge.
    fileprivate func crosses(_ other: Rect) -> Bool {
        intersection(other).map { $0.width > 1e-9 && $0.height > 1e-9 } ?? false
    }
}
