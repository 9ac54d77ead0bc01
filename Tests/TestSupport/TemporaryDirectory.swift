import Foundation

/// A temporary directory, which is deleted with the last reference.
package final class TemporaryDirectory: Sendable {
    /// The path of the directory.
    package let path: String

    /// Creates an empty directory.
    package init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("loadervid-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the path of a file in the directory.
    package func file(_ name: String) -> String { path + "/" + name }

    /// Returns the sorted names of all entries, including hidden files.
    package func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
}

/// Returns a file's bytes. Foundation's functions would cause a leak report by the address
/// sanitizer.
package func bytes(of path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else {
        throw SubprocessError(description: "\(path): \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return bytes
}

/// Creates a text file.
package func makeFile(_ text: String, at path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
}
