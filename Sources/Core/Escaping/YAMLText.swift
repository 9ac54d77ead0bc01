/// YAML as text.
package enum YAMLText {
    /// Returns a text as a YAML scalar in double quotes on one line. Every text can be written this
    /// way.
    package static func literal(_ text: String) -> String {
        "\"" + text.mapScalars { needsEscape($0) ? escape($0) : nil } + "\""
    }

    /// Returns a text as a plain YAML scalar if none of it has a special meaning in YAML, otherwise
    /// in quotes.
    package static func scalar(_ text: String) -> String {
        let isPlain =
            text.unicodeScalars.first.map { $0.properties.isAlphabetic && $0.isASCII } == true
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "/": true
                default: false
                }
            }
        let words: Set = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
        return isPlain && !words.contains(text.lowercased()) ? text : literal(text)
    }

    /// Returns true if a scalar is special within double quotes, is not printable in YAML (section
    /// 5.1), or folds lines.
    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "\\", "\u{85}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}": true
        default: scalar.isHidden
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\", "\n", "\r", "\t": scalar.jsonEscape
        default:
            scalar.value > 0xFFFF
                ? "\\U" + Unicode.Scalar.hexadecimal(scalar.value, digits: 8)
                : "\\u" + Unicode.Scalar.hexadecimal(scalar.value, digits: 4)
        }
    }
}
