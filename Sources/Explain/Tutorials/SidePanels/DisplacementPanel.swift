import Animations
import Core
import Render

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

    /// The usual height of a cell in points.
    private static let cellHeight = 30.0
    /// The minimum width of a cell: that of a signed digit and space beside it.
    private static let minPitch = 31.0
    private static let maxPitch = 52.0
    /// The maximum height of a cell, in a frame with room below the loader.
    private static let maxCellHeight = 52.0
    /// The minimum width of a cell in which numbers have the larger size.
    private static let roomyPitch = 38.0
    /// The distance of dots from the row and from each other, in points.
    private static let dotGap = 13.0

    func sizes(width: Double, style: LessonStyle) -> [Size] {
        let height = 2 * LessonStyle.lineHeight(LessonStyle.small) + Self.cellHeight + 2 * Self.dotGap + 4
        return [Size(Double(displacements.count) * Self.minPitch, height)]
    }

    func placed(in frame: Rect, style: LessonStyle) throws(DocumentError) -> any PlacedPanel {
        let pitch = min(Self.maxPitch, frame.width / Double(displacements.count))
        let line = LessonStyle.lineHeight(LessonStyle.small)
        let left = frame.center.x - pitch * Double(displacements.count) / 2
        let rest = 2 * line + 2 * Self.dotGap
        // A tall area gets taller cells with larger numbers rather than empty space.
        let cellHeight = min(max(Self.cellHeight, min(pitch, (frame.height - rest) / 2)), Self.maxCellHeight)
        let height = rest + cellHeight
        let top = frame.y + max(0, (frame.height - height) / 2)
        let cells = displacements.indices.map {
            Rect(x: left + Double($0) * pitch, y: top + 2 * line, width: pitch, height: cellHeight)
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
        let fontSize = pitch < Self.roomyPitch ? 14.0 : 16 * (cellHeight / Self.cellHeight).squareRoot()
        func texts(_ color: Color, bold: Bool) -> [Node] {
            cells.indices.map {
                style.line(
                    NumberText.signed(Double(displacements[$0]), places: 0), at: cells[$0].center.x,
                    middle: cells[$0].center.y,
                    size: fontSize, color: color, alignment: .center, bold: bold)
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
            let before =
                instant.move < 1 ? loader.objects(at: instant.previous.start).map(\.step) : steps
            func share(_ index: Int) -> Double {
                (steps.contains(index) ? instant.move : 0) + (before.contains(index) ? 1 - instant.move : 0)
            }
            let boxes = cells.indices.map { index -> Node in
                let share = share(index)
                return .shape(
                    Shape(
                        .rectangle(cells[index]), fill: share > 0 ? theme.surface.mixed(with: theme.band, share) : nil,
                        stroke: Stroke(theme.hairline, width: 1)))
            }
            let numbers = cells.indices.map { share($0) > 0.5 ? current[$0] : plain[$0] }
            func dots(_ steps: [Int?]) -> [Int: Point] {
                var dots: [Int: Point] = [:]
                for index in cells.indices {
                    let present = steps.indices.filter { steps[$0] == index }
                    for (position, object) in present.enumerated() {
                        let offset = Double(position) - Double(present.count - 1) / 2
                        dots[object] = Point(
                            cells[index].center.x + offset * DisplacementPanel.dotGap,
                            cells[index].maxY + DisplacementPanel.dotGap)
                    }
                }
                return dots
            }
            let ends = dots(steps)
            let starts = dots(before)
            let dots = steps.indices.compactMap { object -> Node? in
                guard let end = ends[object] else { return nil }
                let start = starts[object] ?? end
                return Draw.dot(start + (end - start) * instant.move, radius: 5, fill: colors[object])
            }
            return fixed + boxes + numbers + dots
        }
    }
}
