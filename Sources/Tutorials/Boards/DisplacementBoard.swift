import Annotations
import Documents
import Loaders
import Scene
import Timing

/// The directions of all steps in a row, with a dot below the step that each object is in.
struct DisplacementBoard: Board {
    private let entries: [Int]
    private let loader: any Loader

    /// Nil for a loader whose objects have no steps in common.
    init?(_ survey: LoaderSurvey) {
        guard let entries = survey.table.displacements else { return nil }
        (self.entries, loader) = (entries, survey.loader)
    }

    private static let (cellHeight, dotGap) = (30.0, 13.0)

    func leastSize(width: Double, style: LessonStyle) -> Size {
        Size(
            Double(entries.count) * 26,
            2 * LessonStyle.lineHeight(LessonStyle.small) + Self.cellHeight + 2 * Self.dotGap + 4)
    }

    func placed(in frame: Rect, style: LessonStyle) throws(DocumentError) -> any PlacedBoard {
        let pitch = min(52, frame.width / Double(entries.count))
        let line = LessonStyle.lineHeight(LessonStyle.small)
        let left = frame.center.x - pitch * Double(entries.count) / 2
        let height = 2 * line + Self.cellHeight + 2 * Self.dotGap
        let top = frame.y + max(0, (frame.height - height) / 2)
        let cells = entries.indices.map {
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
                    NumberText.signed(Double(entries[$0]), places: 0), at: cells[$0].center.x,
                    middle: cells[$0].center.y,
                    size: 16, color: color, alignment: .center, bold: bold)
            }
        }
        return Placed(
            cells: cells, fixed: fixed, plain: texts(style.theme.ink, bold: false),
            current: texts(style.theme.ink, bold: true), loader: loader,
            colors: style.theme.colors(for: loader.objects(at: .zero)), theme: style.theme)
    }

    private struct Placed: PlacedBoard {
        let cells: [Rect]
        let fixed: [Node]
        let plain: [Node]
        let current: [Node]
        let loader: any Loader
        let colors: [Color]
        let theme: AnnotationTheme

        func nodes(at moment: BoardMoment) -> [Node] {
            let steps = loader.objects(at: moment.time).map(\.step)
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
                return present.enumerated().map { place, object in
                    let x = cells[index].center.x + (Double(place) - Double(present.count - 1) / 2) * 13
                    return Draw.dot(
                        Point(x, cells[index].maxY + DisplacementBoard.dotGap), radius: 5, fill: colors[object])
                }
            }
            return fixed + boxes + numbers + dots
        }
    }
}
