import Annotations
import Documents
import Loaders
import Motion
import Scene

/// The phases with their names and lengths; the present one is lit as far as it has come.
struct PhaseTableBoard: Board {
    private let phases: [Phase]

    init(_ loader: any Loader) { phases = loader.phases }

    private static let rowHeight = LessonStyle.lineHeight(LessonStyle.small) + 2
    /// More rows than this have no room anywhere; the window then follows the present phase.
    private static let mostRows = 10

    func leastSize(width: Double, style: LessonStyle) -> Size {
        Size(columns(style).total, Double(min(phases.count, 4) + 1) * Self.rowHeight)
    }

    private func columns(_ style: LessonStyle) -> (number: Double, name: Double, total: Double) {
        let number = style.width("\(phases.count)", LessonStyle.small, bold: true) + 12
        let name = (phases.map { style.width($0.name.text(in: style.language), LessonStyle.small) }.max() ?? 0) + 16
        let duration = phases.map { style.width(Self.duration($0), LessonStyle.small) }.max() ?? 0
        return (number, name, number + name + max(duration, style.width(Self.heading(style), LessonStyle.small)) + 12)
    }

    private static func duration(_ phase: Phase) -> String { "\(phase.duration) s" }

    private static func heading(_ style: LessonStyle) -> String { style.word(LocalizedText("lasts", zh: "时长")) }

    func placed(in frame: Rect, style: LessonStyle) throws(DocumentError) -> any PlacedBoard {
        let columns = columns(style)
        let rows = max(1, min(phases.count, Self.mostRows, Int(frame.height / Self.rowHeight) - 1))
        let width = min(frame.width, max(columns.total, 150))
        let top = frame.y + max(0, (frame.height - Double(rows + 1) * Self.rowHeight) / 2)
        let table = Rect(
            x: frame.center.x - width / 2, y: top, width: width, height: Double(rows + 1) * Self.rowHeight)
        func line(
            _ text: String, _ x: Double, row: Double, _ color: Color, bold: Bool = false,
            _ alignment: Text.Alignment = .left
        )
            -> Node
        {
            style.line(
                text, at: x, middle: Self.rowHeight * (row + 0.5), size: LessonStyle.small, color: color,
                alignment: alignment, bold: bold)
        }
        let (ink, faint) = (style.theme.ink, style.theme.faint)
        let texts = phases.map { phase in
            [
                line("\(phase.index)", table.x + 6, row: 0, style.theme.accent, bold: true),
                line(phase.name.text(in: style.language), table.x + columns.number, row: 0, ink),
                line(Self.duration(phase), table.maxX - 6, row: 0, ink, .right),
            ]
        }
        let head = [
            line(style.word(LocalizedText("phase", zh: "阶段")), table.x + 6, row: 0, faint),
            line(Self.heading(style), table.maxX - 6, row: 0, faint, .right),
        ]
        return Placed(phases: phases, table: table, rows: rows, head: head, texts: texts, theme: style.theme)
    }

    private struct Placed: PlacedBoard {
        let phases: [Phase]
        let table: Rect
        let rows: Int
        let head: [Node]
        let texts: [[Node]]
        let theme: AnnotationTheme

        func nodes(at moment: BoardMoment) -> [Node] {
            let height = PhaseTableBoard.rowHeight
            let current = moment.phase.index
            let first = min(max(0, current - rows / 2), phases.count - rows)
            func moved(_ nodes: [Node], to row: Int) -> Node {
                .group(Group(transform: .translation(Point(0, table.y + Double(row) * height)), nodes: nodes))
            }
            let share = ((moment.time - moment.phase.start) / moment.phase.duration).double
            let lit = Rect(
                x: table.x, y: table.y + Double(current - first + 1) * height, width: table.width, height: height)
            let passed = Rect(x: lit.x, y: lit.maxY - 2.5, width: lit.width * min(1, share), height: 2.5)
            let ground: [Node] = [
                .shape(Shape(.rectangle(lit), fill: theme.band)), .shape(Shape(.rectangle(passed), fill: theme.accent)),
            ]
            let rule = Draw.line(
                Point(table.x, table.y + height - 0.5), Point(table.maxX, table.y + height - 0.5), theme.hairline)
            return ground + [moved(head, to: 0), rule]
                + (first..<first + rows).map { moved(texts[$0], to: $0 - first + 1) }
        }
    }
}
