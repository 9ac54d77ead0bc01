import Animations
import Core

/// The overlays that name objects and points: construction lines, labels and leaders.
extension Annotator {
    /// The font size of names over the canvas, in points of the frame.
    static let fontSize = 12.0

    // MARK: Construction

    /// Returns thin lines between the points of the construction, clipped to the outside of
    /// objects' rings.
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
        let dots = moment.bareLandmarks.filter { !moment.hidden.contains($0.name) }.map {
            Draw.dot(
                layout.place($0.position), radius: Self.pointRadius * pointScale, fill: theme.backdrop,
                outline: theme.ink)
        }
        return outsideRings(lines, at: moment) + dots
    }

    // MARK: Names

    func labels(at moment: AnnotatedMoment) -> [Node] {
        guard showsLabels else { return [] }
        let labelRows = moment.objects.indices.filter { moment.objects[$0].step != nil && moment.named.contains($0) }
        let names = landmarkNames(at: moment) + objectNames(at: moment)
        let beside = marginNames(at: moment)
        let placed =
            keepsNamesApart
            ? names.separated(
                by: labelRows.map { labelRowBounds(of: $0, at: moment) } + beside.map(\.box),
                discs: discs(at: moment), art: art(beneath: names, at: moment), in: nameRoom)
            : names
        let shown = placed.filter { !moment.hidden.contains($0.name) } + beside
        // Leaders are below all names.
        return beside.flatMap(halo) + shown.flatMap(leader) + shown.flatMap(text(of:))
            + labelRows.flatMap { labelRowName(of: $0, at: moment) }
    }

    /// The width of the widest name over the canvas, in points of the frame; 0 without any.
    package var maxNameWidth: Double {
        let points = loader.landmarks(at: .zero)
        let objects = zip(loader.objects(at: .zero), titles).filter { object, _ in
            object.step == nil && !points.contains { $0.object == object.name }
        }
        let names = points.map(\.name) + objects.map(\.1)
        return names.map { TextExtent.width($0, fontSize: Self.fontSize) }.max() ?? 0
    }

    private func landmarkNames(at moment: AnnotatedMoment) -> [PlacedName] {
        let largest = maxRadii.max() ?? 0
        return moment.bareLandmarks.map { landmark in
            let side = landmark.labelSide
            let disc =
                side.clearsPassingObjects
                ? ObjectMark.ring.outerRadius(around: largest * layout.scale)
                : side.depth(of: landmark.position, in: moment.objects) * layout.scale
            return name(
                landmark.name, at: layout.place(landmark.position), disc: max(disc, Self.pointRadius), side,
                theme.readable(theme.ink), leaderFrom: Self.pointRadius)
        }
    }

    private func objectNames(at moment: AnnotatedMoment) -> [PlacedName] {
        moment.objects.indices.compactMap { index in
            let object = moment.objects[index]
            guard object.step == nil, moment.named.contains(index), marginNames[index] == nil else { return nil }
            let landmark = moment.landmarks.first { $0.object == object.name }
            let side = landmark?.labelSide ?? object.labelSide
            let radius = (side.isSteady ? maxRadii[index] : object.radius) * layout.scale
            let isDot = marks[index] == .dot
            return name(
                landmark?.name ?? titles[index], at: layout.place(object.position),
                disc: marks[index].outerRadius(around: radius), side, theme.readable(colors[index]),
                heading: moment.velocities[index], leaderAt: layout.place(object.discCenter),
                leaderFrom: isDot
                    ? ObjectMark.dotRadius : marks[index].outerRadius(around: object.radius * layout.scale))
        }
    }

    /// Returns the names in columns and rows beside the drawing. An object that is invisible,
    /// covered or outside the canvas has no name at that time.
    private func marginNames(at moment: AnnotatedMoment) -> [PlacedName] {
        marginNames.sorted { $0.key < $1.key }.compactMap { index, box in
            guard moment.named.contains(index) else { return nil }
            let object = moment.objects[index]
            let center = layout.place(object.discCenter)
            let edge = marks[index].outerRadius(around: object.radius * layout.scale)
            var name = PlacedName(
                name: marginTexts[index], color: theme.readable(colors[index]), point: center, edge: edge, box: box)
            guard let extent = moment.extents[index] else { return nil }
            if endsAtInk(index, at: moment) {
                let end = moment.leaderEnds[index]
                let hasDot = marks[index] == .dot && !curves.moves(index)
                // Without a bitmap, the visible points are not known.
                if end == nil, moment.bitmap != nil { return nil }
                name.point = end ?? center
                name.edge = end == nil ? .infinity : hasDot ? ObjectMark.dotRadius : -Self.leaderGap
            } else if object.radius == 0 {
                name.point = leaderEnd(on: extent, from: box)
                name.edge = 0
            }
            return name
        }
    }

    /// Returns true if an object's leader ends at a visible pixel of its drawing. Other leaders end
    /// at the ring around the object or, if its drawing is not known, at the edge of its extent.
    private func endsAtInk(_ index: Int, at moment: AnnotatedMoment) -> Bool {
        marks[index] != .ring && moment.drawings[index] != nil
    }

    /// Returns the loader's drawing at a time in 0..<`period`; nil if it cannot be drawn.
    private func bitmap(at time: Rational) -> CanvasBitmap? {
        CanvasBitmap(loader.nodes(at: time), canvas: loader.canvas)
    }

    /// Sets the ends of leaders at visible pixels of the objects: those nearest to the names.
    func setLeaderEnds(of moment: inout AnnotatedMoment) {
        guard kinds.contains(.labels), showsLabels else { return }
        let objects = marginNames.filter { index, _ in
            moment.named.contains(index) && moment.extents[index] != nil && endsAtInk(index, at: moment)
        }
        let canvas = Rect(size: loader.canvas)
        guard !objects.isEmpty, let part = layout.onCanvas(layout.panel).intersection(canvas),
            let whole = bitmap(at: moment.time)
        else { return }
        moment.bitmap = whole
        for (index, box) in objects {
            guard let nodes = moment.drawings[index], let extent = moment.extents[index],
                let own = CanvasBitmap(nodes, canvas: loader.canvas)
            else { continue }
            let start = box.leaderStart(towards: layout.place(extent.center))
            let ink = ObjectInk(own, among: whole, in: part)
            let target = layout.onCanvas(Rect(x: start.x, y: start.y, width: 0, height: 0)).center
            moment.leaderEnds[index] = ink.nearest(to: target).map(layout.place)
        }
    }

    /// Returns the end of a leader to a large object: on the side of its extent that faces the
    /// name, so that the line does not cross the drawing.
    private func leaderEnd(on extent: Rect, from box: Rect) -> Point {
        let corner = layout.place(Point(extent.x, extent.y))
        let size = Size(extent.width * layout.scale, extent.height * layout.scale)
        let middle = corner + Point(size.width / 2, size.height / 2)
        // The corners of an extent are often empty.
        let inner = Rect(
            x: corner.x, y: middle.y - size.height / 4, width: size.width, height: size.height / 2)
        return inner.nearest(to: box.leaderStart(towards: middle))
    }

    /// Returns the discs of visible objects on the frame. Objects without a disc cover nothing.
    private func discs(at moment: AnnotatedMoment) -> [Disc] {
        moment.objects.indices.filter { moment.objects[$0].radius > 0 && moment.extents[$0] != nil }.map {
            let object = moment.objects[$0]
            return Disc(center: layout.place(object.discCenter), radius: object.radius * layout.scale)
        }
    }

    /// Returns a function that is true for boxes of the frame that cover the loader's drawing.
    private func art(beneath names: [PlacedName], at moment: AnnotatedMoment) -> (Rect) -> Bool {
        guard !names.isEmpty, let bitmap = moment.bitmap ?? bitmap(at: moment.time) else { return { _ in false } }
        let mask = ArtMask(bitmap: bitmap)
        return { mask.meets(layout.onCanvas($0)) }
    }

    /// The radius of the dot at a point that is not an object, in points of the frame.
    private static let pointRadius = 3.0

    /// Returns the name of an object with steps in its label row. Its offset from the object does
    /// not depend on the direction of motion.
    private func labelRowName(of index: Int, at moment: AnnotatedMoment) -> [Node] {
        let name = titles[index]
        let width = TextExtent.width(name, fontSize: Annotator.fontSize)
        let origin = labelRowOrigin(of: index, at: moment)
        return [
            Draw.text(
                name, at: origin + Point(0, 0.5), width: width, size: Annotator.fontSize,
                color: theme.readable(colors[index]))
        ]
    }

    /// Returns the bounds of the text in an object's label row.
    private func labelRowBounds(of index: Int, at moment: AnnotatedMoment) -> Rect {
        let origin = labelRowOrigin(of: index, at: moment)
        return Rect(
            x: origin.x, y: origin.y, width: labelRowWidth(of: index, at: moment),
            height: TextExtent.height(fontSize: Self.fontSize))
    }

    /// Returns the origin of the text in an object's label row. The text is the name, the sign or
    /// both, and is centred below the object.
    func labelRowOrigin(of index: Int, at moment: AnnotatedMoment) -> Point {
        labelRowAnchor(of: index, at: moment) - Point(labelRowWidth(of: index, at: moment) / 2, 9)
    }

    /// Returns the width of the text in an object's label row. All signs have the same width.
    func labelRowWidth(of index: Int, at moment: AnnotatedMoment) -> Double {
        let name = TextExtent.width(titles[index], fontSize: Annotator.fontSize)
        let hasName = kinds.contains(.labels) && showsLabels
        let hasSign = kinds.contains(.vectors)
        return (hasName ? name : 0) + (hasName && hasSign ? 4 : 0) + (hasSign ? Self.signWidth : 0)
    }

    /// The width reserved for a sign, in points.
    static let signWidth = ["+1", "−1", "0"].map { TextExtent.width($0, fontSize: 13, bold: true) }.max() ?? 0

    /// The rectangle in which names can lie.
    private var nameRoom: Rect { layout.panel.expanded(by: -2) }

    /// Returns a name beside its point.
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

    /// Returns the text of a name on a background.
    private func text(of name: PlacedName) -> [Node] {
        let box = name.box
        let background = Draw.box(box, radius: 3, fill: theme.backdrop)
        let text = Draw.text(
            name.name, at: Point(box.x, box.y), width: box.width, size: Annotator.fontSize, color: name.color,
            alignment: .center)
        return [background, text]
    }

    /// The distance between an object and the start of its leader's halo, in points of the frame.
    private static let haloGap = 4.0
    /// The space at the ends of a leader, in points of the frame.
    private static let leaderGap = 1.5

    /// Returns a thin line from the named object or point to its name, or nothing if they are
    /// adjacent.
    private func leader(_ name: PlacedName) -> [Node] {
        leaderLine(name).map { [Draw.line($0.start, $0.end, name.color.opacity(0.75))] } ?? []
    }

    /// Returns the halo of a line from an object to its name. It keeps the line visible over art of
    /// any colour, because the line contrasts with the panel only.
    private func halo(_ name: PlacedName) -> [Node] {
        guard let line = leaderLine(name) else { return [] }
        // The halo does not cut into the object.
        let length = line.start.distance(to: line.end)
        let start = line.start + (line.end - line.start) * min(1, Self.haloGap / length)
        return [Draw.line(start, line.end, theme.backdrop.opacity(0.75), width: 2.5)]
    }

    private func leaderLine(_ name: PlacedName) -> LineSegment? {
        let point = name.point
        let edge = name.edge
        let near = name.box.nearest(to: point)
        let length = point.distance(to: near)
        guard length > edge + 2 * Self.leaderGap + 5 else { return nil }
        let direction = (near - point) * (1 / length)
        return LineSegment(point + direction * (edge + Self.leaderGap), near - direction * Self.leaderGap)
    }
}
