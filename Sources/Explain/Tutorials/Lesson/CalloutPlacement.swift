import Animations
import Core
import Render

/// The placement of callouts near their targets, with lines to them.
///
/// Callouts never cover annotations or each other. They cover the loader's drawing only where no
/// better position exists.
struct CalloutPlacement {
    private let annotator: Annotator
    private let style: LessonStyle

    init(_ annotator: Annotator, style: LessonStyle) {
        self.annotator = annotator
        self.style = style
    }

    private static let fontSize = LessonStyle.small
    /// The space around the text of a callout, in points.
    private static let inset = 5.0
    /// The space between callouts and the edge of the board, in points: nearer ones look cut off.
    private static let edgeMargin = 8.0
    /// Preferred distance of a callout from its target, in points.
    private static let distance = 14.0

    private struct Box {
        var rect: Rect
        var lines: [String]
    }

    /// Returns the callouts at an instant. Throws `DocumentError` if one does not fit.
    ///
    /// - Parameter notes: the bounds of annotations, which callouts do not cover.
    func placed(
        _ callouts: [Callout], at time: Rational, notCovering notes: [Rect]
    ) throws(DocumentError) -> [PlacedCallout] {
        guard !callouts.isEmpty else { return [] }
        let loader = annotator.loader
        let timeInPeriod = time.modulo(loader.period)
        let drawnBounds = loader.nodes(at: timeInPeriod).flatMap { obstacles(of: $0) }.map { inPanel($0) } + notes
        let targets = callouts.map { annotator.target($0.target, at: timeInPeriod)?.center }
        let visibility = ObjectVisibility(loader, at: timeInPeriod)
        var taken: [Rect] = []
        var placed: [PlacedCallout] = []
        for (index, callout) in callouts.enumerated() {
            guard let target = annotator.target(callout.target, at: timeInPeriod) else { continue }
            let rivals = targets.indices.filter { $0 != index }.compactMap { targets[$0] }
            let box = box(
                callout.text.text, for: target.center, radius: target.radius, preferablyAvoiding: drawnBounds + taken,
                notOverlapping: taken + notes, rivals: rivals)
            guard let box else {
                throw DocumentError(
                    at: callout.text.location, "a text of 'point' does not fit in layout \(style.layout)",
                    remedy: "use fewer words, or less in 'show'", found: quoted(callout.text.text))
            }
            taken.append(box.rect)
            placed.append(
                PlacedCallout(
                    target: callout.target,
                    needsHole: !visibility.isOnTop(callout.target),
                    leader: leader(from: box.rect, to: target.center, radius: target.radius),
                    box: draw(box)))
        }
        return placed
    }

    /// Returns rectangles that cover a node: its bounds, or for a path that is only stroked, small
    /// squares along its arcs, since callouts may be inside a circle.
    private func obstacles(of node: Node) -> [Rect] {
        guard case .shape(let shape) = node, shape.fill == nil, let stroke = shape.stroke else {
            return node.bounds.map { [$0] } ?? []
        }
        // Only arcs surround an area in which a callout is readable.
        let isMadeOfArcs = shape.path.elements.allSatisfy {
            switch $0 {
            case .move, .arc, .close: true
            case .line, .quadratic, .cubic: false
            }
        }
        guard isMadeOfArcs else { return node.bounds.map { [$0] } ?? [] }
        let pieces = 32
        return shape.path.elements.flatMap { element -> [Rect] in
            guard case .arc(let center, let radius, let start, let end) = element else { return [] }
            let reach = stroke.width / 2 + radius * abs(end - start) / Double(2 * pieces)
            return (0..<pieces).map { piece in
                let angle = start + (end - start) * (Double(piece) + 0.5) / Double(pieces)
                let middle = center.moved(by: radius, towards: angle)
                return Rect(x: middle.x - reach, y: middle.y - reach, width: 2 * reach, height: 2 * reach)
            }
        }
    }

    private func inPanel(_ rect: Rect) -> Rect {
        let topLeft = annotator.place(Point(rect.x, rect.y))
        let bottomRight = annotator.place(Point(rect.maxX, rect.maxY))
        return Rect(x: topLeft.x, y: topLeft.y, width: bottomRight.x - topLeft.x, height: bottomRight.y - topLeft.y)
    }

