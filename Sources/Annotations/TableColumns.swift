import Loaders
import Timing

/// Where the columns of the phase's table begin, in points from its left edge.
struct TableColumns: Sendable {
    /// The objects' names, after their swatches.
    let name = 20.0
    /// The stages' numbers and the directions, if there are any.
    let stage: Double
    let direction: Double
    /// From where to where.
    let way: Double
    /// How wide the table has to be.
    let width: Double
    /// Whether there are stages, and whether their directions are told.
    let hasStages: Bool
    let hasDirections: Bool

    /// Where the names end.
    var nameEnd: Double { hasStages ? stage : way }

    /// The columns of pictures without a shape of their own.
    static func standard(_ table: PhaseTable) -> TableColumns {
        let hasStages = table.displacements != nil
        return TableColumns(
            stage: hasStages ? 76 : 0, direction: hasStages ? 118 : 0, way: hasStages ? 176 : 80, hasStages: hasStages)
    }

    private init(stage: Double, direction: Double, way: Double, hasStages: Bool) {
        (self.stage, self.direction, self.way, self.hasStages) = (stage, direction, way, hasStages)
        hasDirections = hasStages
        width = 308
    }

    /// Columns as wide as what is in them.
    ///
    /// - Parameter isShort: whether directions are left out, which the table of displacements has too.
    init(_ table: PhaseTable, language: Language, isShort: Bool = false) {
        let (small, gap) = (AnnotationMetrics.shaped.small, 10.0)
        func head(_ text: String) -> Double { TextExtent.width(Glossary.phrase(text, in: language), fontSize: small) }
        func width(_ text: String) -> Double { TextExtent.width(text, fontSize: 13) }
        // Later phases are the first ones' cycles; very many would take long.
        let rows = table.rows.prefix(200)
        let names = rows.first?.courses.map { width($0.title.text(in: language)) } ?? []
        let nameEnd = max(name + (names.max() ?? 0), head("object")) + gap
        let ways = rows.indices.flatMap { row in
            rows[row].courses.indices.map { width(table.way(ofObject: $0, inPhase: row)) }
        }
        hasStages = table.displacements != nil
        stage = hasStages ? nameEnd : 0
        direction = hasStages ? stage + max(head("stage"), width("00")) + gap : 0
        hasDirections = hasStages && !isShort
        let directionEnd = direction + (isShort ? 0 : max(head("direction"), width("−1")) + gap)
        way = hasStages ? directionEnd : nameEnd
        self.width = (way + max(ways.max() ?? 0, head("from → to (pt)"))).rounded(.up)
    }
}
