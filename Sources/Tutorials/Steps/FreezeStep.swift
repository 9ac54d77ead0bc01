import Documents
import Loaders
import Motion

/// One instant with explanations of what is seen.
struct FreezeStep: TutorialStep {
    static let key = "freeze"
    static let keys = ["point", "for"]

    private let time: ModelTime
    private let timeLocation: SourceLocation
    private let duration: Rational
    private let points: [(target: String, words: Words, location: SourceLocation)]
    private let shared: StepShared

    /// More explanations at once are a wall of text.
    private static let mostPoints = 4

    init?(_ source: StepSource, _ reader: inout ScriptReader) {
        guard let time = reader.time(source.value, "'freeze'") else { return nil }
        (self.time, timeLocation, shared) = (time, source.value.location, source.shared)
        duration = source.pairs["for"].flatMap { reader.number($0.value, "'for'", 0...60, unit: "seconds") } ?? 2
        points = source.pairs["point"].map { FreezeStep.points($0.value, &reader) } ?? []
        guard points.count <= Self.mostPoints else {
            reader.note(
                source.value.location, "too much is pointed at",
                expected: "at most \(Self.mostPoints) explanations at once",
                found: "\(points.count)")
            return nil
        }
    }

    private static func points(
        _ node: YAMLNode, _ reader: inout ScriptReader
    ) -> [(target: String, words: Words, location: SourceLocation)] {
        guard case .mapping(let pairs) = node.content else {
            reader.note(
                node.location, "'point' is not of its form", expected: "names of objects, each with a text",
                found: node.found)
            return []
        }
        return pairs.compactMap { key, value in
            guard let name = key.text, let words = reader.words(value, "an explanation") else { return nil }
            return (name, words, key.location)
        }
    }

    func passages(in lesson: LessonContext) throws(DocumentError) -> [Passage] {
        let instant = try lesson.seconds(time, at: timeLocation)
        let facts = lesson.facts.at(instant)
        var view = lesson.view(shared)
        for point in points {
            guard lesson.hasTarget(point.target) else {
                throw DocumentError(
                    at: point.location, "there is nothing of that name to point at",
                    expected: "one of \(lesson.targets.joined(separator: ", "))", found: quoted(point.target))
            }
            view.callouts.append(Callout(target: point.target, text: try lesson.text(point.words, facts)))
        }
        let said = try lesson.said(shared, facts)
        // What is pointed at is read after what is said.
        let reading = lesson.readingTime(of: said) + lesson.readingTime(of: view.callouts.map(\.text))
        let shot = Shot(course: .still(instant), duration: max(duration, reading), stages: [view])
        let title = LocalizedText("A closer look", zh: "定格细看")
        return [Passage(shots: [shot], say: said, chapter: try lesson.chapter(shared, orElse: title))]
    }
}
