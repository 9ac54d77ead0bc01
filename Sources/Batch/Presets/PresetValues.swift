import Animations
import Core
import Explain
import Render

// Values of options, and the problems of invalid ones.
extension PresetSourceReader {
    mutating func value(of option: ClipOption, _ key: YAMLNode, _ value: YAMLNode) -> LocatedValue? {
        if value.isNull { return LocatedValue(text: nil, key: key.location, value: value.location) }
        var text: String?
        switch (option.valueKind, value.content) {
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
        let refusal = text.flatMap { option.refusal(of: $0) }
        guard let text, refusal == nil else {
            if case .words(let known) = option.valueKind, let words = text?.split(separator: ",").map(String.init),
                let other = words.first(where: { !known.contains($0) && $0 != "all" })
            {
                report(
                    value.location, "'\(option.key)' is invalid", remedy: choice(other, of: ["all"] + known),
                    found: quoted(other))
                return nil
            }
            // A colour without quotes is a comment, so its value is empty.
            let quotes = text?.isEmpty == true && option.expected.contains("#") ? ", in quotes if it begins with #" : ""
            let remedy = (refusal ?? "give \(option.expected)") + quotes
            report(value.location, "'\(option.key)' is invalid", remedy: remedy, found: value.found)
            return nil
        }
        return LocatedValue(text: text, key: key.location, value: value.location)
    }

    mutating func word(_ node: YAMLNode, of option: ClipOption, _ known: [String]) -> String? {
        if let word = node.text, known.contains(word) { return word }
        let remedy = node.text.map { choice($0, of: known) } ?? "give \(option.expected)"
        report(node.location, "'\(option.key)' is invalid", remedy: remedy, found: node.found)
        return nil
    }

    mutating func template(_ pair: NodePair, _ subject: String) -> LocatedValue? {
        guard let given = given(pair.key, pair.value, subject, "a name such as '{loader}-{slowmo}x'"),
            let text = given.text
        else {
            return nil
        }
        switch NameTemplate.parse(text) {
        case .success(let template):
            // Values never make a path invalid, so the rest of the name can be checked without
            // them.
            guard let problem = FileName.problem(of: template.withoutValues) else { return given }
            report(
                DocumentProblem(
                    pair.value.location, "\(subject) \(problem.problem)", remedy: problem.remedy,
                    found: quoted(text)))
            return nil
        case .failure(let problem):
            report(pair.value.location, subject: "\(subject) ", problem)
            return nil
        }
    }

    /// Reads a value that must be a non-empty scalar. Records a problem and returns nil for others.
    mutating func given(_ key: YAMLNode, _ value: YAMLNode, _ subject: String, _ form: String) -> LocatedValue? {
        text(value, subject, form: form).map { LocatedValue(text: $0, key: key.location, value: value.location) }
    }
}
