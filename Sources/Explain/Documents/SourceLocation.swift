/// A location in a file. Lines and columns start at 1, as in editors.
package struct SourceLocation: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The file as the user named it.
    package var file: String
    package var line: Int
    package var column: Int

    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// Returns true if the first location is before the second in the same file.
    package static func < (a: SourceLocation, b: SourceLocation) -> Bool {
        (a.line, a.column) < (b.line, b.column)
    }

    /// The location in the form `file:line:column`.
    package var description: String { "\(file):\(line):\(column)" }
}
