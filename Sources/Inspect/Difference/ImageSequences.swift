import Media
import Render

/// The image sequences among the files of a directory: numbered images with otherwise equal names.
package struct ImageSequences: Sendable {
    private let patterns: [String: String]

    /// The maximum number of digits, that of the largest number of a frame.
    private static let maxDigits = 9

    /// A path without its number, and the number's digits.
    private struct Numbered: Hashable {
        let prefix: String
        let suffix: String
    }

    /// Finds the sequences of two files or more among paths.
    package init(_ paths: Set<String>) {
        var groups: [Numbered: [(path: String, digits: String)]] = [:]
        for path in paths {
            guard let (name, digits) = Self.split(path) else { continue }
            groups[name, default: []].append((path, digits))
        }
        var patterns: [String: String] = [:]
        for (name, files) in groups where files.count > 1 {
            let padded = files.first { $0.digits.hasPrefix("0") && $0.digits.count > 1 }
            let number = padded.map { "%0\($0.digits.count)d" } ?? "%d"
            for file in files { patterns[file.path] = name.prefix + number + name.suffix }
        }
        self.patterns = patterns
    }

    /// Returns the pattern of the sequence that has a path, such as `frames/%04d.png`; nil for
    /// other files.
    package func pattern(of path: String) -> String? { patterns[path] }

    /// Returns the first pattern in a directory, given relative to the paths' root; nil if it has
    /// none.
    package func firstPattern(in directory: String) -> String? {
        patterns.values.filter { FileSystem.split($0).directory == directory }.min()
    }

    private static func split(_ path: String) -> (Numbered, digits: String)? {
        // A percent sign would begin another number of the pattern.
        guard !path.contains("%"), let dot = path.lastIndex(of: "."),
            Container.sequenceExtensions.contains(path[path.index(after: dot)...].lowercased())
        else { return nil }
        let stem = path[..<dot]
        let digits = String(stem.reversed().prefix { $0.isASCII && $0.isNumber }.reversed())
        guard (1...maxDigits).contains(digits.count) else { return nil }
        return (Numbered(prefix: String(stem.dropLast(digits.count)), suffix: String(path[dot...])), digits)
    }
}
