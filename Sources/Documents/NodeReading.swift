import Loaders

/// A key of a mapping and its value.
package typealias NodePair = (key: YAMLNode, value: YAMLNode)

/// What turns a document into something, and notes everything that is not of its form.
package protocol NodeReading {
    /// All that was noted.
    var problems: [DocumentProblem] { get set }
    /// Whether nothing was noted since this was set.
    var isClean: Bool { get set }
}

extension NodeReading {
    /// A scalar that is not nothing.
    package mutating func text(_ node: YAMLNode, _ what: String, expected: String = "text") -> String? {
        guard let text = node.text, !text.isEmpty, !node.isNull else {
            note(node.location, "\(what) is not of its form", expected: expected, found: node.found)
            return nil
        }
        return text
    }

    package func list(_ node: YAMLNode) -> [YAMLNode] {
        if case .sequence(let nodes) = node.content { nodes } else { [node] }
    }

    /// The pairs of a mapping by their key; unknown keys are noted, with a reason where there is one.
    package mutating func mapping(
        _ node: YAMLNode, _ what: String, _ known: [String], reason: (String) -> String? = { _ in nil }
    ) -> [String: NodePair] {
        guard case .mapping(let pairs) = node.content else {
            note(
                node.location, "\(what) is not of its form", expected: "a mapping of keys to values", found: node.found)
            return [:]
        }
        var result: [String: NodePair] = [:]
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
    package func choice(_ word: String, of known: [String], orElse otherwise: String? = nil) -> String {
        let letters = word.sorted()
        let meant = known.first { $0.sorted() == letters } ?? NearestWord.to(word, in: known)
        return meant.map { "a known one (did you mean '\($0)'?)" }
            ?? otherwise ?? "one of " + known.joined(separator: ", ")
    }

    package mutating func note(_ location: SourceLocation, _ what: String, expected: String, found: String) {
        isClean = false
        problems.append(DocumentProblem(location, what, expected: expected, found: found))
    }
}
