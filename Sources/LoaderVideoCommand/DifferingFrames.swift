import Core
import Inspect
import Render

/// The differing files of image sequences in two directories, which have one line per sequence
/// instead of one per file.
struct DifferingFrames {
    private let expected: (directory: String, sequences: ImageSequences)
    private let actual: (directory: String, sequences: ImageSequences)
    /// The number of files by pattern and state.
    private var counts: [String: [String: Int]] = [:]

    init(
        _ expected: String, _ expectedSequences: ImageSequences, _ actual: String, _ actualSequences: ImageSequences
    ) {
        self.expected = (expected, expectedSequences)
        self.actual = (actual, actualSequences)
    }

    /// Counts a file that is missing, new or different and is a frame of a sequence. Returns false
    /// for other files.
    mutating func add(_ entry: DirectoryDifference.Entry) -> Bool {
        let pattern: String?
        let words: String
        switch entry.state {
        case .missing: (pattern, words) = (expected.sequences.pattern(of: entry.path), "missing")
        case .new: (pattern, words) = (actual.sequences.pattern(of: entry.path), "new")
        case .otherBytes: (pattern, words) = (expected.sequences.pattern(of: entry.path), "with other bytes")
        case .equal, .alike, .differs, .failed: return false
        }
        guard let pattern else { return false }
        counts[pattern, default: [:]][words, default: 0] += 1
        return true
    }

    /// One line per pattern and state.
    var lines: [String] {
        counts.sorted { $0.key < $1.key }.flatMap { pattern, states in
            states.sorted { $0.key < $1.key }.map { "\(pattern): \(Summary.count($0.value, "file")) \($0.key)" }
        }
    }

    /// The command that compares the frames of the first differing sequence; nil if no sequence
    /// differs or only one directory has one.
    var hint: String? {
        guard let pattern = counts.keys.min() else { return nil }
        let folder = FileSystem.split(pattern).directory
        guard let old = expected.sequences.firstPattern(in: folder),
            let new = actual.sequences.firstPattern(in: folder)
        else { return nil }
        return "to compare image sequences frame by frame, name their patterns: \(Program.name) diff "
            + "\(Self.pattern(old, in: expected.directory)) \(Self.pattern(new, in: actual.directory))"
    }

    /// Returns a pattern below a directory, quoted for a shell.
    private static func pattern(_ pattern: String, in directory: String) -> String {
        shellQuoted(directory.hasSuffix("/") ? directory + pattern : "\(directory)/\(pattern)")
    }
}
