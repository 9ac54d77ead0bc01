/// Comma-separated values (RFC 4180).
package enum CSV {
    /// Returns a CSV cell with the text, quoted if needed.
    ///
    /// Text that a spreadsheet would run as a formula gets a leading apostrophe inside quotation
    /// marks, as OWASP's page on CSV injection advises. Numbers are unchanged. NUL, which CSV
    /// parsers reject, becomes U+FFFD.
    package static func cell(_ text: String) -> String {
        let text = text.mapScalars { $0 == "\0" ? "\u{FFFD}" : nil }
        let isFormula = isFormula(text)
        guard isFormula || text.unicodeScalars.contains(where: isSpecial) else { return text }
        return "\"" + (isFormula ? "'" : "") + text.mapScalars { $0 == "\"" ? "\"\"" : nil } + "\""
    }

    private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        // Some parsers end a line at each of these.
        case ",", "\"", "\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }

    private static func isFormula(_ text: String) -> Bool {
        switch text.unicodeScalars.first {
        // Spreadsheets with a Japanese locale also accept the full-width forms.
        case "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": !isNumber(text)
        default: false
        }
    }

    /// Returns true if a text is a decimal number, with an optional sign and exponent.
    private static func isNumber(_ text: String) -> Bool {
        var rest = text.utf8[...]
        func dropDigits() -> Bool {
            let count = rest.prefix(while: \.isASCIIDigit).count
            rest = rest.dropFirst(count)
            return count > 0
        }
        func drop(_ characters: String) -> Bool {
            guard let first = rest.first, characters.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        _ = drop("+-")
        var hasDigits = dropDigits()
        if drop("."), dropDigits() { hasDigits = true }
        guard hasDigits else { return false }
        if drop("eE") {
            _ = drop("+-")
            guard dropDigits() else { return false }
        }
        return rest.isEmpty
    }
}
