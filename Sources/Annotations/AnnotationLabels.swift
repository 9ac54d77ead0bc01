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
        let lanes = moment.objects.indices.filter { moment.objects[$0].step != nil && moment.named.contains($0) }
        let names = landmarkNames(at: moment) + objectNames(at: moment)
        let placed =
            keepsNamesApart
            ? names.keptApart(
                by: lanes.map { laneBox(of: $0, at: moment) }, discs: discs(at: moment), in: nameRoom)
            : names
        // Lines to names go under all names.
        return placed.flatMap(leader) + placed.flatMap(letters) + lanes.flatMap { laneName(of: $0, at: moment) }
    }

    private func landmarkNames(at moment: AnnotatedMoment) -> [PlacedName] {
        let largest = largestRadii.max() ?? 0
        return moment.bareLandmarks.map { landmark in
            let side = landmark.labelSide
            let disc =
                side.clearsPassers
                ? ObjectMark.ring.reach(beyond: largest * layout.scale)
                : side.depth(of: landmark.position, in: moment.objects) * layout.scale
            return name(
                landmark.name, at: layout.place(landmark.position), disc: max(disc, Self.pointRadius), side,
                theme.readable(theme.ink), leaderFrom: Self.pointRadius)
        }
    }

    private func objectNames(at moment: AnnotatedMoment) -> [PlacedName] {
        moment.objects.indices.compactMap { index in
            let object = moment.objects[index]
            guard object.step == nil, moment.named.contains(index) else { return nil }
            let landmark = moment.landmarks.first { $0.object == object.name }
            let side = landmark?.labelSide ?? object.labelSide
            let radius = (side.isSteady ? largestRadii[index] : object.radius) * layout.scale
            let isDot = marks[index] == .dot
            return name(
                landmark?.name ?? object.title.text(in: language), at: layout.place(object.position),
                disc: marks[index].reach(beyond: radius), side, theme.readable(colors[index]),
                heading: moment.velocities[index], leaderAt: layout.place(object.discCenter),
                leaderFrom: isDot
                    ? ObjectMark.dotRadius : marks[index].reach(beyond: object.radius * layout.scale))
        }
    }

    /// What objects cover on the picture; the jelly's points lie on the edge of what moves, and cover nothing.
    private func discs(at moment: AnnotatedMoment) -> [Disc] {
        moment.objects.filter { $0.radius > 0 }.map {
            Disc(center: layout.place($0.discCenter), radius: $0.radius * layout.scale)
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

    /// The room of all that is written below an object with steps.
    private func laneBox(of index: Int, at moment: AnnotatedMoment) -> Rect {
        let origin = laneTextOrigin(of: index, at: moment)
        return Rect(
            x: origin.x, y: origin.y, width: laneTextWidth(of: index, at: moment),
            height: TextExtent.height(fontSize: Self.fontSize))
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

    /// Where names may be.
    private var nameRoom: Rect { layout.panel.expanded(by: -2) }

    /// A name beside its point.
    private func name(
        _ name: String, at point: Point, disc: Double, _ side: LabelSide, _ color: Color, heading: Point = .zero,
        leaderAt start: Point? = nil, leaderFrom edge: Double
    ) -> PlacedName {
        let size = Size(
            TextExtent.width(name, fontSize: Annotator.fontSize), TextExtent.height(fontSize: Annotator.fontSize))
        let center = side.center(of: size, at: point, disc: disc, about: layout.place(table.center), heading: heading)
        let box = Rect(
            x: center.x - size.width / 2, y: center.y - size.height / 2, width: size.width, height: size.height)
        return PlacedName(name: name, color: color, point: start ?? point, edge: edge, box: box.moved(into: nameRoom))
    }

    /// A ground and the name.
    private func letters(_ name: PlacedName) -> [Node] {
        let box = name.box
        let ground = Draw.box(box, radius: 3, fill: theme.backdrop)
        let text = Draw.text(
            name.name, at: Point(box.x, box.y), width: box.width, size: Annotator.fontSize, color: name.color,
            alignment: .center)
        return [ground, text]
    }

    /// A thin line from the edge of what is named to just before a name's box, unless that is next to it.
    private func leader(_ name: PlacedName) -> [Node] {
        let (point, edge, box) = (name.point, name.edge, name.box)
        let near = box.nearest(to: point)
        let (length, gap) = (point.distance(to: near), 1.5)
        guard length > edge + 2 * gap + 5 else { return [] }
        let direction = (near - point) * (1 / length)
        return [Draw.line(point + direction * (edge + gap), near - direction * gap, name.color.opacity(0.75))]
    }
}

/// A name with its place, and what it names.
private struct PlacedName {
    let name: String
    let color: Color
    /// What is named, and how far from there a line to it begins.
    let point: Point
    let edge: Double
    var box: Rect
}

/// A disc on the picture.
private struct Disc {
    let center: Point
    let radius: Double

    var bounds: Rect { Rect(x: center.x - radius, y: center.y - radius, width: 2 * radius, height: 2 * radius) }

    /// Whether a box reaches into it.
    func meets(_ box: Rect) -> Bool { box.nearest(to: center).distance(to: center) < radius }
}

extension [PlacedName] {
    /// The names, those that would lie on others or on objects moved to the nearest place where they do not, if there is one:
    /// else to one where they lie on no name.
    fileprivate func keptApart(by fixed: [Rect], discs: [Disc], in room: Rect) -> [PlacedName] {
        var taken = fixed
        return map { name in
            var name = name
            func isApart(_ box: Rect) -> Bool {
                room.contains(box) && !taken.contains { $0.expanded(by: 0.5).intersection(box) != nil }
            }
            func isFree(_ box: Rect) -> Bool { isApart(box) && !discs.contains { $0.meets(box) } }
            if !isFree(name.box) {
                let box = name.box
                let places = (taken + discs.map(\.bounds)).flatMap { box.places(beside: $0, in: room) }
                let free = places.filter(isFree)
                let usable = free.isEmpty && !isApart(box) ? places.filter(isApart) : free
                name.box = usable.min { $0.center.distance(to: box.center) < $1.center.distance(to: box.center) } ?? box
            }
            taken.append(name.box)
            return name
        }
    }
}

extension Rect {
    /// The rectangle moved as little as puts it into another.
    fileprivate func moved(into room: Rect) -> Rect {
        Rect(
            x: min(max(x, room.x), room.maxX - width), y: min(max(y, room.y), room.maxY - height), width: width,
            height: height)
    }

    /// The rectangle above, below, left and right of another.
    fileprivate func places(beside other: Rect, in room: Rect) -> [Rect] {
        let gap = 1.0
        let corners = [
            Point(x, other.y - height - gap), Point(x, other.maxY + gap), Point(other.x - width - gap, y),
            Point(other.maxX + gap, y),
        ]
        return corners.map { Rect(x: $0.x, y: $0.y, width: width, height: height).moved(into: room) }
    }
}
