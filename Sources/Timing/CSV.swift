/// Comma-separated values.
package enum CSV {
    /// A text, in quotation marks if it needs them.
    package static func quoted(_ text: String) -> String {
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// A number with at most nine decimals.
    package static func number(_ value: Double) -> String {
        guard abs(value) < 1e6 else { return "\(value)" }
        let scaled = Int((value * 1e9).rounded())
        let digits = String(scaled.magnitude)
        var text = String(repeating: "0", count: max(0, 10 - digits.count)) + digits
        text.insert(".", at: text.index(text.endIndex, offsetBy: -9))
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return (scaled < 0 ? "-" : "") + text
    }
}
