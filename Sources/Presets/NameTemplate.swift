import Documents
import Loaders
import Media
import Pipeline

/// A name with placeholders, such as `{preset}/{loader}-{slowmo}x`.
struct NameTemplate {
    /// A part of the name.
    enum Part {
        case text(String)
        case value(String)
    }

    /// Why a text is no template.
    typealias Problem = NameProblem

    var parts: [Part]

    /// Placeholders besides the options and the loaders' parameters.
    static let words = ["preset", "loader", "tutorial", "format"]

    /// The keys of what a clip shows, of which it has one.
    static let shown: Set = ["loader", "tutorial"]

    private static func isKnown(_ word: String) -> Bool {
        words.contains(word) || OptionRegistry.current[word] != nil
            || LoaderCatalog.current.parameterNames.contains(word)
    }

    /// All placeholders, sorted and each once.
    private static var known: [String] {
        Set(words + OptionRegistry.current.options.map(\.key) + LoaderCatalog.current.parameterNames).sorted()
    }

    /// Reads a template. Placeholders that no clip can fill are refused.
    static func parse(_ text: String) -> Result<NameTemplate, Problem> {
        var parts: [Part] = []
        var rest = Substring(text)
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            if brace > rest.startIndex { parts.append(.text(String(rest[..<brace]))) }
            guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}") else {
                return .failure(
                    Problem(what: "has a brace without its partner", expected: "{placeholder}", found: quoted(text)))
            }
            let word = String(rest[rest.index(after: brace)..<end])
            guard isKnown(word) else {
                let nearest = NearestWord.to(word, in: known)
                let expected =
                    nearest.map { "a known one (did you mean {\($0)}?)" }
                    ?? "{preset}, {loader} or an option such as {slowmo}"
                return .failure(
                    Problem(what: "has an unknown placeholder", expected: expected, found: quoted("{" + word + "}")))
            }
            parts.append(.value(word))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        return .success(NameTemplate(parts: parts))
    }

    /// The template of clips that have none: the loader and each axis of the matrix but the loader.
    ///
    /// - Parameter subject: `loader` or `tutorial`, whichever the clip shows.
    static func standard(_ subject: String, axes: [String]) -> NameTemplate {
        var parts: [Part] = [.value("preset"), .text("/"), .value(subject)]
        for key in axes where !shown.contains(key) {
            let word = key.hasPrefix("set.") ? String(key.dropFirst(4)) : key
            switch OptionRegistry.current[key]?.naming ?? .labelled {
            case .bare: parts += [.text("-"), .value(word)]
            case .suffixed(let unit): parts += [.text("-"), .value(word), .text(unit)]
            case .labelled: parts += [.text("-\(word)"), .value(word)]
            }
        }
        return NameTemplate(parts: parts)
    }

    /// What options are in names unless they are given: of those that have names without a label.
    static var standardValues: [String: String] {
        let registry = OptionRegistry.current
        return registry.standardTexts.filter { key, _ in
            if case .labelled = registry[key]?.naming { false } else { true }
        }
    }

    /// The name with values in it. Fails with the first placeholder that has none.
    func filled(with values: [String: String]) -> Result<String, Problem> {
        var name = ""
        for part in parts {
            switch part {
            case .text(let text): name += text
            case .value(let word):
                guard let value = values[word] else {
                    let known = values.keys.sorted().map { "{\($0)}" }.joined(separator: ", ")
                    let expected = "one that this clip gives: \(known)"
                    return .failure(
                        Problem(what: "has a placeholder without a value", expected: expected, found: "'{\(word)}'"))
                }
                name += FileName.plain(value)
            }
        }
        return .success(name)
    }
}

extension FileName {
    /// The container that a file's suffix tells.
    static func container(of path: String) -> Container? {
        path.lastIndex(of: ".").flatMap { Container(rawValue: String(path[$0...].dropFirst()).lowercased()) }
    }
}
