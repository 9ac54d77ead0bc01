/// The kinds of YAML documents. Each has a key that the other one lacks.
package enum DocumentKind: CaseIterable, Sendable {
    case preset, script

    fileprivate var key: String { self == .preset ? "clips" : "steps" }
    fileprivate var noun: String { self == .preset ? "preset" : "script of a lesson" }
    /// The command that renders such documents.
    fileprivate var command: String { self == .preset ? "batch" : "tutorial" }
}

extension NodeReading {
    /// Returns true if a document can be of a kind. Otherwise records the command for the other
    /// kind as a remedy, instead of a problem for each of its keys.
    package mutating func checkKind(_ root: YAMLNode, is kind: DocumentKind) -> Bool {
        guard case .mapping(let pairs) = root.content, !pairs.contains(where: { $0.key.text == kind.key })
        else { return true }
        for other in DocumentKind.allCases {
            guard let pair = pairs.first(where: { $0.key.text == other.key }) else { continue }
            report(
                pair.key.location, "this is a \(other.noun), not a \(kind.noun)",
                remedy: "use the command '\(other.command)'")
            return false
        }
        return true
    }
}
