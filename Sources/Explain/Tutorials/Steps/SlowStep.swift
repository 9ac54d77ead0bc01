import Animations
import Core

/// A step that plays cycles, or a range of model time, in slow motion.
struct SlowStep: TutorialStep {
    static let key = "slow"
    static let keys = ["cycles", "from", "to"]

    private let slowmo: Rational
    private let cycles: Int
    private let from: ModelTime?
    private let to: ModelTime?
    private let options: StepOptions

    init?(_ source: StepSource, _ reader: inout ScriptReader) {
        guard let slowmo = reader.slowmo((source.value, source.value)) else { return nil }
        self.slowmo = slowmo
        cycles = source.pairs["cycles"].flatMap { reader.count($0.value, "'cycles'", 1...100, unit: "cycles") } ?? 1
        from = source.pairs["from"].flatMap { reader.time($0.value, "'from'") }
        to = source.pairs["to"].flatMap { reader.time($0.value, "'to'") }
        options = source.options
    }

    func segments(in lesson: LessonContext) throws(DocumentError) -> [LessonSegment] {
        let start = try from.map { (time) throws(DocumentError) in try lesson.seconds(time, at: options.location) } ?? 0
        let whole = start + lesson.loader.period * Rational(cycles)
        let end = try to.map { (time) throws(DocumentError) in try lesson.seconds(time, at: options.location) } ?? whole
        guard start < end else {
            throw DocumentError(
                at: options.location, "the time range is empty", expected: "'from' before 'to'",
                found: "\(start) to \(end) s")
        }
        let shot = Shot(
            playback: .moving(from: start, slowmo: slowmo), duration: (end - start) * slowmo,
            views: [lesson.view(options)])
        let title = LocalizedText("\(slowmo) times slower", zh: "放慢 \(slowmo) 倍")
        return [
            LessonSegment(
                shots: [shot], narration: try lesson.narration(options, lesson.facts.at(start)),
                chapter: try lesson.chapter(options, orElse: title))
        ]
    }
}
