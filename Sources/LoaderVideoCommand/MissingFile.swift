import Animations
import Core
import Render

/// Suggestions for the paths of missing files.
enum MissingFile {
    /// The maximum number of names in a directory that are compared. In a larger one, the
    /// comparison would take longer than a tenth of a second.
    private static let maxNames = 2000

    /// Returns `did you mean 'PATH'?` for the error about a missing file; nil for other errors, and
    /// if no file beside it has a similar name.
    static func suggestion(for error: LoadervidError) -> String? {
        guard error.hint == .missingFile else { return nil }
        return error.subjects.lazy.compactMap { subject in
            if case .file(let path) = subject { suggestion(for: path) } else { nil }
        }.first
    }

    /// Returns `did you mean 'PATH'?` for a missing file; nil if no file beside it has a similar
    /// name.
    static func suggestion(for path: String) -> String? {
        let (directory, name) = FileSystem.split(path)
        let names = FileSystem.names(in: directory)
        guard names.count <= maxNames,
            let nearest = NearestName.of(name, in: names.filter { !$0.hasPrefix(".") && $0 != name })
        else { return nil }
        return "did you mean \(quoted(path.dropLast(name.count) + nearest))?"
    }
}
