extension String {
    /// The text escaped for XML and HTML elements and quoted attributes. A scalar that XML 1.0 does
    /// not allow (section 2.2) becomes U+FFFD.
    package var xml: String {
        mapScalars { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "'": "&#39;"
            // A parser turns line ends into spaces in attributes and into LF elsewhere.
            case "\t", "\n", "\r": "&#\(scalar.value);"
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": "\u{FFFD}"
            default: nil
            }
        }
    }

    /// The text escaped for the payload of a WebVTT cue, so that it contains no tag, character
    /// reference or time stamp.
    package var webVTT: String {
        mapScalars { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            default: nil
            }
        }
    }

    /// The text escaped for one cell of a Markdown table. ASCII punctuation becomes character
    /// references, which never begin a cell, code, HTML or a link (GitHub Flavored Markdown,
    /// section 6.2).
    package var markdownCell: String {
        visible.mapScalars { scalar in
            switch scalar {
            case "-", ".", ",", "/", "+", "%", "(", ")", "=", ";", "?": nil
            case "!"..."/", ":"..."@", "["..."`", "{"..."~": "&#\(scalar.value);"
            default: nil
            }
        }
    }
}
