import Loaders
import Pipeline
import Scene

// The forms of values, and notes on those that have another.
extension PresetSourceReader {
    mutating func value(of option: ClipOption, _ key: YAMLNode, _ value: YAMLNode) -> Given? {
        if value.isNull { return Given(text: nil, key: key.location, value: value.location) }
        var text: String?
        switch (option.form, value.content) {
        case (.flag, .scalar(let word, isPlain: true)):
            text =
                ["true", "True", "TRUE"].contains(word)
                ? "true" : ["false", "False", "FALSE"].contains(word) ? "false" : nil
        case (.flag, _): break
        case (.words(let known), .sequence(let nodes)) where !nodes.isEmpty:
            let words = nodes.compactMap { word($0, of: option, ["all"] + known) }
            guard words.count == nodes.count else { return nil }
            text = words.joined(separator: ",")
        case (_, .scalar(let word, _)): text = word
        default: break
        }
        guard let text, option.refusal(of: text) == nil else {
            note(value.location, "'\(option.key)' is not possible", expected: option.expected, found: value.found)
            return nil
        }
        return Given(text: text, key: key.location, value: value.location)
    }

    mutating func word(_ node: YAMLNode, of option: ClipOption, _ known: [String]) -> String? {
        if let word = node.text, known.contains(word) { return word }
        let expected = node.text.map { choice($0, of: known) } ?? option.expected
        note(node.location, "'\(option.key)' is not possible", expected: expected, found: node.found)
        return nil
    }

    mutating func template(_ pair: Pair, _ what: String) -> Given? {
        guard let given = given(pair.key, pair.value, what, "a name such as '{loader}-{slowmo}x'"),
            let text = given.text
        else {
            return nil
        }
        switch NameTemplate.parse(text) {
        case .success: return given
        case .failure(let problem):
            note(pair.value.location, "\(what) \(problem.what)", expected: problem.expected, found: problem.found)
            return nil
        }
    }

    /// A scalar that is not nothing.
    mutating func given(_ key: YAMLNode, _ value: YAMLNode, _ what: String, _ expected: String) -> Given? {
        guard let text = value.text, !text.isEmpty, !value.isNull else {
            note(value.location, "\(what) is not of its form", expected: expected, found: value.found)
            return nil
        }
        return Given(text: text, key: key.location, value: value.location)
    }

    mutating func text(_ node: YAMLNode, _ what: String) -> String? {
        given(node, node, what, "text")?.text
    }

    // MARK: Forms

    typealias Pair = (key: YAMLNode, value: YAMLNode)

    func list(_ node: YAMLNode) -> [YAMLNode] {
        if case .sequence(let nodes) = node.content { nodes } else { [node] }
    }

    /// The pairs of a mapping by their key; unknown keys are noted, with a reason where there is one.
    mutating func mapping(
        _ node: YAMLNode, _ what: String, _ known: [String], reason: (String) -> String? = { _ in nil }
    ) -> [String: Pair] {
        guard case .mapping(let pairs) = node.content else {
            note(
                node.location, "\(what) is not of its form", expected: "a mapping of keys to values", found: node.found)
            return [:]
        }
        var result: [String: Pair] = [:]
        for pair in pairs {
            guard let name = pair.key.text else { continue }
            if known.contains(name) {
                result[name] = pair
            } else {
                note(
                    pair.key.location, "unknown key in \(what)",
                    expected: reason(name) ?? choice(name, of: known), found: quoted(name))
            }
        }
        return result
    }

    /// The known word that was probably meant, or all of them.
    func choice(_ word: String, of known: [String], orElse otherwise: String? = nil) -> String {
        let letters = word.sorted()
        let meant = known.first { $0.sorted() == letters } ?? NearestWord.to(word, in: known)
        return meant.map { "a known one (did you mean '\($0)'?)" }
            ?? otherwise ?? "one of " + known.joined(separator: ", ")
    }

    mutating func note(_ location: SourceLocation, _ what: String, expected: String, found: String) {
        isClean = false
        problems.append(PresetProblem(location, what, expected: expected, found: found))
    }
}
