extension String {
    /// Returns the text as one line of at most `count` characters, with control characters,
    /// direction marks and runs of spaces replaced by a space. Names in files are untrusted and are
    /// printed to terminals, tables and images, where such characters would affect other text.
    func singleLine(atMost count: Int) -> String {
        // A character can consist of any number of combining marks, so scalars are limited first.
        let scalars = unicodeScalars.prefix(8 * count).map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: Character(" ")
            default: Character(scalar)
            }
        }
        return String(String(scalars).split(separator: " ").joined(separator: " ").prefix(count))
    }
}
