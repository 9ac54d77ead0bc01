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

    /// Returns the lesson's title and its narration by phase, for pages. The texts are empty if the
    /// lesson has no `phases` step with texts.
    ///
    /// Throws an error if the loader cannot be made, and `DocumentError` if a fact is unknown.
    package func texts() throws -> (title: LocalizedText, phases: [PhaseText]) {
        let loader = try LoaderRenderer(self.loader).loader
        let facts = TemplateContext(loader: loader, parameters: self.loader.parameterTexts)
        let title = try localized(title, facts)
        guard let step = steps.lazy.compactMap({ $0 as? PhasesStep }).first(where: { !$0.narration.isEmpty }) else {
            return (title, [])
        }
        let phases =
            step.numbers.map { $0.filter(loader.phases.indices.contains).map { loader.phases[$0] } } ?? loader.phases
        var texts: [PhaseText] = []
        for (phase, message) in zip(phases, step.narration) {
            texts.append(PhaseText(start: phase.start, text: try localized(message, facts.at(phase))))
        }
        return (title, texts.sorted { $0.start < $1.start })
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
