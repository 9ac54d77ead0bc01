import Core

/// A step that shows the lesson's title above the loader at normal speed.
struct TitleStep: TutorialStep {
    static let key = "title"

    private let duration: Rational
    private let options: StepOptions

    init?(_ source: StepSource, _ reader: inout ScriptReader) {
        guard let duration = reader.number(source.value, "'title'", Rational(1, 2)...30, unit: "seconds") else {
            return nil
        }
        self.duration = duration
        options = source.options
    }

    func segments(in lesson: LessonContext) throws(DocumentError) -> [LessonSegment] {
        let title = lesson.title
        let shot = Shot(
            playback: .moving(from: 0, slowmo: 1), duration: max(duration, lesson.readingTime(of: [title])),
            views: [lesson.view(options)], card: title)
        return [
            LessonSegment(
                shots: [shot], narration: try lesson.narration(options), chapter: try lesson.chapter(options) ?? title)
        ]
    }
}
