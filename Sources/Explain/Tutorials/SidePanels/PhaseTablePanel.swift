import Animations
import Core
import Render

/// A table of phases with names and durations. The current phase is highlighted and has a progress
/// bar.
struct PhaseTablePanel: SidePanel {
    private let phases: [Phase]

    init(_ loader: any Loader) { phases = loader.phases }

    private static let rowHeight = LessonStyle.lineHeight(LessonStyle.small) + 2
    /// Maximum number of visible phases. A longer table scrolls with the current phase.
    private static let maxRows = 10

    func sizes(width: Double, style: LessonStyle) -> [Size] {
        [Size(columns(style).total, Double(min(phases.count, 4) + 1) * Self.rowHeight)]
    }

    private func columns(_ style: LessonStyle) -> (number: Double, name: Double, total: Double) {
        let number = style.width("\(phases.count)", LessonStyle.small, bold: true) + 12
        let name = (phases.map { style.width($0.name.text(in: style.language), LessonStyle.small) }.max() ?? 0) + 16
        let duration = phases.map { style.width(Self.duration($0), LessonStyle.small) }.max() ?? 0
        return (number, name, number + name + max(duration, style.width(Self.heading(style), LessonStyle.small)) + 12)
    }

    private static func duration(_ phase: Phase) -> String {
        NumberText.decimal(phase.duration.double, places: 3) + " s"
    }

    /// Returns the heading of the durations.
    private static func heading(_ style: LessonStyle) -> String { style.word(LocalizedText("lasts", zh: "时长")) }

    func placed(in frame: Rect, style: LessonStyle) throws(DocumentError) -> any PlacedPanel {
        let columns = columns(style)
        let rows = max(1, min(phases.count, Self.maxRows, Int(frame.height / Self.rowHeight) - 1))
        let width = min(frame.width, max(columns.total, 150))
        let top = frame.y + max(0, (frame.height - Double(rows + 1) * Self.rowHeight) / 2)
        let table = Rect(
            x: frame.center.x - width / 2, y: top, width: width, height: Double(rows + 1) * Self.rowHeight)
        func line(
            _ text: String, _ x: Double, row: Double, _ color: Color, bold: Bool = false,
            _ alignment: Text.Alignment = .left, isNumber: Bool = false
        ) -> Node {
            style.line(
                text, at: x, middle: Self.rowHeight * (row + 0.5), size: LessonStyle.small, color: color,
                alignment: alignment, bold: bold, isNumber: isNumber)
        }
        let ink = style.theme.ink
        let faint = style.theme.faint
        let texts = phases.map { phase in
            [
                line("\(phase.number)", table.x + 6, row: 0, style.theme.accent, bold: true),
                line(phase.name.text(in: style.language), table.x + columns.number, row: 0, ink),
                line(Self.duration(phase), table.maxX - 6, row: 0, ink, .right, isNumber: true),
            ]
        }
        let head = [
            line(style.word(LocalizedText("phase", zh: "阶段")), table.x + 6, row: 0, faint),
            line(Self.heading(style), table.maxX - 6, row: 0, faint, .right),
        ]
        return Placed(phases: phases, table: table, rows: rows, head: head, texts: texts, theme: style.theme)
    }

    private struct Placed: PlacedPanel {
        let phases: [Phase]
        let table: Rect
        let rows: Int
        let head: [Node]
        let texts: [[Node]]
        let theme: AnnotationTheme

        func nodes(at instant: PanelInstant) -> [Node] {
            let height = PhaseTablePanel.rowHeight
            let first = instant.moved { self.first(for: $0) }
            let row = instant.moved { Double($0.index + 1) - self.first(for: $0) }
            func moved(_ nodes: [Node], to row: Double) -> Node {
                .group(Group(transform: .translation(Point(0, table.y + row * height)), nodes: nodes))
            }
            let progress = ((instant.time - instant.phase.start) / instant.phase.duration).double
            let highlighted = Rect(x: table.x, y: table.y + row * height, width: table.width, height: height)
            let elapsed = Rect(
                x: highlighted.x, y: highlighted.maxY - 2.5, width: highlighted.width * min(1, progress), height: 2.5)
            let ground: [Node] = [
                .shape(Shape(.rectangle(highlighted), fill: theme.band)),
                .shape(Shape(.rectangle(elapsed), fill: theme.accent)),
            ]
            let rule = Draw.line(
                Point(table.x, table.y + height - 0.5), Point(table.maxX, table.y + height - 0.5), theme.hairline)
            let visible = Int(first.rounded(.down))..<Int(first.rounded(.up)) + rows
            let lines = visible.map { moved(texts[$0], to: Double($0) - first + 1) }
            let isScrolling = first != first.rounded()
            let body = Rect(x: table.x, y: table.y + height, width: table.width, height: height * Double(rows))
            return ground + [moved(head, to: 0), rule]
                + (isScrolling ? [.group(Group(clip: .rectangle(body), nodes: lines))] : lines)
        }

        /// Returns the first visible row when a phase is current.
        private func first(for phase: Phase) -> Double {
            Double(min(max(0, phase.index - rows / 2), phases.count - rows))
        }
    }
}
