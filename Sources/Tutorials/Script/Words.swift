import Documents
import Loaders

/// A text of a script in the languages that it is given in, with its places.
struct Words: Sendable {
    /// A text in one language.
    struct Spoken: Sendable {
        let template: TextTemplate
        let location: SourceLocation
    }

    /// The text by language; one that is the same in all is here for each.
    var texts: [Language: Spoken]
    /// Where the script has it.
    let location: SourceLocation

    /// The text in a language with its facts filled in. Throws what is wrong with it, with its place.
    func text(in language: Language, _ facts: Facts) throws(DocumentError) -> Located {
        guard let spoken = texts[language] else {
            let given = texts.keys.map(\.rawValue).sorted().joined(separator: ", ")
            throw DocumentError(
                at: location, "the text is not given in the language that is asked for",
                expected: "\(language.rawValue): and the text", found: given)
        }
        do throws(FactProblem) {
            return Located(text: try spoken.template.filled(with: facts, in: language), location: spoken.location)
        } catch {
            throw DocumentError(at: spoken.location, error.what, expected: error.expected, found: error.found)
        }
    }
}

/// A text that will be shown, and the place in a script where it comes from.
struct Located: Sendable {
    let text: String
    let location: SourceLocation
}

extension DocumentError {
    /// One problem.
    init(at location: SourceLocation, _ what: String, expected: String? = nil, found: String? = nil) {
        self.init(problems: [DocumentProblem(location, what, expected: expected, found: found)])
    }
}
