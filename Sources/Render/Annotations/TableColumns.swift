import Animations

/// The start positions of the columns of the phase table, in points from its left edge.
struct TableColumns: Sendable {
    /// The objects' names, after their swatches.
    let name = 20.0
    /// The indices of the steps; 0 without steps.
    let step: Double
    /// The directions of the steps; 0 without steps.
    let direction: Double
    /// The start and end positions of the objects.
    private(set) var fromTo: Double
    /// The width of the table.
    let width: Double
    /// True if the objects have steps.
    let hasSteps: Bool
    /// True if the table has a column for directions.
    let hasDirections: Bool

    /// The end of the column for names.
    var nameEnd: Double { hasSteps ? step : fromTo }
    /// The maximum width of a name.
    var maxNameWidth: Double { nameEnd - name - (hasSteps ? 0 : Self.gap.min) }

    /// The font size of the rows in points.
    static let fontSize = 13.0
    /// The usual distance between a name and the positions, and the minimum distance.
    private static let gap = (usual: 6.0, min: 3.0)

    /// Returns the columns for frames without a fixed aspect ratio. Names get the room that
    /// positions leave.
    static func standard(_ table: PhaseTable, language: Language) -> TableColumns {
        guard table.displacements == nil else {
            return TableColumns(step: 76, direction: 118, fromTo: 176, hasSteps: true)
        }
        var columns = TableColumns(step: 0, direction: 0, fromTo: 80, hasSteps: false)
        let wanted = columns.name + (nameWidths(table, language).max() ?? 0) + gap.usual
        let free = columns.width - (displacementWidths(table, language).max() ?? 0)
        columns.fromTo = max(columns.fromTo, min(wanted, free)).rounded(.up)
        return columns
    }

    private static func nameWidths(_ table: PhaseTable, _ language: Language) -> [Double] {
        ObjectTitles.texts(of: table.rows.first?.motions.map(\.title) ?? [], in: language).map {
            TextExtent.width($0, fontSize: fontSize)
        }
    }

    private static func displacementWidths(_ table: PhaseTable, _ language: Language) -> [Double] {
        // Later phases repeat the first ones. Measuring thousands of rows would take long.
        table.rows.prefix(200).indices.flatMap { row in
            table.rows[row].motions.indices.map {
                TextExtent.width(
                    table.displacement(ofObject: $0, inPhase: row, language: language), fontSize: fontSize)
            }
        }
    }

    private init(step: Double, direction: Double, fromTo: Double, hasSteps: Bool) {
        self.step = step
        self.direction = direction
        self.fromTo = fromTo
        self.hasSteps = hasSteps
        hasDirections = hasSteps
        width = 308
    }

    /// The maximum width of a table in a frame with a fixed aspect ratio: the room in the narrowest
    /// frame with the smallest text, without a point for rounding. Longer names are shortened.
    private static let maxWidth = (1 - 2 * AnnotationLayout.margin) * (AnnotationLayout.shorterSides.last ?? 0) - 1
    /// The minimum room for names in such a table.
    private static let minNameWidth = 60.0

    /// Columns with the widths of their contents.
    ///
    /// - Parameter isShort: true to leave out directions, which are also in the table of
    ///   displacements.
    init(_ table: PhaseTable, language: Language, isShort: Bool = false) {
        let small = AnnotationMetrics.fixedAspect.small
        let gap = 10.0
        func head(_ text: String) -> Double { TextExtent.width(Glossary.phrase(text, in: language), fontSize: small) }
        func width(_ text: String) -> Double { TextExtent.width(text, fontSize: Self.fontSize) }
        let positions = max(Self.displacementWidths(table, language).max() ?? 0, head("from → to (pt)"))
        hasSteps = table.displacements != nil
        hasDirections = hasSteps && !isShort
        let stepWidth = hasSteps ? max(head("step"), width("00")) + gap : 0
        let directionWidth = hasDirections ? max(head("direction"), width("−1")) + gap : 0
        let names = min(
            Self.nameWidths(table, language).max() ?? 0,
            max(Self.minNameWidth, Self.maxWidth - name - gap - stepWidth - directionWidth - positions))
        let nameEnd = max(name + names, head("object")) + gap
        step = hasSteps ? nameEnd : 0
        direction = hasSteps ? step + stepWidth : 0
        fromTo = nameEnd + stepWidth + directionWidth
        self.width = (fromTo + positions).rounded(.up)
    }
}
