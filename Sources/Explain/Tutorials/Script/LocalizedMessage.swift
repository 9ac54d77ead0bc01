import Animations
import Raster

/// A text of a script in one or more languages.
struct LocalizedMessage: Sendable {
    /// The text in one language.
    struct Translation: Sendable {
        let template: TextTemplate
        let location: SourceLocation
    }

    /// The text by language. A text without languages is present for each.
    var texts: [Language: Translation]
    let location: SourceLocation

    /// Returns the text in a language with its facts filled in.
    ///
    /// Throws `DocumentError` if the language is missing or a fact cannot be evaluated.
    func text(in language: Language, _ facts: TemplateContext) throws(DocumentError) -> SpannedText {
        guard let translation = texts[language] else {
            let languages = texts.keys.map(\.rawValue).sorted().joined(separator: ", ")
            throw DocumentError(
                at: location, "the text has no translation into the requested language",
                remedy: "add \(language.rawValue): and the text", found: languages)
        }
        do throws(ValueProblem) {
            let filled = try translation.template.filled(with: facts, in: language)
            return SpannedText(text: filled, location: translation.location)
        } catch {
            throw DocumentError(problems: [DocumentProblem(translation.location, error)])
        }
    }
}

/// A text and its location in a script.
struct SpannedText: Sendable {
    let text: String
    let location: SourceLocation
    /// True if the program made the text, which it may shorten.
    var isGenerated = false

    /// The text with three dots instead of its last word; nil if it has only one word.
    var shortened: SpannedText? {
        let words = WordBreaks.pieces(of: text.hasSuffix("…") ? String(text.dropLast()) : text)
        guard words.count > 1 else { return nil }
        var kept = words.dropLast().joined()
        while let last = kept.last, last.isWhitespace || last.isPunctuation { kept.removeLast() }
        return SpannedText(text: kept + "…", location: location, isGenerated: isGenerated)
    }
}

extension DocumentError {
    /// An error with one problem.
    init(at location: SourceLocation, _ problem: String, remedy: String? = nil, found: String? = nil) {
        self.init(problems: [DocumentProblem(location, problem, remedy: remedy, found: found)])
    }
}
