import Documents
import Loaders
import Motion

/// Whole cycles at normal speed, as many as it takes to read what is said.
struct PlayStep: TutorialStep {
    static let key = "play"

    private let cycles: Int
    private let shared: StepShared

    init?(_ source: StepSource, _ reader: inout ScriptReader) {
        guard let cycles = reader.count(source.value, "'play'", 1...1000, unit: "cycles") else { return nil }
        (self.cycles, shared) = (cycles, source.shared)
    }

    func passages(in lesson: LessonContext) throws(DocumentError) -> [Passage] {
        let shot = Shot(
            course: .moving(from: 0, slowmo: 1), duration: lesson.loader.period * Rational(cycles),
            stages: [lesson.view(shared)], repeats: true)
        let title = LocalizedText("At normal speed", zh: "正常速度")
        return [
            Passage(shots: [shot], say: try lesson.said(shared), chapter: try lesson.chapter(shared, orElse: title))
        ]
    }
}
