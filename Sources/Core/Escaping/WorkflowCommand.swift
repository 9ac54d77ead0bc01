/// A workflow command of GitHub Actions, such as `::error file=clips.yaml,line=3::message`.
package struct WorkflowCommand {
    private let name: String
    private let properties: [(name: String, value: String)]
    private let message: String

    /// A command with properties in the given order.
    package init(_ name: String, _ properties: [(name: String, value: String)], message: String) {
        self.name = name
        self.properties = properties
        self.message = message
    }

    /// The command as one line, escaped like the runner's `@actions/core`, so that no value can end
    /// the line or the value.
    package var line: String {
        let list = properties.map { "\($0.name)=\(Self.escapedProperty($0.value))" }.joined(separator: ",")
        return "::\(name)\(list.isEmpty ? "" : " " + list)::\(Self.escapedMessage(message))"
    }

    private static func escapedMessage(_ text: String) -> String {
        text.mapScalars { scalar in
            switch scalar {
            case "%": "%25"
            case "\r": "%0D"
            case "\n": "%0A"
            default: nil
            }
        }
    }

    private static func escapedProperty(_ text: String) -> String {
        escapedMessage(text).mapScalars { scalar in
            switch scalar {
            case ":": "%3A"
            case ",": "%2C"
            default: nil
            }
        }
    }

    /// Returns a log line that the runner does not interpret as a command, even if it contains odd
    /// names. The runner treats a line as a command if it begins with `::`, ignoring spaces, or
    /// contains `##[`. A backslash separates these characters.
    package static func disarmed(_ line: String) -> String {
        var result = String.UnicodeScalarView()
        // The last three scalars that the runner compares; nil before the line's first one.
        var last: [Unicode.Scalar?] = [nil, nil, nil]
        for (index, scalar) in zip(line.unicodeScalars.indices, line.unicodeScalars) {
            guard !isIgnored(scalar), last[2] != nil || !scalar.properties.isWhitespace else {
                result.append(scalar)
                continue
            }
            last = [last[1], last[2], scalar]
            // Only the first scalar of a line looks ahead.
            let beginsCommand =
                last[1] == nil && scalar == ":"
                && line.unicodeScalars[index...].dropFirst().first(where: { !isIgnored($0) }) == ":"
            if beginsCommand || last == ["#", "#", "["] { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }

    /// Returns true if a comparison that follows a culture's rules, as in .NET, ignores the scalar.
    private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isDefaultIgnorableCodePoint
    }

    /// Returns a JSON document in which no text contains `##[`: the escape `\u005b` replaces its
    /// bracket. JSON has `#` only in strings, where an escape can replace a character.
    package static func disarmedJSON(_ document: String) -> String {
        var last: [Unicode.Scalar] = []
        return document.mapScalars { scalar in
            if isIgnored(scalar) { return nil }
            defer { last = Array(last.suffix(1)) + [scalar] }
            return scalar == "[" && last == ["#", "#"] ? "\\u005b" : nil
        }
    }
}
