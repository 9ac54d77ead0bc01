import Pipeline

/// Something wrong with a document, and where.
public struct DocumentProblem: Sendable, Hashable, CustomStringConvertible {
    /// The place; nil if the file itself cannot be read.
    public var location: SourceLocation?
    /// The file as the user named it.
    public var file: String
    /// What is wrong.
    public var what: String
    /// What would be right, if that is not part of `what`.
    public var expected: String?
    /// What is there instead.
    public var found: String?
    /// Whether a file is missing, rather than wrong.
    public var isMissingFile = false
    /// What kind of trouble the system made, if it did.
    public var systemKind: RenderError.Kind?

    package init(_ location: SourceLocation, _ what: String, expected: String? = nil, found: String? = nil) {
        (self.location, file) = (location, location.file)
        (self.what, self.expected, self.found) = (what, expected, found)
    }

    package init(file: String, _ what: String, isMissingFile: Bool) {
        (self.file, self.what, self.isMissingFile) = (file, what, isMissingFile)
    }

    /// `file:line:column: what, expected this, found that`.
    public var description: String {
        let place = location.map { "\($0)" } ?? file
        let rest = (expected.map { ", expected \($0)" } ?? "") + (found.map { ", found \($0)" } ?? "")
        return printable("\(place): \(what)\(rest)", atMost: 2000)
    }
}

/// All that is wrong with some documents.
public struct DocumentError: Error, Sendable, CustomStringConvertible {
    /// The problems in the order of the files and their lines, at least one.
    public let problems: [DocumentProblem]

    package init(problems: [DocumentProblem]) { self.problems = problems }

    /// How a command should end: an input is missing if nothing else is wrong, else the data are bad.
    public var kind: RenderError.Kind {
        problems.compactMap(\.systemKind).first ?? (problems.allSatisfy(\.isMissingFile) ? .missingInput : .badData)
    }

    /// A line for each problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
