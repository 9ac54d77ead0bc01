import Animations
import Core
import Render

/// The data that steps need to make segments in one language.
struct LessonContext: Sendable {
    let script: TutorialScript
    let title: SpannedText
    let survey: LoaderSurvey
    /// The background on which the loader is drawn.
    let background: Color
    let facts: TemplateContext
    let style: LessonStyle
    var loader: any Loader { survey.loader }
    var language: Language { style.language }

    // MARK: Texts

    /// Returns a text in the lesson's language with its facts filled in.
    ///
    /// Throws `DocumentError` if a fact is unknown or no installed font has a character.
    func text(_ message: LocalizedMessage, _ facts: TemplateContext? = nil) throws(DocumentError) -> SpannedText {
        let located = try message.text(in: language, facts ?? self.facts)
        try style.checkGlyphs(of: located)
        return located
    }

    /// Returns the texts of a step's captions.
    func narration(_ options: StepOptions, _ facts: TemplateContext? = nil) throws(DocumentError) -> [SpannedText] {
        var texts: [SpannedText] = []
        for message in options.narration { texts.append(try text(message, facts)) }
        return texts
    }

    /// Returns the title that a step sets for its chapter; nil if it sets none.
    func chapter(_ options: StepOptions) throws(DocumentError) -> SpannedText? {
        guard let message = options.chapter else { return nil }
        return try text(message)
    }

    /// Returns the title of a step's chapter.
    func chapter(_ options: StepOptions, orElse title: LocalizedText) throws(DocumentError) -> SpannedText {
        try chapter(options) ?? SpannedText(text: title.text(in: language), location: options.location)
    }

    /// Returns the time in seconds that reading some texts takes.
    func readingTime(of texts: [SpannedText]) -> Rational {
        texts.reduce(0) { $0 + ReadingSpeed($1.text).time(for: $1.text) }
    }

    // MARK: The loader

    /// Returns the loader with a step's annotations.
    ///
    /// - Parameters:
    ///   - kinds: the annotations of a step without `show`.
    ///   - other: the loader to show; nil for the lesson's.
    func view(
        _ options: StepOptions, orElse kinds: Set<AnnotationKind> = [], of other: LoaderSurvey? = nil
    ) -> LoaderView {
        let survey = other ?? survey
        let loader = survey.loader
        let shownOn = other.map { AnnotationBackground.color(for: $0.loader) ?? $0.loader.background }
        var view = LoaderView(
            survey: survey, background: shownOn ?? background, language: language, show: options.show ?? kinds)
        view.frame = options.frame
        if options.showsConstruction {
            view.points = options.namesObjects ? nil : ShownPoints(Set(loader.landmarks(at: .zero).map(\.name)))
        }
        return view
    }

    /// Returns a model time in seconds. Throws `DocumentError` if the loader has no such phase.
    func seconds(_ time: ModelTime, at location: SourceLocation) throws(DocumentError) -> Rational {
        do throws(ParameterError) { return try time.seconds(in: loader) } catch {
            throw DocumentError(at: location, error.description)
        }
    }

    /// Returns the last instant before the end of a phase, in seconds.
    func lastInstant(before end: Rational) -> Rational { end - Kinematics.step }

    /// The names that callouts may point at: objects and points of the construction.
    var targets: [String] {
        loader.objects(at: .zero).map(\.name) + loader.landmarks(at: .zero).map(\.name)
    }

    func hasTarget(_ name: String) -> Bool { targets.contains(name) }
}
