import Annotations
import Documents
import Loaders
import Motion

/// A chapter for each phase: it plays slowly, then holds while its words are read.
struct PhasesStep: TutorialStep {
    static let key = "phases"
    static let keys = ["slow", "hold"]

    private static let mostPhases = 100

    /// The phases that are shown; nil shows all.
    private let indices: [(index: Int, location: SourceLocation)]?
    private let slowmo: Rational
    private let hold: Rational
    private let shared: StepShared

    /// The phases' numbers; nil for all.
    var numbers: [Int]? { indices?.map(\.index) }
    /// What is said of each.
    var said: [Words] { shared.say }

    init?(_ source: StepSource, _ reader: inout ScriptReader) {
        indices = reader.names(source.value, "'phases'").map { names in
            names.compactMap { name in
                if let index = Int(name.text) { return (index, name.location) }
                reader.note(
                    name.location, "'phases' is not possible", expected: "all, or numbers of phases",
                    found: quoted(name.text))
                return nil
            }
        }
        if let indices, indices.isEmpty {
            reader.note(
                source.value.location, "'phases' shows none", expected: "all, or numbers of phases",
                found: source.value.found)
        }
        slowmo = reader.slowness(source.pairs["slow"]) ?? 6
        hold = source.pairs["hold"].flatMap { reader.number($0.value, "'hold'", 0...60, unit: "seconds") } ?? 1
        shared = source.shared
    }

    func passages(in lesson: LessonContext) throws(DocumentError) -> [Passage] {
        let phases = try shown(in: lesson)
        guard shared.say.isEmpty || shared.say.count == phases.count else {
            throw DocumentError(
                at: shared.location, "'say' does not fit the phases", expected: "a text for each of \(phases.count)",
                found: "\(shared.say.count)")
        }
        var passages: [Passage] = []
        for (number, phase) in phases.enumerated() {
            let facts = lesson.facts.at(phase)
            let title = phase.title(in: lesson.language)
            let said =
                try shared.say.isEmpty
                ? Located(text: phase.name.text(in: lesson.language), location: shared.location)
                : lesson.text(shared.say[number], facts)
            let view = lesson.view(shared, orElse: [.ghosts, .vectors, .labels])
            var shots = [
                Shot(
                    course: .moving(from: phase.start, slowmo: slowmo), duration: phase.duration * slowmo,
                    stages: [view])
            ]
            if hold > .zero {
                shots.append(
                    Shot(course: .still(lesson.lastInstant(before: phase.end)), duration: hold, stages: [view]))
            }
            passages.append(
                Passage(shots: shots, say: [said], chapter: Located(text: title, location: shared.location)))
        }
        return passages
    }

    private func shown(in lesson: LessonContext) throws(DocumentError) -> [Phase] {
        let all = lesson.loader.phases
        guard (indices?.count ?? all.count) <= Self.mostPhases else {
            throw DocumentError(
                at: shared.location, "there are too many phases", expected: "at most \(Self.mostPhases): choose some",
                found: "\(indices?.count ?? all.count)")
        }
        guard let indices else { return all }
        var phases: [Phase] = []
        for (index, location) in indices {
            guard all.indices.contains(index) else {
                throw DocumentError(
                    at: location, "there is no such phase", expected: "0...\(all.count - 1)", found: "\(index)")
            }
            phases.append(all[index])
        }
        return phases
    }
}
