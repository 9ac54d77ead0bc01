import Foundation
import TestSupport

extension CommandFixture {
    /// The options of a sequence of ten small frames.
    static let tenFrames = ["--size", "48x32", "--fps", "10", "--duration", "1"]

    /// Encodes ten frames of a loader to numbered files.
    func encodeSequence(_ loader: String, to pattern: String, _ options: String...) throws -> Outcome {
        try run(["encode", loader] + Self.tenFrames + options + ["--progress", "none", "-o", pattern])
    }

    /// Returns the sorted names of the files in a directory.
    func names(in directory: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: self.directory.file(directory)).sorted()
    }
}
