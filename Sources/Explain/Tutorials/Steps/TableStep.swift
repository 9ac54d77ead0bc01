import Animations
import Core

/// A step that plays the loader beside a table: the displacements by step, or the phases.
struct TableStep: TutorialStep {
    static let key = "table"
    static let keys = SlowPlayback.keys

    enum Kind: String, CaseIterable {
        case displacement
        case phases
    }

    private let kind: Kind
    private let playback: SlowPlayback
    private let options: StepOptions

    init?(_ source: StepSource, _ reader: inout ScriptReader) {
        let known = Kind.allCases.map(\.rawValue)
        guard let word = reader.text(source.value, "'table'", form: known.joined(separator: " or ")) else {
            return nil
        }
        guard let kind = Kind(rawValue: word) else {
            reader.report(
                source.value.location, "there is no table \(quoted(word))",
                remedy: reader.choice(word, of: known))
            return nil
        }
        self.kind = kind
        options = source.options
        playback = SlowPlayback(source, &reader)
    }

    func segments(in lesson: LessonContext) throws(DocumentError) -> [LessonSegment] {
        let panel: any SidePanel
        switch kind {
        case .phases: panel = PhaseTablePanel(lesson.loader)
        case .displacement:
            guard let table = DisplacementPanel(lesson.survey) else {
                throw DocumentError(
                    at: options.location, "the objects of \(quoted(lesson.loader.id)) have no steps",
                    remedy: "use 'table: phases'")
            }
            panel = table
        }
        let title = kind == .phases ? LocalizedText("The phases", zh: "各个阶段") : LocalizedText("The table", zh: "位移表")
        return [try playback.segment(beside: panel, options, title, in: lesson)]
    }
}
