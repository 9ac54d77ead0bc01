/// A place in a file, as editors count: lines and columns from 1.
public struct SourceLocation: Sendable, Hashable, CustomStringConvertible {
    /// The file as the user named it.
    public var file: String
    /// Line, from 1.
    public var line: Int
    /// Column, from 1.
    public var column: Int

    /// A place in a file.
    public init(file: String, line: Int, column: Int) { (self.file, self.line, self.column) = (file, line, column) }

    /// `file:line:column`.
    public var description: String { "\(file):\(line):\(column)" }
}
