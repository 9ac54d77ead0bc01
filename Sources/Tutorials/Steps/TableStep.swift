import Documents
import Loaders
import Motion

/// A table in step with the motion: the displacements of the article, or the phases.
struct TableStep: TutorialStep {
    static let key = "table"
    static let keys = ["slow", "cycles"]

    enum Kind: String, CaseIterable {
        case displacement
        case phases
    }

    private let kind: Kind
    private let course: BoardCourse
    private let shared: StepShared

    init?(_ source: StepSource, _ reader: inout ScriptReader) {
        let known = Kind.allCases.map(\.rawValue)
        guard let word = reader.text(source.value, "'table'", expected: known.joined(separator: " or ")) else {
            return nil
        }
        guard let kind = Kind(rawValue: word) else {
            reader.note(
                source.value.location, "there is no such table", expected: reader.choice(word, of: known),
                found: quoted(word))
            return nil
        }
        (self.kind, shared) = (kind, source.shared)
        course = BoardCourse(source, &reader)
    }

    func passages(in lesson: LessonContext) throws(DocumentError) -> [Passage] {
        let board: any Board
        switch kind {
        case .phases: board = PhaseTableBoard(lesson.loader)
        case .displacement:
            guard let table = DisplacementBoard(lesson.survey) else {
                throw DocumentError(
                    at: shared.location, "the objects of '\(lesson.loader.id)' have no steps",
                    expected: "'table: phases'",
                    found: "'table: displacement'")
            }
            board = table
        }
        let title = kind == .phases ? LocalizedText("The phases", zh: "各个阶段") : LocalizedText("The table", zh: "位移表")
        return [try course.passage(beside: board, shared, title, in: lesson)]
    }
}

/// Slow cycles beside a board, which most boards have.
struct BoardCourse: Sendable {
    private let slowmo: Rational
    private let cycles: Int

    init(_ source: StepSource, _ reader: inout ScriptReader) {
        slowmo = reader.slowness(source.pairs["slow"]) ?? 6
        cycles = source.pairs["cycles"].flatMap { reader.count($0.value, "'cycles'", 1...100, unit: "cycles") } ?? 1
    }

    func passage(
        beside board: any Board, _ shared: StepShared, _ title: LocalizedText, in lesson: LessonContext
    ) throws(DocumentError) -> Passage {
        let shot = Shot(
            course: .moving(from: 0, slowmo: slowmo), duration: lesson.loader.period * slowmo * Rational(cycles),
            stages: [lesson.view(shared)], board: board)
        return Passage(
            shots: [shot], say: try lesson.said(shared), chapter: try lesson.chapter(shared, orElse: title))
    }
}
