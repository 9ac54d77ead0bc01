import Documents
import Loaders
import Motion
import Pipeline

extension TutorialScript {
    /// What is said from an instant of the loader's time on.
    public struct PhaseText: Sendable {
        /// When the phase begins, in seconds.
        public let start: Rational
        /// What is said of it.
        public let text: LocalizedText
    }

    /// The lesson's title and what it says phase by phase, for whoever shows the loader in another way; no texts if it does not
    /// go through the phases. Throws what cannot be told, with its place.
    public func texts() throws -> (title: LocalizedText, phases: [PhaseText]) {
        let loader = try LoaderCanvas(self.loader).loader
        let facts = Facts(loader: loader, parameters: self.loader.parameterTexts)
        let title = try localized(title, facts)
        guard let step = steps.lazy.compactMap({ $0 as? PhasesStep }).first(where: { !$0.said.isEmpty }) else {
            return (title, [])
        }
        let phases =
            step.numbers.map { $0.filter(loader.phases.indices.contains).map { loader.phases[$0] } } ?? loader.phases
        var texts: [PhaseText] = []
        for (phase, words) in zip(phases, step.said) {
            texts.append(PhaseText(start: phase.start, text: try localized(words, facts.at(phase))))
        }
        return (title, texts.sorted { $0.start < $1.start })
    }

    /// A text in all languages that it has; one that is missing is the other.
    private func localized(_ words: Words, _ facts: Facts) throws(DocumentError) -> LocalizedText {
        var texts: [Language: String] = [:]
        for language in words.texts.keys { texts[language] = try words.text(in: language, facts).text }
        let english = texts[.en] ?? texts[.zh] ?? ""
        return LocalizedText(english, zh: texts[.zh])
    }
}
