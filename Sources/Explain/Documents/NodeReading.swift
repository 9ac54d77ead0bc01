import Core
import Animations

/// A key of a mapping and its value.
package typealias NodePair = (key: YAMLNode, value: YAMLNode)

/// A reader of YAML nodes that records every problem and continues.
package protocol NodeReading {
    /// The recorded problems.
    var problems: [DocumentProblem] { get set }
    /// True if no problem was recorded since this was last set to true.
    var isClean: Bool { get set }
}

extension NodeReading {
    /// Returns the text of a scalar; records a problem if the node is empty, null or no scalar.
    package mutating func text(_ node: YAMLNode, _ what: String, expected: String = "text") -> String? {
        guard let text = node.text, !text.isEmpty, !node.isNull else {
            note(node.location, "\(what) is malformed", expected: expected, found: node.found)
            return nil
        }
        return text
    }

    /// Returns the items of a sequence; any other node is a list of one item.
    package func list(_ node: YAMLNode) -> [YAMLNode] {
        if case .sequence(let nodes) = node.content { nodes } else { [node] }
    }

    /// Returns the pairs of a mapping by key, and records unknown keys.
    ///
    /// - Parameter reason: returns the expectation to report for an unknown key; nil suggests a
    ///   similar key.
    package mutating func mapping(
        _ node: YAMLNode, _ what: String, _ known: [String], reason: (String) -> String? = { _ in nil }
    ) -> [String: NodePair] {
        guard case .mapping(let pairs) = node.content else {
            note(
                node.location, "\(what) is malformed", expected: "a mapping of keys to values", found: node.found)
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

    /// Returns the expectation for an unknown word: the similar known word, else `otherwise`, else
    /// the list of known words.
    package func choice(_ word: String, of known: [String], orElse otherwise: String? = nil) -> String {
        NearestName.question(word, in: known).map { "a known one (\($0))" }
            ?? otherwise ?? "one of " + known.joined(separator: ", ")
    }

    /// Records a problem.
    package mutating func note(_ location: SourceLocation, _ what: String, expected: String, found: String? = nil) {
        isClean = false
        problems.append(DocumentProblem(location, what, expected: expected, found: found))
    }
}
