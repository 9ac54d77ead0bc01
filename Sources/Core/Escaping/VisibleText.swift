extension String {
    /// The text on one line, without characters that move the cursor, change colours or change the
    /// direction of writing. File names and other untrusted texts may contain such characters. JSON
    /// escapes replace them, so that JSON stays valid.
    package var visible: String {
        guard unicodeScalars.contains(where: \.isHidden) else { return self }
        return mapScalars { $0.isHidden ? $0.jsonEscape : nil }
    }

    /// The text with each of its lines made `visible`.
    package var visibleLines: String {
        guard unicodeScalars.contains(where: \.isHidden) else { return self }
        return mapScalars { $0 != "\n" && $0.isHidden ? $0.jsonEscape : nil }
    }

    /// Returns the text with some scalars replaced; `replacement` returns nil to keep a scalar.
    ///
    /// Every format is defined on scalars. Swift's `Character` joins a mark or a joiner with the
    /// scalar next to it, and canonical equivalence makes different texts equal. Both hide a `<` or
    /// a quote from a search by `Character` or `String`.
    func mapScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
        var result = UnicodeScalarView()
        result.reserveCapacity(unicodeScalars.count)
        for scalar in unicodeScalars {
            if let text = replacement(scalar) {
                result.append(contentsOf: text.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}

extension Unicode.Scalar {
    /// True if a terminal or an editor interprets the scalar instead of showing it.
    package var isHidden: Bool {
        if (0x20..<0x7F).contains(value) { return false }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        // Joiners are part of words and emoji.
        case .format: return !properties.isJoinControl
        default: return false
        }
    }

    /// The JSON escape of the scalar.
    var jsonEscape: String {
        switch self {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: String(self).utf16.map { "\\u" + Self.hexadecimal(UInt32($0), digits: 4) }.joined()
        }
    }

    /// Returns a number in hexadecimal, padded with zeros to `digits`.
    static func hexadecimal(_ number: UInt32, digits: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
