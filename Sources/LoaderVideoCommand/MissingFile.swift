import Animations
import Core
import Render

/// Suggestions for the paths of missing files.
enum MissingFile {
    /// The maximum number of names in a directory that are compared. In a larger one, the
    /// comparison would take longer than a tenth of a second.
    private static let maxNames = 2000

    /// `did you mean 'PATH'?` for an error about a file that an argument names, if a file beside it
    /// has a similar name; nil otherwise.
    static func question(_ message: String, _ arguments: [String]) -> String? {
        guard !message.contains("did you mean") else { return nil }
        for argument in arguments {
            // A value such as --mark=logo.png or cover=photo.jpg.
            let path = argument.split(separator: "=").last.map(String.init) ?? ""
            guard !path.isEmpty, !path.hasPrefix("-"), message.contains(path), !FileSystem.exists(path) else {
                continue
            }
            let (directory, name) = FileSystem.split(path)
            let names = FileSystem.names(in: directory)
            guard names.count <= maxNames,
                let nearest = NearestName.of(name, in: names.filter { !$0.hasPrefix(".") && $0 != name })
            else { continue }
            return "did you mean \(quoted(path.dropLast(name.count) + nearest))?"
        }
        return nil
    }
}
