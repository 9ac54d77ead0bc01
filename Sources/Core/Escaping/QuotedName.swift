/// The maximum length of an untrusted name in a message, in scalars; a longer name loses its
/// middle.
package let maxNameLength = 80

/// Returns an untrusted name for a message: in quotes, on one line, and at most `maxNameLength`
/// scalars long.
package func quoted(_ name: some StringProtocol) -> String {
    "'\(String(name).abbreviated(to: maxNameLength).visible)'"
}

extension String {
    /// Returns the text, with its middle replaced by an ellipsis if it has more than `limit`
    /// scalars.
    package func abbreviated(to limit: Int) -> String {
        // An untrusted file may contain a name of several megabytes.
        guard
            let end = unicodeScalars.index(
                unicodeScalars.startIndex, offsetBy: limit, limitedBy: unicodeScalars.endIndex),
            end < unicodeScalars.endIndex
        else { return self }
        let ellipsis = "..."
        let rest = max(0, limit - ellipsis.unicodeScalars.count)
        var result = UnicodeScalarView(unicodeScalars.prefix(rest - rest / 3))
        result.append(contentsOf: ellipsis.unicodeScalars)
        result.append(contentsOf: unicodeScalars.suffix(rest / 3))
        return String(result)
    }

    /// Returns the text with every word longer than `limit` scalars abbreviated. Spaces separate
    /// words.
    package func abbreviatingWords(to limit: Int) -> String {
        guard unicodeScalars.count > limit else { return self }
        let words = unicodeScalars.split(separator: " ", omittingEmptySubsequences: false)
        return words.map { String(UnicodeScalarView($0)).abbreviated(to: limit) }.joined(separator: " ")
    }
}
