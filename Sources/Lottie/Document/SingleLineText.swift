extension String {
    /// Returns the text as one line of at most `count` characters, with control characters,
    /// direction marks and runs of spaces replaced by a space. Names in files are untrusted and are
    /// printed to terminals, tables and images, where such characters would affect other text.
    func singleLine(atMost count: Int, hasEllipsis: Bool = false) -> String {
        if utf8.count <= count, isPlainLine { return self }
        // A character can consist of any number of combining marks, so scalars are limited first.
        let scalars = unicodeScalars.prefix(8 * count).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: Character(" ")
            default: Character(scalar)
            }
        }
        let line = String(scalars).split(separator: " ").joined(separator: " ")
        guard hasEllipsis, line.count > count else { return String(line.prefix(count)) }
        let start = line.prefix(count - 1)
        // A text without spaces, such as Chinese, is cut between two characters.
        let space = start.lastIndex(of: " ") ?? start.startIndex
        let end = start[..<space].count >= count / 2 ? space : start.endIndex
        return start[..<end] + "…"
    }

    /// True if the text is printable ASCII without a space at an end or beside another. Nearly all
    /// texts are, and a file can have many thousands.
    private var isPlainLine: Bool {
        let space = UInt8(ascii: " ")
        var last = space
        for byte in utf8 {
            guard byte > space && byte < 0x7F || byte == space && last != space else { return false }
            last = byte
        }
        return last != space
    }
}
