import Pipeline

/// A piece of a YAML document with its place.
package struct YAMLNode: Sendable {
    /// What it is. Scalars keep their exact text, so that 0.1 can become 1/10.
    package enum Content: Sendable {
        /// A word, number or text; plain ones are not quoted.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        case mapping([(key: YAMLNode, value: YAMLNode)])
    }

    package var content: Content
    package var location: SourceLocation
    /// How many nodes it holds, itself included and aliases written out.
    package var size: Int

    /// The text, if it is a scalar.
    package var text: String? {
        if case .scalar(let text, _) = content { text } else { nil }
    }

    /// Whether it is null said in a word; nothing at all is rather a value that was forgotten.
    package var isNull: Bool {
        if case .scalar(let text, isPlain: true) = content {
            ["~", "null", "Null", "NULL"].contains(text)
        } else {
            false
        }
    }

    /// What was found, for messages: never long, and never more than one line.
    package var found: String {
        switch content {
        case .scalar("", isPlain: true): "nothing"
        case .scalar(let text, let isPlain): (isPlain ? "" : "the text ") + quoted(text)
        case .sequence(let nodes): nodes.isEmpty ? "an empty list" : "a list"
        case .mapping(let pairs): pairs.isEmpty ? "an empty mapping" : "a mapping"
        }
    }
}

/// Text of a stranger in quotes: on one line, and shortened.
package func quoted(_ text: String) -> String { "'\(printable(text, atMost: 80))'" }

/// Text without what breaks a line or moves the cursor, and of no more than so many characters of the original.
package func printable(_ text: String, atMost limit: Int) -> String {
    let start = String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
    return start.visible + (text.unicodeScalars.count > limit ? "..." : "")
}