    /// Returns the best position of a callout; nil if it does not fit.
    ///
    /// The position does not overlap `forbidden`. Among such positions it has the lowest cost: a
    /// weighted sum of the deviation from the preferred distance, the overlap with `obstacles`, the
    /// closeness to other targets, and the number of lines.
    private func box(
        _ text: String, for target: Point, radius: Double, preferablyAvoiding obstacles: [Rect],
        notOverlapping forbidden: [Rect], rivals: [Point]
    ) -> Box? {
        let panel = annotator.panelFrame.expanded(by: -Self.edgeMargin)
        let height = LessonStyle.lineHeight(Self.fontSize)
        var best: (box: Box, cost: Double)?
        let forbidden = forbidden.map { $0.expanded(by: 2) }
        for lines in broken(text, width: panel.width * Self.maxWidthShare - 2 * Self.inset) {
            let widest = lines.map { style.width($0, Self.fontSize) }.max() ?? 0
            let size = Size(widest + 2 * Self.inset + 2, height * Double(lines.count) + 2)
            guard size.width <= panel.width, size.height <= panel.height else { continue }
            for x in stride(from: panel.x, through: panel.maxX - size.width, by: 6) {
                for y in stride(from: panel.y, through: panel.maxY - size.height, by: 6) {
                    let rect = Rect(x: x, y: y, width: size.width, height: size.height)
                    guard !forbidden.contains(where: { $0.overlap(with: rect) > 0 }) else { continue }
                    let distance = rect.distance(to: target)
                    let overlap = obstacles.reduce(0) { $0 + rect.overlap(with: $1) }
                    let gap = distance - radius
                    // Closer to another target, a callout would seem to belong to that one, and
                    // lines would cross.
                    let nearness = max(0, distance + 6 - (rivals.map { rect.distance(to: $0) }.min() ?? .infinity))
                    let cost =
                        max(gap, 8 * (Self.distance - gap)) + 4 * overlap + 3 * nearness + 6 * Double(lines.count)
                    if best.map({ cost < $0.cost }) ?? true { best = (Box(rect: rect, lines: lines), cost) }
                }
            }
        }
        return best?.box
    }

    /// The width of the widest callout as a share of the board's.
    private static let maxWidthShare = 0.9
    /// The minimum length of each of two lines, in the unit of `ReadingSpeed`: a shorter one reads
    /// as a remnant of the other.
    private static let minLineLength = Rational(4)

    /// Returns the lines in which a text fits a width: one, and two that break between words, as
    /// those of captions do.
    private func broken(_ text: String, width: Double) -> [[String]] {
        func measured(_ line: String) -> Double { style.width(line, Self.fontSize) }
        let two = CaptionBreaker.twoLines(of: text) {
            measured($0)
        } fits: {
            measured($0) <= width
        }
        let whole = measured(text) <= width ? [[text]] : []
        guard let two, whole.isEmpty || two.allSatisfy({ isLong($0) }) else { return whole }
        return whole + [two]
    }

    private func isLong(_ line: String) -> Bool {
        let length = ReadingSpeed.length(of: line)
        return length * (Language(ofText: line) == .zh ? 2 : 1) >= Self.minLineLength
    }

    private func draw(_ box: Box) -> [Node] {
        let theme = annotator.theme
        let height = LessonStyle.lineHeight(Self.fontSize)
        let texts = box.lines.enumerated().map { row, line in
            style.line(
                line, at: box.rect.center.x, middle: box.rect.y + 1 + height * (Double(row) + 0.5), size: Self.fontSize,
                color: theme.readable(theme.ink), alignment: .center)
        }
        let ground = Draw.box(box.rect, radius: 5, fill: theme.backdrop, stroke: Stroke(theme.accent, width: 1))
        return [ground] + texts
    }

    private func leader(from box: Rect, to target: Point, radius: Double) -> PlacedCallout.Leader? {
        let near = box.nearest(to: target)
        let length = near.distance(to: target)
        guard length > radius + 3 else { return nil }
        let unit = (near - target) * (1 / length)
        let tip = target + unit * (radius + 1.5)
        return PlacedCallout.Leader(tip: tip, end: near, color: annotator.theme.accent)
    }
}

/// A callout with its position on the frame.
struct PlacedCallout: Sendable {
    /// The line from a target to a box.
    struct Leader: Sendable {
        let tip: Point
        let end: Point
        let color: Color
    }

    /// The name of the object or construction point.
    let target: String
    /// True if a copy of the object above a shade would look different from the object: it is
    /// translucent, or something covers or cuts it.
    var needsHole = false
    let leader: Leader?
    let box: [Node]

    /// Returns the callout at a share of its appearance: the line grows from the target, and the
    /// box fades in.
    func nodes(_ share: Double) -> [Node] {
        guard share > 0 else { return [] }
        let line = leader.map { leader in
            let end = share >= 1 ? leader.end : leader.tip + (leader.end - leader.tip) * share
            return [
                Draw.line(leader.tip, end, leader.color, width: 1.25),
                Draw.dot(leader.tip, radius: 2.25, fill: leader.color),
            ]
        }
        return (line ?? []) + box.faded(share)
    }
}

extension Rect {
    /// Returns the distance to a point; 0 inside the rectangle.
    fileprivate func distance(to point: Point) -> Double {
        nearest(to: point).distance(to: point)
    }

    /// Returns the square root of the intersection's area, a length that compares with distances.
    fileprivate func overlap(with other: Rect) -> Double {
        guard let shared = intersection(other) else { return 0 }
        return (shared.width * shared.height).squareRoot()
    }
}
