/// What keeps a text from being a name.
package struct NameProblem: Error {
    package var what: String
    package var expected: String
    package var found: String

    package init(what: String, expected: String, found: String) {
        (self.what, self.expected, self.found) = (what, expected, found)
    }
}

/// What names of files may be.
package enum FileName {
    /// The longest part of a path in bytes: temporaries have longer names still, and file systems take 255.
    private static let longestPart = 200
    private static let longestPath = 1000

    /// Text as a part of a file's name: what is more than letters, digits, `.`, `_` and `-` becomes `-`.
    package static func plain(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            scalar.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains(scalar) ? String(scalar) : "-"
        }
        let trimmed = scalars.drop { $0 == "-" || $0 == "." }
        return trimmed.isEmpty ? "x" : trimmed.joined()
    }

    /// Why a path is none for an output below the output directory, or nil if it is one.
    package static func problem(of path: String) -> NameProblem? {
        func refusal(_ expected: String) -> NameProblem {
            NameProblem(what: "leads to a path that is not possible", expected: expected, found: quoted(path))
        }
        // By scalars, as the file system has it: to Swift a slash with a combining mark behind it is another character.
        let parts = path.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
        if path.unicodeScalars.first == "/" { return refusal("a path below the output directory") }
        for part in parts {
            if part.isEmpty { return refusal("a name between slashes") }
            if part.unicodeScalars.first == "." { return refusal("names that do not begin with '.', such as '..'") }
            if part.utf8.count > longestPart { return refusal("names of at most \(longestPart) bytes") }
            let isPlain = part.unicodeScalars.allSatisfy { scalar in
                let category = scalar.properties.generalCategory
                return ![.control, .format, .lineSeparator, .paragraphSeparator].contains(category) && scalar != "\\"
            }
            if !isPlain { return refusal("no control characters and no backslash") }
            if part.unicodeScalars.last == " " || part.unicodeScalars.first == " " {
                return refusal("no space at a name's ends")
            }
        }
        return path.utf8.count > longestPath ? refusal("at most \(longestPath) bytes") : nil
    }
}
