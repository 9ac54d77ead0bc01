extension String {
    /// The text on one line, with nothing in it that moves a cursor, changes colours or turns the direction of writing: such
    /// characters of file names and other texts of strangers are shown as JSON escapes them, which keeps JSON what it is.
    package var visible: String {
        guard unicodeScalars.contains(where: \.isHidden) else { return self }
        return unicodeScalars.map { $0.isHidden ? $0.escape : String($0) }.joined()
    }

    /// The same for each line of a text of several.
    package var visibleLines: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).visible }.joined(separator: "\n")
    }
}

extension Unicode.Scalar {
    fileprivate var isHidden: Bool {
        if (0x20..<0x7F).contains(value) { return false }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        // Joiners are parts of words and emoji.
        case .format: return !properties.isJoinControl
        default: return false
        }
    }

    fileprivate var escape: String {
        switch self {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default:
            String(self).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        }
    }
}
