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

    /// The text escaped for one cell of a Markdown table. Unlike other texts, GitHub also turns web
    /// addresses without a scheme, mail addresses and names of users into links, the latter two
    /// even from character references. A comment separates their parts.
    package var markdownCell: String {
        // By scalars, because a combining mark joins the character before it.
        let text = markdown.unicodeScalars
            .replacing("www.".unicodeScalars, with: "www&#46;".unicodeScalars)
            .replacing("&#64;".unicodeScalars, with: "&#64;<!-- -->".unicodeScalars)
        return String(text)
    }

    /// The text escaped for Markdown, such as the alternative text of an image. ASCII punctuation
    /// becomes character references, which never begin a cell, code, HTML or a link (GitHub
    /// Flavored Markdown, section 6.2).
    package var markdown: String {
        visible.mapScalars { scalar in
            switch scalar {
            case "-", ".", ",", "/", "+", "%", "(", ")", "=", ";", "?": nil
            case "!"..."/", ":"..."@", "["..."`", "{"..."~": "&#\(scalar.value);"
            default: nil
            }
        }
    }
}
