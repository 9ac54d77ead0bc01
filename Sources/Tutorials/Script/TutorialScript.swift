import Documents
import Loaders
import Media
import Motion
import Pipeline

/// A lesson about a loader as its author wrote it: what is shown in which order, and what is said about it.
///
/// A script is read without a look at the loader's motion; `Lesson` lays it out for a language and a shape of picture.
public struct TutorialScript: Sendable {
    /// The file as the user named it.
    public let file: String
    /// The loader with its settings.
    public let loader: LoaderRequest
    /// What the lesson is called.
    let title: Words
    let steps: [any TutorialStep]
    let checks: [Check]
    /// The bytes that it was read from and those of every file that it names, by their paths: what its pictures depend on.
    public private(set) var sources: [String: [UInt8]]
    /// The languages that its texts are given in; if none is named, those that they are written in.
    public internal(set) var languages: [Language] = []

    /// A claim about the loader on which the texts rely.
    struct Check: Sendable {
        let claim: FactExpression
        let location: SourceLocation
    }

    /// The steps that there are.
    static let stepKinds: [any TutorialStep.Type] = [
        TitleStep.self, PlayStep.self, PhasesStep.self, FreezeStep.self, BuildStep.self, TableStep.self, ChartStep.self,
        CodeStep.self, CompareStep.self, SlowStep.self,
    ]

    /// The most steps of a script, letters of a text, and letters of all texts.
    static let (mostSteps, mostLetters, mostLettersInAll) = (200, 1000, 50_000)
    /// The most recordings that a script may name.
    static let mostRecordings = 4
    /// The longest lesson, in seconds.
    static let longest: Rational = 3600

    /// Reads a script. Throws everything that is wrong with it, with places.
    public init(file: String, limits: DocumentLimits = DocumentLimits()) throws(DocumentError) {
        let bytes: [UInt8]
        switch DocumentFile.read(file, as: "script", limits: limits) {
        case .failure(let refusal):
            throw DocumentError(problems: [
                DocumentProblem(file: file, refusal.what, isMissingFile: refusal.isMissing)
            ])
        case .success(let read): bytes = read
        }
        let parsed = YAMLParser.parse(bytes, file: file, expected: "a mapping with steps", limits: limits)
        guard let root = parsed.root, parsed.problems.isEmpty else { throw DocumentError(problems: parsed.problems) }
        var reader = ScriptReader(file: file, limits: limits)
        let script = reader.script(root)
        guard let script, reader.problems.isEmpty else { throw DocumentError(problems: reader.problems) }
        var sources = reader.sources
        sources[file] = bytes
        self = script
        self.sources = sources
    }

    init(
        file: String, loader: LoaderRequest, title: Words, steps: [any TutorialStep], checks: [Check],
        sources: [String: [UInt8]]
    ) {
        (self.file, self.loader, self.title) = (file, loader, title)
        (self.steps, self.checks, self.sources) = (steps, checks, sources)
    }

    /// SHA-256 of what the pictures depend on: the script and all files that it names.
    public func fingerprint() throws -> String {
        var bytes: [UInt8] = []
        // The script's own name and place count for nothing, those of its files as it names them.
        for (path, contents) in sources.sorted(by: { $0.key < $1.key }) {
            let name = path == file ? "" : String(path.dropFirst(DocumentFile.directory(file).count))
            bytes += Array("\(name.utf8.count) \(name) \(contents.count) ".utf8) + contents
        }
        return try SHA256.hash(bytes)
    }
}
