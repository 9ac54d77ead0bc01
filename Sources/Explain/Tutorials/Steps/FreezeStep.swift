import Animations
import Core
import Render

/// A step that shows one instant with callouts.
struct FreezeStep: TutorialStep {
    static let key = "freeze"
    static let keys = ["point", "measure", "for"]

    private let time: ModelTime
    private let timeLocation: SourceLocation
    private let duration: Rational
    private let points: [(target: String, message: LocalizedMessage, location: SourceLocation)]
    /// The two targets between which the distance is shown; empty for none.
    private let measured: [SpannedText]
    private let options: StepOptions

    /// Maximum number of callouts in a frame: with more, most of the frame would be text.
    private static let maxPoints = 4

    init?(_ source: StepSource, _ reader: inout ScriptReader) {
        guard let time = reader.time(source.value, "'freeze'") else { return nil }
        self.time = time
        timeLocation = source.value.location
        options = source.options
        duration = source.pairs["for"].flatMap { reader.number($0.value, "'for'", 0...60, unit: "seconds") } ?? 2
        points = source.pairs["point"].map { FreezeStep.points($0.value, &reader) } ?? []
        measured = source.pairs["measure"].map { reader.pair($0.value, "'measure'") } ?? []
        guard points.count <= Self.maxPoints else {
            reader.report(
                source.value.location, "'point' has \(points.count) texts",
                remedy: "use at most \(Self.maxPoints) at once")
            return nil
        }
    }

    private static func points(
        _ node: YAMLNode, _ reader: inout ScriptReader
    ) -> [(target: String, message: LocalizedMessage, location: SourceLocation)] {
        guard case .mapping(let pairs) = node.content else {
            reader.report(
                node.location, "'point' is malformed", remedy: "use names of objects, each with a text",
                found: node.found)
            return []
        }
        return pairs.compactMap { key, value in
            guard let name = key.text, let message = reader.message(value, "a text of 'point'") else { return nil }
            return (name, message, key.location)
        }
    }

    /// Throws `DocumentError` for a callout or measure that names no object or point, or an object
    /// that draws nothing at that time.
    private func checkTargets(in lesson: LessonContext, at instant: Rational) throws(DocumentError) {
        let targets = points.map { SpannedText(text: $0.target, location: $0.location) } + measured
        for target in targets where !lesson.hasTarget(target.text) {
            throw DocumentError(
                at: target.location, "there is no object or point \(quoted(target.text))",
                remedy: "use one of \(lesson.targets.joined(separator: ", "))")
        }
        let visibility = ObjectVisibility(lesson.loader, at: instant.modulo(lesson.loader.period))
        for target in targets where visibility.isEmpty(target.text) {
            throw DocumentError(
                at: target.location,
                "\(quoted(target.text)) is not visible at \(NumberText.decimal(instant.double, places: 3)) s",
                remedy: "freeze another time, or name another object")
        }
    }

    func segments(in lesson: LessonContext) throws(DocumentError) -> [LessonSegment] {
        let instant = try lesson.seconds(time, at: timeLocation)
        let facts = lesson.facts.at(instant)
        var view = lesson.view(options)
        try checkTargets(in: lesson, at: instant)
        view.measured = measured
        for point in points {
            view.callouts.append(Callout(target: point.target, text: try lesson.text(point.message, facts)))
        }
        let narration = try lesson.narration(options, facts)
        // Viewers read the callouts after the narration.
        let reading = lesson.readingTime(of: narration) + lesson.readingTime(of: view.callouts.map(\.text))
        let shot = Shot(playback: .still(instant), duration: max(duration, reading), views: [view])
        let title = LocalizedText("A closer look", zh: "定格细看")
        return [LessonSegment(shots: [shot], narration: narration, chapter: try lesson.chapter(options, orElse: title))]
    }
}
