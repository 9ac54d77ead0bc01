import Annotations
import Documents
import Loaders
import Motion
import Timing

/// What steps know when they are laid out for a language.
struct LessonContext: Sendable {
    let script: TutorialScript
    /// What the lesson is called.
    let title: Located
    let survey: LoaderSurvey
    let facts: Facts
    let style: LessonStyle
    var loader: any Loader { survey.loader }
    var language: Language { style.language }

    // MARK: Texts

    /// A text in the lesson's language, with its facts. Throws what cannot be told or has letters that no font has.
    func text(_ words: Words, _ facts: Facts? = nil) throws(DocumentError) -> Located {
        let located = try words.text(in: language, facts ?? self.facts)
        try style.checkLetters(of: located)
        return located
    }

    /// What a step says.
    func said(_ shared: StepShared, _ facts: Facts? = nil) throws(DocumentError) -> [Located] {
        var texts: [Located] = []
        for words in shared.say { texts.append(try text(words, facts)) }
        return texts
    }

    /// The title of the chapter that a step begins, if it says one.
    func chapter(_ shared: StepShared) throws(DocumentError) -> Located? {
        guard let words = shared.chapter else { return nil }
        return try text(words)
    }

    /// The title of the chapter that a step begins.
    func chapter(_ shared: StepShared, orElse title: LocalizedText) throws(DocumentError) -> Located {
        try chapter(shared) ?? Located(text: title.text(in: language), location: shared.location)
    }

    /// How long texts take to read, in seconds.
    func readingTime(of texts: [Located]) -> Rational {
        texts.reduce(0) { $0 + ReadingSpeed($1.text).time(for: $1.text) }
    }

    // MARK: The loader

    /// The stage with what a step shows over it.
    ///
    /// - Parameter other: a loader in place of the lesson's.
    func view(
        _ shared: StepShared, orElse kinds: Set<AnnotationKind> = [], of other: LoaderSurvey? = nil
    ) -> StageView {
        let survey = other ?? survey
        let loader = survey.loader
        var view = StageView(survey: survey, show: shared.show ?? kinds)
        if shared.showsConstruction {
            view.points = shared.namesObjects ? nil : Set(loader.landmarks(at: .zero).map(\.name))
        }
        return view
    }

    /// A moment in seconds.
    func seconds(_ time: ModelTime, at location: SourceLocation) throws(DocumentError) -> Rational {
        do throws(ParameterError) { return try time.seconds(in: loader) } catch {
            throw DocumentError(at: location, error.description)
        }
    }

    /// The last instant before a boundary: what is seen when a phase has ended and the next has not begun.
    func lastInstant(before end: Rational) -> Rational { end - Kinematics.step }

    /// What can be pointed at: objects, and points of the construction.
    var targets: [String] {
        loader.objects(at: .zero).map(\.name) + loader.landmarks(at: .zero).map(\.name)
    }

    func hasTarget(_ name: String) -> Bool { targets.contains(name) }
}
