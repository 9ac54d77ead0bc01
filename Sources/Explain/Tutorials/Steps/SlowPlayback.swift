import Animations
import Core

/// The slow-motion playback of a step: cycles of the loader, or a range of model time.
struct SlowPlayback: Sendable {
    /// The keys of a step that plays in slow motion beside a panel.
    static let keys = ["slow", "cycles", "from", "to"]
    /// The default slow-motion factor beside a panel.
    private static let defaultFactor = Rational(6)

    let slowmo: Rational
    private let cycles: Int
    private let from: ModelTime?
    private let to: ModelTime?

    /// Reads the keys of a step.
    ///
    /// - Parameter slowmo: the slow-motion factor; nil for that of the key `slow`.
    init(_ source: StepSource, slowmo: Rational? = nil, _ reader: inout ScriptReader) {
        self.slowmo = slowmo ?? reader.slowmo(source.pairs["slow"]) ?? Self.defaultFactor
        cycles = source.pairs["cycles"].flatMap { reader.count($0.value, "'cycles'", 1...100, unit: "cycles") } ?? 1
        from = source.pairs["from"].flatMap { reader.time($0.value, "'from'") }
        to = source.pairs["to"].flatMap { reader.time($0.value, "'to'") }
    }

    /// Returns the range of model time in seconds. Throws `DocumentError` if it is empty.
    func times(in lesson: LessonContext, _ options: StepOptions) throws(DocumentError) -> Range<Rational> {
        let start = try from.map { (time) throws(DocumentError) in try lesson.seconds(time, at: options.location) } ?? 0
        let whole = start + lesson.loader.period * Rational(cycles)
        let end = try to.map { (time) throws(DocumentError) in try lesson.seconds(time, at: options.location) } ?? whole
        guard start < end else {
            throw DocumentError(
                at: options.location, "the time range is empty", remedy: "put 'from' before 'to'",
                found: "\(start) to \(end) s")
        }
        return start..<end
    }

    /// Returns a segment of one shot.
    ///
    /// - Parameters:
    ///   - panel: the panel beside the loader; nil for none.
    ///   - title: the title of the chapter if the step has none.
    func segment(
        beside panel: (any SidePanel)? = nil, _ options: StepOptions, _ title: LocalizedText, in lesson: LessonContext
    ) throws(DocumentError) -> LessonSegment {
        let times = try times(in: lesson, options)
        let shot = Shot(
            playback: .moving(from: times.lowerBound, slowmo: slowmo),
            duration: (times.upperBound - times.lowerBound) * slowmo, views: [lesson.view(options)], panel: panel)
        return LessonSegment(
            shots: [shot], narration: try lesson.narration(options, lesson.facts.at(times.lowerBound)),
            chapter: try lesson.chapter(options, orElse: title))
    }
}
