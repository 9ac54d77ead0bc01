import Core
import Render

/// A problem in a document and its location.
package struct DocumentProblem: Sendable, Hashable, CustomStringConvertible {
    /// The location; nil if the file itself cannot be read.
    package var location: SourceLocation?
    /// The file as the user named it.
    package var file: String
    /// The problem in a few words.
    package var problem: String
    /// The value with the problem, if `problem` does not state it.
    package var found: String?
    /// The remedy: what to write instead, such as "use smooth or ticks".
    package var remedy: String?
    /// True if a file is missing or may not be read, rather than invalid.
    package var isMissingFile = false
    /// True if the document itself does not exist.
    package var isAbsent = false
    /// The noun for an absent document that was given by name, such as `preset`; nil for a path.
    package private(set) var noun: String?
    /// The kind of a system error that caused the problem; nil for problems in the document.
    package var systemKind: LoadervidError.Kind?

    /// Maximum length of a message in Unicode scalars. A message may list all valid names.
    private static let maxLineLength = 2000

    package init(_ location: SourceLocation, _ problem: String, remedy: String? = nil, found: String? = nil) {
        self.location = location
        file = location.file
        self.problem = problem
        self.remedy = remedy
        self.found = found
    }

    /// The problem of a value.
    ///
    /// - Parameter subject: the start of the message, such as "'name' ".
    package init(_ location: SourceLocation, subject: String = "", _ value: ValueProblem) {
        self.init(location, subject + value.problem, remedy: value.remedy, found: value.found.map(quoted))
    }

    /// The problem of a document that was not read.
    package init(file: String, _ refusal: DocumentFile.Refusal) {
        self.file = file
        let isName = refusal.isAbsent && !DocumentFile.isPath(file)
        noun = isName ? refusal.noun : nil
        problem = isName ? "there is no \(refusal.noun) \(quoted(file))" : "\(file.visible) \(refusal.problem)"
        setCause(refusal)
    }

    /// Records that a file was not read, which decides the exit code.
    package mutating func setCause(_ refusal: DocumentFile.Refusal) {
        isMissingFile = refusal.kind == .missingInput
        isAbsent = refusal.isAbsent
        systemKind = refusal.kind == .inputOutput ? .inputOutput : nil
    }

    /// The message in the form `file:line:column: problem: value; remedy`, and without the location
    /// if the file itself cannot be read.
    package var description: String {
        "\(location.map { "\($0): " } ?? "")\(message)".abbreviated(to: Self.maxLineLength).visible
    }

    /// The message without the location.
    package var message: String {
        problem + (found.map { ": \($0)" } ?? "") + (remedy.map { "; \($0)" } ?? "")
    }
}

extension [DocumentProblem] {
    /// Returns the distinct problems, in the order of files and positions. Other files than the
    /// given ones come last.
    package func ordered(byFiles files: [String] = []) -> [DocumentProblem] {
        var seen: Set<DocumentProblem> = []
        let unique = filter { seen.insert($0).inserted }
        var order: [String: Int] = [:]
        for file in files + unique.map(\.file) { order[file] = order[file] ?? order.count }
        func rank(_ problem: DocumentProblem) -> (Int, Int, Int) {
            (order[problem.file] ?? 0, problem.location?.line ?? 0, problem.location?.column ?? 0)
        }
        return unique.enumerated().sorted { a, b in
            rank(a.element) == rank(b.element) ? a.offset < b.offset : rank(a.element) < rank(b.element)
        }.map(\.element)
    }
}

/// The error that lists every problem in one or more documents.
package struct DocumentError: Error, Sendable, CustomStringConvertible {
    /// The problems in the order to report them; at least one.
    package let problems: [DocumentProblem]
    /// The problems and warnings in the order to report them.
    package let reported: [DocumentProblem]

    /// - Parameter reported: the problems and warnings; nil if there are no warnings.
    package init(problems: [DocumentProblem], reported: [DocumentProblem]? = nil) {
        self.problems = problems
        self.reported = reported ?? problems
    }

    /// The kind that determines the exit code: that of the first system error, else `missingInput`
    /// if every problem is a missing file, else `badData`.
    package var kind: LoadervidError.Kind {
        problems.compactMap(\.systemKind).first ?? (problems.allSatisfy(\.isMissingFile) ? .missingInput : .badData)
    }

    /// One line per problem.
    package var description: String { problems.map(\.description).joined(separator: "\n") }
}
