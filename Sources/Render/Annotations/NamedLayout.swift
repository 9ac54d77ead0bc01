import Animations
import Core

/// A layout of a frame with the positions of the names beside its drawing.
struct NamedLayout {
    let layout: AnnotationLayout
    let columns: TableColumns
    /// The box of each name by its object.
    let names: [Int: Rect]
    /// The cost of names and leaders that are in the way.
    private let conflicts: Double
    /// The share of the panel's width or height, whichever is larger, that the drawing fills.
    private let artShare: Double

    /// The share of the panel below which columns of names leave the drawing too little room.
    private static let minArtShare = 0.5
    /// The cost above which leaders are in the way: a crossing for a twentieth of the period.
    private static let maxConflicts = 12.0
    /// The cost of a drawing of half the size: as bad as two leaders that always cross.
    private static let halvingCost = 240.0

    /// Returns the best layout: with columns of names or, where leaders would be in the way or the
    /// drawing would be small, with rows of names below it, or with both.
    ///
    /// - Parameter make: returns the layout for some content.
    static func best(
        _ content: AnnotationContent, _ survey: LoaderSurvey, beside shown: Rect, language: Language,
        _ make: (AnnotationContent) -> (AnnotationLayout, TableColumns)
    ) -> NamedLayout {
        func named(_ content: AnnotationContent) -> NamedLayout {
            let (layout, columns) = make(content)
            return NamedLayout(layout, columns, survey, beside: shown, language: language)
        }
        let first = named(content)
        // More names than are searched for stay in their columns.
        guard content.nameColumn > 0, first.names.count <= LeaderPlan.maxNames,
            first.conflicts > maxConflicts || first.artShare < minArtShare
        else {
            return first
        }
        // A layout of another kind has another size, with which the drawing's cannot be compared.
        let others = [(content.nameColumn, 1), (0, 1), (0, 2)].map { column, rows in
            var other = content
            other.nameColumn = column
            other.nameRows = NameSlots.height(ofRows: rows)
            return named(other)
        }.filter { $0.layout.metrics == first.layout.metrics }
        func cost(_ one: NamedLayout) -> Double {
            one.conflicts + halvingCost * log2(first.layout.scale / one.layout.scale)
        }
        return ([first] + others).min { cost($0) < cost($1) } ?? first
    }

    private init(
        _ layout: AnnotationLayout, _ columns: TableColumns, _ survey: LoaderSurvey, beside shown: Rect,
        language: Language
    ) {
        self.layout = layout
        self.columns = columns
        let plan = LeaderPlan(survey, layout: layout)
        names = MarginNames.boxes(survey, plan, beside: shown, layout: layout, language: language)
        conflicts = plan?.conflicts(of: names) ?? 0
        artShare = max(
            shown.width * layout.scale / layout.panel.width, shown.height * layout.scale / layout.panel.height)
    }
}
