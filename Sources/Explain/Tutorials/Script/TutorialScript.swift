import Animations
import Core
import Media
import Render

/// The script of a lesson about a loader: its steps, texts and checks.
///
/// Reading a script does not depend on the loader's motion. `Lesson` lays it out for a language and
/// a frame shape.
package struct TutorialScript: Sendable {
    /// The file as the user named it.
    package let file: String
    /// The loader with its settings.
    package let loader: LoaderRequest
    let title: LocalizedMessage
    let steps: [any TutorialStep]
    let checks: [Check]
    /// The time of the poster; nil for the frame that `LessonPoster` chooses.
    var poster: Poster?
    /// The names of objects in captions, by their names in telemetry. Others keep their own.
    var names: [String: LocalizedMessage] = [:]
    /// The contents of the script and of every file that it names, by path: the inputs that the
    /// frames depend on. Images and recordings are present as hashes.
    package private(set) var sources: [String: [UInt8]]
    /// The languages that the script names for its texts; if it names none, those that the texts
    /// are written in.
    package internal(set) var languages: [Language] = []

    /// The time of the poster in seconds of the lesson.
    struct Poster: Sendable {
        let time: Rational
        let location: SourceLocation
    }

    /// A claim about the loader that the texts rely on.
    struct Check: Sendable {
        let claim: FactExpression
        let location: SourceLocation
    }

    /// All kinds of steps. The first kind whose key a step has is its kind.
    static let stepKinds: [any TutorialStep.Type] = [
        TitleStep.self, PlayStep.self, PhasesStep.self, FreezeStep.self, BuildStep.self, TableStep.self, ChartStep.self,
        CodeStep.self, CompareStep.self, SlowStep.self,
    ]

    /// Maximum number of steps.
    static let maxSteps = 200
    /// Maximum length of a text in characters.
    static let maxCharacters = 1000
    /// Maximum length of all texts in characters.
    static let maxTotalCharacters = 50_000
    /// Maximum number of recordings that a script may name.
    static let maxRecordings = 4
    /// The maximum size of a recording in bytes, 4 GiB: the whole file is hashed.
    static let maxRecordingBytes = 4 << 30
    /// Maximum duration of a lesson in seconds.
    static let maxDuration: Rational = 3600

    /// Reads a script. Throws `DocumentError` with every problem in it.
    package init(file: String, limits: DocumentLimits = DocumentLimits()) throws(DocumentError) {
        let bytes: [UInt8]
        switch DocumentFile.read(file, as: "script", limits: limits) {
        case .failure(let refusal):
            throw DocumentError(problems: [DocumentProblem(file: file, refusal)])
        case .success(let read): bytes = read
        }
        try self.init(bytes, file: file, limits: limits)
    }

    /// Reads the bytes of a script. `file` is its path; the script names other files relative to
    /// its directory.
    init(_ bytes: [UInt8], file: String, limits: DocumentLimits = DocumentLimits()) throws(DocumentError) {
        let parsed = YAMLParser.parse(bytes, file: file, form: "a script with 'steps'", limits: limits)
        guard let root = parsed.root, parsed.problems.isEmpty else { throw DocumentError(problems: parsed.problems) }
        var reader = ScriptReader(file: file, limits: limits)
        let script = OptionName.inDocuments { reader.checkKind(root, is: .script) ? reader.script(root) : nil }
        guard let script, reader.problems.isEmpty else {
            throw DocumentError(problems: reader.problems.ordered())
        }
        var sources = reader.sources
        sources[file] = bytes
        self = script
        self.sources = sources
    }

    init(
        file: String, loader: LoaderRequest, title: LocalizedMessage, steps: [any TutorialStep], checks: [Check],
        sources: [String: [UInt8]]
    ) {
        self.file = file
        self.loader = loader
        self.title = title
        self.steps = steps
        self.checks = checks
        self.sources = sources
    }

    /// Returns the SHA-256 of everything that the frames depend on: the script and the files that
    /// it names.
    package func fingerprint() throws -> String {
        var bytes: [UInt8] = []
        // The hash does not depend on the script's path, but on the relative paths of its files.
        for (path, contents) in sources.sorted(by: { $0.key < $1.key }) {
            let name = path == file ? "" : String(path.dropFirst(file.directoryPart.count))
            bytes += Array("\(name.utf8.count) \(name) \(contents.count) ".utf8) + contents
        }
        return try SHA256.hash(bytes)
    }
}
