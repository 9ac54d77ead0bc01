import Animations
import Core
import Inspect
import Media
import Render

/// The texts of a script in its languages.
extension ScriptReader {
    /// Reads a text, or a mapping of languages to texts.
    mutating func message(_ node: YAMLNode, _ subject: String) -> LocalizedMessage? {
        guard case .mapping = node.content else {
            guard let translation = translation(node, subject) else { return nil }
            languages.written.insert(Language(ofText: node.text ?? ""))
            return LocalizedMessage(
                texts: Dictionary(uniqueKeysWithValues: Language.allCases.map { ($0, translation) }),
                location: node.location)
        }
        var texts: [Language: LocalizedMessage.Translation] = [:]
        for (key, pair) in mapping(node, subject, Language.allCases.map(\.rawValue)) {
            guard let language = Language(rawValue: key) else { continue }
            languages.named.insert(language)
            texts[language] = translation(pair.value, subject)
        }
        return texts.isEmpty ? nil : LocalizedMessage(texts: texts, location: node.location)
    }

    /// Reads the names of objects in captions.
    mutating func names(_ node: YAMLNode) -> [String: LocalizedMessage] {
        let known = loader?.objects(at: .zero).map(\.name) ?? []
        return mapping(node, "'names'", known).compactMapValues { message($0.value, "a name") }
    }

    private mutating func translation(_ node: YAMLNode, _ subject: String) -> LocalizedMessage.Translation? {
        guard let source = text(node, subject) else { return nil }
        // Newlines become spaces, since the layout breaks lines.
        let text = source.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !text.isEmpty else {
            report(node.location, "\(subject) is empty", remedy: "write a text")
            return nil
        }
        guard text.count <= TutorialScript.maxCharacters else {
            report(
                node.location, "\(subject) has \(text.count) characters",
                remedy: "use at most \(TutorialScript.maxCharacters)")
            return nil
        }
        characterCount += text.count
        guard characterCount <= TutorialScript.maxTotalCharacters else {
            // Reports only the first text above the limit.
            if characterCount - text.count <= TutorialScript.maxTotalCharacters {
                report(
                    node.location, "the texts are too long",
                    remedy: "use at most \(TutorialScript.maxTotalCharacters) characters in all")
            }
            return nil
        }
        do throws(ValueProblem) {
            return LocalizedMessage.Translation(template: try TextTemplate(text), location: node.location)
        } catch {
            report(node.location, error)
            return nil
        }
    }
}

extension LocalizedMessage {
    /// A built-in text, with a location for messages.
    init(_ text: LocalizedText, at location: SourceLocation) {
        let pairs = Language.allCases.compactMap { language -> (Language, Translation)? in
            // Built-in texts have no facts.
            guard let template = try? TextTemplate(text.text(in: language)) else { return nil }
            return (language, Translation(template: template, location: location))
        }
        self.init(texts: Dictionary(uniqueKeysWithValues: pairs), location: location)
    }
}
