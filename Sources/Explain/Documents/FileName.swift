import Core

/// The rules for names of files that documents choose.
package enum FileName {
    /// Maximum length of a path component in bytes. File systems allow 255, and temporary files
    /// append to the name.
    private static let maxComponentLength = 200
    /// Maximum length of a path in bytes.
    private static let maxPathLength = 1000

    /// Returns a text as a part of a file's name: every character other than letters, digits, `.`,
    /// `_` and `-` becomes `-`.
    package static func plain(_ text: String) -> String {
        let scalars = text.unicodeScalars.map { scalar in
            scalar.properties.isAlphabetic || "0123456789._-".unicodeScalars.contains(scalar) ? String(scalar) : "-"
        }
        let trimmed = scalars.drop { $0 == "-" || $0 == "." }
        return trimmed.isEmpty ? "x" : trimmed.joined()
    }

    /// Returns the reason why a path is not valid for a file below a directory; nil if it is valid.
    package static func problem(of path: String) -> ValueProblem? {
        func refusal(_ remedy: String) -> ValueProblem {
            ValueProblem(problem: "is not a valid path", remedy: remedy, found: path)
        }
        // Splits Unicode scalars, as the file system does: in Swift a slash with a combining mark
        // is a different Character.
        let parts = path.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map { String($0) }
        if path.unicodeScalars.first == "/" { return refusal("use a relative path") }
        for part in parts {
            if part.isEmpty { return refusal("put a name between two slashes") }
            if part == ".." { return refusal("use a path without '..'") }
            if part.unicodeScalars.first == "." { return refusal("use names that do not begin with '.'") }
            if part.utf8.count > maxComponentLength {
                return refusal("use names of at most \(maxComponentLength) bytes")
            }
            let isPlain = part.unicodeScalars.allSatisfy { scalar in
                let category = scalar.properties.generalCategory
                return ![.control, .format, .lineSeparator, .paragraphSeparator].contains(category) && scalar != "\\"
            }
            if !isPlain { return refusal("remove control characters, direction marks and backslashes") }
            if part.unicodeScalars.last == " " || part.unicodeScalars.first == " " {
                return refusal("remove spaces at the beginning and end of names")
            }
        }
        return path.utf8.count > maxPathLength ? refusal("use at most \(maxPathLength) bytes") : nil
    }
}
