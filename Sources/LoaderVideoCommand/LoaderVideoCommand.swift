import Animations
import Core
import Lottie
import Media
import Render

/// The command line of loadervid, for programs that add their own loaders to the built-in ones.
///
///     @main struct Dots {
///         static func main() { LoaderVideoCommand.main(adding: [.init(PulsingDots.self)]) }
///     }
///
/// All commands and presets then accept these loaders by their IDs.
public enum LoaderVideoCommand {
    /// Runs the command in the program's arguments, and returns when it has succeeded. A failure
    /// ends the program with a line on standard error and an exit code.
    ///
    /// - Parameters:
    ///   - loaders: loaders besides the built-in ones. A loader with the ID of a built-in one
    ///     replaces it.
    ///   - kinds: additional kinds of files that can be used as loaders.
    ///   - name: the program's name in help and messages; nil for the name of the executable.
    ///   - prepare: called after the signal handlers are installed and before the command runs, for
    ///     settings of the process such as crash handlers.
    public static func main(
        adding loaders: [LoaderDefinition] = [], reading kinds: [LoaderCatalog.FileKind] = [], name: String? = nil,
        preparing prepare: () -> Void = {}
    ) {
        let isOwn = !loaders.isEmpty || !kinds.isEmpty
        let catalog = (kinds + [LottieFiles.kind]).reduce(LoaderCatalog.current.adding(loaders)) { $0.adding($1) }
        let program = Program(name: name ?? fileName, hasOwnLoaders: isOwn)
        LoaderCatalog.$current.withValue(catalog) {
            Hint.$words.withValue(Hint.options(of: program.name)) {
                OptionName.$prefix.withValue("--") {
                    Program.$current.withValue(program) {
                        FilesInUse.$current.withValue(FilesInUse()) { Loadervid.main(preparing: prepare) }
                    }
                }
            }
        }
    }

    private static var fileName: String {
        CommandLine.arguments.first?.split(separator: "/").last.map { String($0).visible } ?? "loadervid"
    }
}

/// The program that the command line belongs to.
struct Program: Sendable {
    /// The name in help and messages.
    var name: String
    /// True if the program adds loaders or kinds of loader files.
    var hasOwnLoaders = false

    @TaskLocal static var current = Program(name: "loadervid")

    /// The name of the running program.
    static var name: String { current.name }

    /// Returns the version that decides whether existing outputs are up to date. A program with its
    /// own loaders adds the hash of its executable, since these loaders can change without a new
    /// version. Throws `LoadervidError` if the executable cannot be read.
    func version() throws -> String {
        guard hasOwnLoaders else { return Loadervid.version }
        guard let path = LoadedFiles.program.map({ String(decoding: $0, as: UTF8.self) }) else {
            throw LoadervidError(.internal, "the path of the running program is unknown")
        }
        do { return "\(Loadervid.version) in \(name) \(try SHA256.file(path).hash.prefix(16))" } catch {
            throw LoadervidError(error)
        }
    }
}
