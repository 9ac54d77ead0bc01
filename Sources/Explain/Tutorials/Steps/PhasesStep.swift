import Animations
import Core
import Raster
import Render

/// A step with a chapter per phase: each phase plays in slow motion, then holds until its narration
/// has been read.
struct PhasesStep: TutorialStep {
    static let key = "phases"
    static let keys = ["slow", "hold"]

    /// Maximum number of phases in a step.
    private static let maxPhases = 100

    /// The shown phases; nil for all.
    private let indices: [(index: Int, location: SourceLocation)]?
    private let slowmo: Rational
    private let hold: Rational
    private let options: StepOptions

    /// The narration of each shown phase; empty for the phases' names.
    var narration: [LocalizedMessage] { options.narration }

    init?(_ source: StepSource, _ reader: inout ScriptReader) {
        let names = reader.names(source.value, "'phases'")
        indices = names.map {
            $0.compactMap { name in
                if let index = Int(name.text) { return (index, name.location) }
                reader.report(
                    name.location, "'phases' is invalid", remedy: "use all, or numbers of phases",
                    found: quoted(name.text))
                return nil
            }
        }
        if names?.isEmpty == true {
            reader.report(source.value.location, "'phases' is empty", remedy: "use all, or numbers of phases")
        }
        slowmo = reader.slowmo(source.pairs["slow"]) ?? 6
        hold = source.pairs["hold"].flatMap { reader.number($0.value, "'hold'", 0...60, unit: "seconds") } ?? 1
        options = source.options
    }

    /// Maximum length of a word in a caption that names a phase, in characters. Names of layers can
    /// be longer than a line.
    private static let maxWordLength = 24

    /// Returns the name of a phase as a caption.
    private static func caption(of phase: Phase, in language: Language) -> String {
        WordBreaks.pieces(of: phase.name.text(in: language)).map { word in
            word.count > maxWordLength ? word.prefix(maxWordLength - 1) + "…" : word
        }.joined()
    }

    func segments(in lesson: LessonContext) throws(DocumentError) -> [LessonSegment] {
        let phases = try shown(of: lesson.loader)
        guard options.narration.isEmpty || options.narration.count == phases.count else {
            throw DocumentError(
                at: options.location, "'say' has \(options.narration.count) texts for \(phases.count) phases",
                remedy: "write a text for each phase")
        }
        var segments: [LessonSegment] = []
        for (number, phase) in phases.enumerated() {
            let facts = lesson.facts.at(phase)
            let title = phase.title(in: lesson.language)
            let narration =
                try options.narration.isEmpty
                ? SpannedText(text: Self.caption(of: phase, in: lesson.language), location: options.location)
                : lesson.text(options.narration[number], facts)
            let view = lesson.view(options, orElse: [.ghosts, .vectors, .labels])
            var shots = [
                Shot(
                    playback: .moving(from: phase.start, slowmo: slowmo), duration: phase.duration * slowmo,
                    views: [view])
            ]
            if hold > .zero {
                shots.append(
                    Shot(playback: .still(lesson.lastInstant(before: phase.end)), duration: hold, views: [view]))
            }
            segments.append(
                LessonSegment(
                    shots: shots, narration: [narration],
                    chapter: SpannedText(text: title, location: options.location, isGenerated: true)))
        }
        return segments
    }

    /// Returns the shown phases of a loader. Throws `DocumentError` if it has no such phase or too
    /// many.
    func shown(of loader: any Loader) throws(DocumentError) -> [Phase] {
        let all = loader.phases
        guard (indices?.count ?? all.count) <= Self.maxPhases else {
            throw DocumentError(
                at: options.location, "the step shows \(indices?.count ?? all.count) phases",
                remedy: "choose at most \(Self.maxPhases) by number")
        }
        guard let indices else { return all }
        var phases: [Phase] = []
        for (index, location) in indices {
            guard all.indices.contains(index) else {
                throw DocumentError(
                    at: location, "there is no phase \(index)", remedy: "use 0...\(all.count - 1)")
            }
            phases.append(all[index])
        }
        return phases
    }
}
