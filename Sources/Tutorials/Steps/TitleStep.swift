import Documents
import Motion

/// The lesson's title over the loader, at normal speed.
struct TitleStep: TutorialStep {
    static let key = "title"

    private let duration: Rational
    private let shared: StepShared

    init?(_ source: StepSource, _ reader: inout ScriptReader) {
        guard let duration = reader.number(source.value, "'title'", Rational(1, 2)...30, unit: "seconds") else {
            return nil
        }
        (self.duration, shared) = (duration, source.shared)
    }

    func passages(in lesson: LessonContext) throws(DocumentError) -> [Passage] {
        let title = lesson.title
        let shot = Shot(
            course: .moving(from: 0, slowmo: 1), duration: max(duration, lesson.readingTime(of: [title])),
            stages: [lesson.view(shared)], card: title)
        return [
            Passage(
                shots: [shot], say: try lesson.said(shared), chapter: try lesson.chapter(shared) ?? title)
        ]
    }
}
