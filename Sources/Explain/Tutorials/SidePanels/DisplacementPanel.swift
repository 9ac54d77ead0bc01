import Render
import Animations
import Core

/// A row of the displacements of all steps, with a dot below the current step of each object.
struct DisplacementPanel: SidePanel {
    private let displacements: [Int]
    private let loader: any Loader

    /// Creates the panel; nil for a loader whose objects have no common steps.
    init?(_ survey: LoaderSurvey) {
        guard let displacements = survey.table.displacements else { return nil }
        self.displacements = displacements
        loader = survey.loader
    }

    private static let cellHeight = 30.0
    /// The distance of dots from the row and from each other, in points.
    private static let dotGap = 13.0

    func minSize(width: Double, style: LessonStyle) -> Size {
        Size(
            Double(displacements.count) * 26,
            2 * LessonStyle.lineHeight(LessonStyle.small) + Self.cellHeight + 2 * Self.dotGap + 4)
    }

    func placed(in frame: Rect, style: LessonStyle) throws(DocumentError) -> any PlacedPanel {
        let pitch = min(52, frame.width / Double(displacements.count))
        let line = LessonStyle.lineHeight(LessonStyle.small)
        let left = frame.center.x - pitch * Double(displacements.count) / 2
        let height = 2 * line + Self.cellHeight + 2 * Self.dotGap
        let top = frame.y + max(0, (frame.height - height) / 2)
        let cells = displacements.indices.map {
            Rect(x: left + Double($0) * pitch, y: top + 2 * line, width: pitch, height: Self.cellHeight)
        }
        let title = style.word(LocalizedText("displacement by step", zh: "各步的位移"))
        var fixed = [
            style.line(title, at: left, middle: top + line / 2, size: LessonStyle.small, color: style.theme.faint)
        ]
        fixed += cells.indices.map {
            style.line(
                "\($0)", at: cells[$0].center.x, middle: top + 1.5 * line, size: LessonStyle.small,
                color: style.theme.faint,
                alignment: .center)
        }
        func texts(_ color: Color, bold: Bool) -> [Node] {
            cells.indices.map {
                style.line(
                    NumberText.signed(Double(displacements[$0]), places: 0), at: cells[$0].center.x,
                    middle: cells[$0].center.y,
                    size: 16, color: color, alignment: .center, bold: bold)
            }
        }
        return Placed(
            cells: cells, fixed: fixed, plain: texts(style.theme.ink, bold: false),
            current: texts(style.theme.ink, bold: true), loader: loader,
            colors: style.theme.colors(for: loader.objects(at: .zero)), theme: style.theme)
    }

    private struct Placed: PlacedPanel {
        let cells: [Rect]
        let fixed: [Node]
        let plain: [Node]
        let current: [Node]
        let loader: any Loader
        let colors: [Color]
        let theme: AnnotationTheme

        func nodes(at instant: PanelInstant) -> [Node] {
            let steps = loader.objects(at: instant.time).map(\.step)
            let boxes = cells.indices.map { index -> Node in
                let isCurrent = steps.contains(index)
                return .shape(
                    Shape(
                        .rectangle(cells[index]), fill: isCurrent ? theme.band : nil,
                        stroke: Stroke(theme.hairline, width: 1)))
            }
            let numbers = cells.indices.map { steps.contains($0) ? current[$0] : plain[$0] }
            let dots = cells.indices.flatMap { index -> [Node] in
                let present = steps.indices.filter { steps[$0] == index }
                return present.enumerated().map { position, object in
                    let offset = Double(position) - Double(present.count - 1) / 2
                    let x = cells[index].center.x + offset * DisplacementPanel.dotGap
                    return Draw.dot(
                        Point(x, cells[index].maxY + DisplacementPanel.dotGap), radius: 5, fill: colors[object])
                }
            }
            return fixed + boxes + numbers + dots
        }
    }
}
