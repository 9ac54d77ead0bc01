import Animations
import Core

/// A step that plays whole cycles at normal speed until its narration has been read.
struct PlayStep: TutorialStep {
    static let key = "play"

    /// The title of a chapter at normal speed.
    static let title = LocalizedText("At normal speed", zh: "正常速度")

    private let cycles: Int
    private let options: StepOptions

    init?(_ source: StepSource, _ reader: inout ScriptReader) {
        guard let cycles = reader.count(source.value, "'play'", 1...1000, unit: "cycles") else { return nil }
        self.cycles = cycles
        options = source.options
    }

    func segments(in lesson: LessonContext) throws(DocumentError) -> [LessonSegment] {
        let shot = Shot(
            playback: .moving(from: 0, slowmo: 1), duration: lesson.loader.period * Rational(cycles),
            views: [lesson.view(options)], repeats: true)
        return [
            LessonSegment(
                shots: [shot], narration: try lesson.narration(options),
                chapter: try lesson.chapter(options, orElse: Self.title))
        ]
    }
}
