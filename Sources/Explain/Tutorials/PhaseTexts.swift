import Animations
import Core
import Render

extension TutorialScript {
    /// The narration of a phase.
    package struct PhaseText: Sendable {
        /// The start of the phase in seconds.
        package let start: Rational
        package let text: LocalizedText
    }

    /// Returns the lesson's title and a text for each phase, for pages: the narration, or the
    /// phase's name if the lesson has none for it. The texts are empty if the lesson has no
    /// `phases` step with texts.
    ///
    /// - Parameter request: the loader that the page shows.
    ///
    /// Throws an error if the loader cannot be made, and `DocumentError` if a fact is unknown, a
    /// check fails or the loader has no such phase.
    package func texts(for request: LoaderRequest) throws -> (title: LocalizedText, phases: [PhaseText]) {
        let loader = try LoaderRenderer(request).loader
        let facts = TemplateContext(loader: loader, parameters: request.parameterTexts)
        let failed = problems(facts)
        guard failed.isEmpty else { throw DocumentError(problems: failed) }
        let title = try localized(title, facts)
        guard let step = steps.lazy.compactMap({ $0 as? PhasesStep }).first(where: { !$0.narration.isEmpty }) else {
            return (title, [])
        }
        var messages: [Int: LocalizedMessage] = [:]
        for (phase, message) in zip(try step.shown(of: loader), step.narration) { messages[phase.index] = message }
        let texts = try loader.phases.map { phase in
            let text = try messages[phase.index].map { try localized($0, facts.at(phase)) }
            return PhaseText(start: phase.start, text: text ?? phase.name)
        }
        return (title, texts)
    }

    /// Returns a text in all its languages. A missing language has the text of the other.
    private func localized(
        _ message: LocalizedMessage, _ facts: TemplateContext
    ) throws(DocumentError) -> LocalizedText {
        var texts: [Language: String] = [:]
        for language in message.texts.keys { texts[language] = try message.text(in: language, facts).text }
        let english = texts[.en] ?? texts[.zh] ?? ""
        return LocalizedText(english, zh: texts[.zh])
    }
}
