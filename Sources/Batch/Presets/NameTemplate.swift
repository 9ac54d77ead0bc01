import Animations
import Core
import Explain
import Media
import Render

/// A name with placeholders, such as `{preset}/{loader}-{slowmo}x`.
struct NameTemplate {
    /// A part of the name.
    enum Part {
        case text(String)
        case value(String)
    }

    var parts: [Part]

    /// Placeholders besides the options and the loaders' parameters.
    static let words = ["preset", "loader", "tutorial", "format"]

    /// The keys that name what a clip shows. Each clip has exactly one of them.
    static let shown: Set = ["loader", "tutorial"]

    private static func isKnown(_ word: String) -> Bool {
        words.contains(word) || OptionRegistry.current[word] != nil
            || LoaderCatalog.current.parameterNames.contains(word)
    }

    /// All valid placeholders, sorted.
    private static var known: [String] {
        Set(words + OptionRegistry.current.options.map(\.key) + LoaderCatalog.current.parameterNames).sorted()
    }

    /// Parses a template. Fails for placeholders that no clip can fill.
    static func parse(_ text: String) -> Result<NameTemplate, ValueProblem> {
        var parts: [Part] = []
        var rest = Substring(text)
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            if brace > rest.startIndex { parts.append(.text(String(rest[..<brace]))) }
            guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}") else {
                return .failure(
                    ValueProblem(
                        problem: "has an unmatched brace", remedy: "write placeholders as {loader}", found: text))
            }
            let word = String(rest[rest.index(after: brace)..<end])
            guard isKnown(word) else {
                let nearest = NearestName.of(word, in: known)
                let remedy =
                    nearest.map { "did you mean {\($0)}?" } ?? "use {preset}, {loader} or an option such as {slowmo}"
                return .failure(
                    ValueProblem(problem: "has an unknown placeholder", remedy: remedy, found: "{\(word)}"))
            }
            parts.append(.value(word))
            rest = rest[rest.index(after: end)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        return .success(NameTemplate(parts: parts))
    }

    /// Returns the template of clips without a name: the preset, the loader or tutorial, and the
    /// other axes of the matrix.
    ///
    /// - Parameter subject: `loader` or `tutorial`, whichever the clip shows.
    static func defaultTemplate(_ subject: String, axes: [String]) -> NameTemplate {
        var parts: [Part] = [.value("preset"), .text("/"), .value(subject)]
        for key in axes where !shown.contains(key) {
            let word = key.hasPrefix("set.") ? String(key.dropFirst(4)) : key
            switch OptionRegistry.current[key]?.nameStyle ?? .labelled {
            case .bare: parts += [.text("-"), .value(word)]
            case .suffixed(let unit): parts += [.text("-"), .value(word), .text(unit)]
            case .labelled: parts += [.text("-\(word)"), .value(word)]
            }
        }
        return NameTemplate(parts: parts)
    }

    /// The default values of options that appear in names without a label.
    static var defaultValues: [String: String] {
        let registry = OptionRegistry.current
        return registry.defaultTexts.filter { key, _ in
            if case .labelled = registry[key]?.nameStyle { false } else { true }
        }
    }

    /// The name with `x` in place of each placeholder.
    var withoutValues: String {
        parts.map { part in if case .text(let text) = part { text } else { "x" } }.joined()
    }

    /// Returns the name with its placeholders replaced. Fails for the first placeholder without a
    /// value.
    func filled(with values: [String: String]) -> Result<String, ValueProblem> {
        var name = ""
        for part in parts {
            switch part {
            case .text(let text): name += text
            case .value(let word):
                guard let value = values[word] else {
                    let known = values.keys.sorted().map { "{\($0)}" }.joined(separator: ", ")
                    let remedy = "use one of this clip's: \(known)"
                    return .failure(
                        ValueProblem(problem: "has a placeholder without a value", remedy: remedy, found: "{\(word)}"))
                }
                name += FileName.plain(value)
            }
        }
        return .success(name)
    }
}
