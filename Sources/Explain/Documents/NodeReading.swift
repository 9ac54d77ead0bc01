import Animations
import Core

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
    /// Returns the text of a scalar; records a problem if the node is empty, null or not a scalar.
    ///
    /// - Parameter form: the valid texts, to follow "use" in the message.
    package mutating func text(_ node: YAMLNode, _ subject: String, form: String = "text") -> String? {
        guard let text = node.text, !text.isEmpty, !node.isNull else {
            report(node.location, "\(subject) is malformed", remedy: "use \(form)", found: node.found)
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
    /// - Parameter remedy: returns the remedy to report for an unknown key; nil suggests a similar
    ///   key.
    package mutating func mapping(
        _ node: YAMLNode, _ subject: String, _ known: [String], remedy: (String) -> String? = { _ in nil }
    ) -> [String: NodePair] {
        guard case .mapping(let pairs) = node.content else {
            report(
                node.location, "\(subject) is malformed", remedy: "use a mapping of keys to values", found: node.found)
            return [:]
        }
        var result: [String: NodePair] = [:]
        for pair in pairs {
            guard let name = pair.key.text else { continue }
            if known.contains(name) {
                result[name] = pair
            } else {
                let isMergeKey = name == "<<"
                report(
                    pair.key.location, "unknown key \(quoted(name)) in \(subject)",
                    remedy: isMergeKey
                        ? "repeat the keys, because merge keys are not supported"
                        : remedy(name) ?? choice(name, of: known))
            }
        }
        return result
    }

    /// Returns the remedy for an unknown word: a question with the similar known word, else
    /// `otherwise`, else the list of known words.
    package func choice(_ word: String, of known: [String], orElse otherwise: String? = nil) -> String {
        NearestName.question(word, in: known) ?? otherwise ?? "use one of " + known.joined(separator: ", ")
    }

    /// Records a problem.
    package mutating func report(_ location: SourceLocation, _ problem: String, remedy: String, found: String? = nil) {
        report(DocumentProblem(location, problem, remedy: remedy, found: found))
    }

    /// Records the problem of a value.
    package mutating func report(_ location: SourceLocation, subject: String = "", _ value: ValueProblem) {
        report(DocumentProblem(location, subject: subject, value))
    }

    /// Records a problem.
    package mutating func report(_ problem: DocumentProblem) {
        isClean = false
        problems.append(problem)
    }
}
