import Documents
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

    mutating func template(_ pair: NodePair, _ what: String) -> Given? {
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
        text(value, what, expected: expected).map { Given(text: $0, key: key.location, value: value.location) }
    }
}
