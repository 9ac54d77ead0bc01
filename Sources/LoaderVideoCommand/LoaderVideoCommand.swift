import Loaders
import Lottie
import Media
import Pipeline
import Platform

/// loadervid's command line, for programs that add loaders of their own to the built-in ones.
///
///     @main struct Dots {
///         static func main() { LoaderVideoCommand.main(adding: [.init(PulsingDots.self)]) }
///     }
///
/// The loaders are then known to all commands and to presets, by their ids.
public enum LoaderVideoCommand {
    /// Runs the command that the program's arguments say, and returns when it is done. A failure ends the program with a line
    /// on standard error and an exit code.
    ///
    /// - Parameters:
    ///   - loaders: loaders besides the built-in ones. One with the id of another takes its place.
    ///   - kinds: kinds of files that are loaders, too.
    ///   - name: what the program is called in help and messages; nil takes the name of its file.
    public static func main(
        adding loaders: [LoaderDefinition] = [], reading kinds: [LoaderCatalog.FileKind] = [], name: String? = nil
    ) {
        let isOwn = !loaders.isEmpty || !kinds.isEmpty
        let catalog = (kinds + [LottieFiles.kind]).reduce(LoaderCatalog.current.adding(loaders)) { $0.adding($1) }
        let program = Program(name: name ?? fileName, hasOwnLoaders: isOwn)
        LoaderCatalog.$current.withValue(catalog) {
            WayOut.$words.withValue(WayOut.options(of: program.name)) {
                Program.$current.withValue(program) { Loadervid.main() }
            }
        }
    }

    private static var fileName: String {
        CommandLine.arguments.first?.split(separator: "/").last.map { String($0).visible } ?? "loadervid"
    }
}

/// The program that the command line belongs to.
struct Program: Sendable {
    /// What it is called in help and messages.
    var name: String
    /// Whether it knows loaders besides the built-in ones.
    var hasOwnLoaders = false

    @TaskLocal static var current = Program(name: "loadervid")

    /// What the program is called that runs.
    static var name: String { current.name }

    /// What tells its pictures from those of other versions. Loaders of its own can change without a version: then it is its
    /// file's hash.
    func version() throws -> String {
        guard hasOwnLoaders else { return Loadervid.version }
        guard let path = LoadedFiles.program.map({ String(decoding: $0, as: UTF8.self) }) else {
            throw RenderError(.internal, "the path of this program is not known")
        }
        do { return "\(Loadervid.version) in \(name) \(try SHA256.file(path).hash.prefix(16))" } catch {
            throw RenderError(error)
        }
    }
}
