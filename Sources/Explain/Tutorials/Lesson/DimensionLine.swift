import Animations
import Core
import Render

/// A line with the distance between two objects or points, as in a technical drawing: it lies
/// beside them, with a thin line from each.
struct DimensionLine {
    let callout: PlacedCallout
    /// The areas that callouts leave free.
    let bounds: [Rect]

    /// The distance of the line from the discs that it measures, in points of the frame.
    private static let offset = 12.0
    /// Half the length of the strokes at the ends of the line.
    private static let tick = 4.0
    private static let fontSize = LessonStyle.small

    /// Lays out the line between two targets; nil unless there are two and the line and its text
    /// fit on the board.
    init?(_ targets: [String], at time: Rational, _ annotator: Annotator, _ style: LessonStyle) {
        let time = time.modulo(annotator.loader.period)
        let ends = targets.compactMap { annotator.target($0, at: time) }
        guard ends.count == 2, targets.count == 2 else { return nil }
        let first = ends[0].center
        let second = ends[1].center
        let length = first.distance(to: second)
        guard length > 0 else { return nil }
        let text = NumberText.decimal(length / annotator.scale, places: 1) + " pt"
        let along = (second - first) * (1 / length)
        let reach = max(ends[0].radius, ends[1].radius) + Self.offset
        // Below or to the right if there is room: callouts are mostly above.
        let sides = [Point(-along.y, along.x), Point(along.y, -along.x)].sorted { ($1.y, $1.x) < ($0.y, $0.x) }
        let size = Size(style.width(text, Self.fontSize) + 6, LessonStyle.lineHeight(Self.fontSize))
        for side in sides {
            let shift = side * reach
            let middle = (first + second) * 0.5 + shift
            let distance = 4 + abs(side.x) * size.width / 2 + abs(side.y) * size.height / 2
            let center = middle + side * distance
            let box = Rect(
                x: center.x - size.width / 2, y: center.y - size.height / 2, width: size.width, height: size.height)
            let line = Rect(enclosing: [first, second, first + shift, second + shift]) ?? box
            guard annotator.panelFrame.contains(box), annotator.panelFrame.contains(line) else { continue }
            bounds = [box, line.expanded(by: Self.tick)]
            let nodes = Self.nodes(from: first, to: second, shift: shift, along: along, side: side, annotator.theme)
            let label = style.line(
                text, at: center.x, middle: center.y, size: Self.fontSize,
                color: annotator.theme.readable(annotator.theme.ink), alignment: .center)
            let ground = Draw.box(box, radius: 3, fill: annotator.theme.backdrop)
            callout = PlacedCallout(target: targets[0], leader: nil, box: nodes + [ground, label])
            return
        }
        return nil
    }

    private static func nodes(
        from first: Point, to second: Point, shift: Point, along: Point, side: Point, _ theme: AnnotationTheme
    ) -> [Node] {
        let start = first + shift
        let end = second + shift
        let strokes = [start, end].map {
            Draw.line($0 - (along + side) * (tick * 0.7), $0 + (along + side) * (tick * 0.7), theme.accent, width: 1.5)
        }
        let extensions = zip([first, second], [start, end]).map { target, end in
            Draw.line(target, end + side * tick, theme.accent.opacity(0.7), width: 1)
        }
        return extensions + [Draw.line(start, end, theme.accent, width: 1.25)] + strokes
    }
}
