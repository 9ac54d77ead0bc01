import Core

/// A node of a YAML document and its location.
package struct YAMLNode: Sendable {
    /// The content of a node. Scalars keep their exact text, so that 0.1 is read as 1/10.
    package enum Content: Sendable {
        /// A word, number or text. Plain scalars are unquoted.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        case mapping([(key: YAMLNode, value: YAMLNode)])
    }

    package var content: Content
    package var location: SourceLocation
    /// The count of nodes in this one, including itself, with aliases expanded.
    package var size: Int

    /// The text of a scalar; nil for other nodes.
    package var text: String? {
        if case .scalar(let text, _) = content { text } else { nil }
    }

    /// True if the node is an explicit null such as `~`. An empty scalar is not null: its value was
    /// probably forgotten.
    package var isNull: Bool {
        if case .scalar(let text, isPlain: true) = content {
            ["~", "null", "Null", "NULL"].contains(text)
        } else {
            false
        }
    }

    /// A short description of the node for messages, on one line.
    package var found: String {
        switch content {
        case .scalar("", isPlain: true): "nothing"
        case .scalar(let text, let isPlain): (isPlain ? "" : "the text ") + quoted(text)
        case .sequence(let nodes): nodes.isEmpty ? "an empty list" : "a list"
        case .mapping(let pairs): pairs.isEmpty ? "an empty mapping" : "a mapping"
        }
    }
}
