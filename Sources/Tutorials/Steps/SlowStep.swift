import Documents
import Loaders
import Motion

/// Cycles in slow motion.
struct SlowStep: TutorialStep {
    static let key = "slow"
    static let keys = ["cycles", "from", "to"]

    private let slowmo: Rational
    private let cycles: Int
    private let from: ModelTime?
    private let to: ModelTime?
    private let shared: StepShared

    init?(_ source: StepSource, _ reader: inout ScriptReader) {
        guard let slowmo = reader.slowness((source.value, source.value)) else { return nil }
        self.slowmo = slowmo
        cycles = source.pairs["cycles"].flatMap { reader.count($0.value, "'cycles'", 1...100, unit: "cycles") } ?? 1
        from = source.pairs["from"].flatMap { reader.time($0.value, "'from'") }
        to = source.pairs["to"].flatMap { reader.time($0.value, "'to'") }
        shared = source.shared
    }

    func passages(in lesson: LessonContext) throws(DocumentError) -> [Passage] {
        let start = try from.map { (time) throws(DocumentError) in try lesson.seconds(time, at: shared.location) } ?? 0
        let whole = start + lesson.loader.period * Rational(cycles)
        let end = try to.map { (time) throws(DocumentError) in try lesson.seconds(time, at: shared.location) } ?? whole
        guard start < end else {
            throw DocumentError(
                at: shared.location, "the stretch is empty", expected: "'from' before 'to'",
                found: "\(start) to \(end) s")
        }
        let shot = Shot(
            course: .moving(from: start, slowmo: slowmo), duration: (end - start) * slowmo,
            stages: [lesson.view(shared)])
        let title = LocalizedText("\(slowmo) times slower", zh: "放慢 \(slowmo) 倍")
        return [
            Passage(
                shots: [shot], say: try lesson.said(shared, lesson.facts.at(start)),
                chapter: try lesson.chapter(shared, orElse: title))
        ]
    }
}
