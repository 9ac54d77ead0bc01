/// Comma-separated values.
package enum CSV {
    /// A text, in quotation marks if it needs them.
    package static func quoted(_ text: String) -> String {
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// A number with at most nine decimals.
    package static func number(_ value: Double) -> String {
        abs(value) < 1e6 ? NumberText.decimal(value, places: 9) : "\(value)"
    }
}
