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
    let fromTo: Double
    /// The width of the table.
    let width: Double
    /// True if the objects have steps.
    let hasSteps: Bool
    /// True if the table has a column for directions.
    let hasDirections: Bool

    /// The end of the column for names.
    var nameEnd: Double { hasSteps ? step : fromTo }

    /// Returns the columns for frames without a fixed aspect ratio.
    static func standard(_ table: PhaseTable) -> TableColumns {
        let hasSteps = table.displacements != nil
        return TableColumns(
            step: hasSteps ? 76 : 0, direction: hasSteps ? 118 : 0, fromTo: hasSteps ? 176 : 80, hasSteps: hasSteps)
    }

    private init(step: Double, direction: Double, fromTo: Double, hasSteps: Bool) {
        self.step = step
        self.direction = direction
        self.fromTo = fromTo
        self.hasSteps = hasSteps
        hasDirections = hasSteps
        width = 308
    }

    /// Columns with the widths of their contents.
    ///
    /// - Parameter isShort: true to leave out directions, which are also in the table of
    ///   displacements.
    init(_ table: PhaseTable, language: Language, isShort: Bool = false) {
        let small = AnnotationMetrics.fixedAspect.small
        let gap = 10.0
        func head(_ text: String) -> Double { TextExtent.width(Glossary.phrase(text, in: language), fontSize: small) }
        func width(_ text: String) -> Double { TextExtent.width(text, fontSize: 13) }
        // Later phases repeat the first ones. Measuring thousands of rows would take long.
        let rows = table.rows.prefix(200)
        let names = rows.first?.motions.map { width($0.title.text(in: language)) } ?? []
        let nameEnd = max(name + (names.max() ?? 0), head("object")) + gap
        let ways = rows.indices.flatMap { row in
            rows[row].motions.indices.map { width(table.way(ofObject: $0, inPhase: row)) }
        }
        hasSteps = table.displacements != nil
        step = hasSteps ? nameEnd : 0
        direction = hasSteps ? step + max(head("stage"), width("00")) + gap : 0
        hasDirections = hasSteps && !isShort
        let directionEnd = direction + (isShort ? 0 : max(head("direction"), width("−1")) + gap)
        fromTo = hasSteps ? directionEnd : nameEnd
        self.width = (fromTo + max(ways.max() ?? 0, head("from → to (pt)"))).rounded(.up)
    }
}
