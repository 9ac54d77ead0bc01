import Foundation

/// A directory of a test's own, which goes away with the last reference.
public final class TemporaryDirectory: Sendable {
    /// Where it is.
    public let path: String

    /// A new, empty directory.
    public init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("loadervid-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in it.
    public func file(_ name: String) -> String { path + "/" + name }

    /// The names of everything in it, hidden files too.
    public func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
}

/// A file's bytes. Foundation's own reading shows up as a leak in the address sanitizer.
public func bytes(of path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else {
        throw SubprocessError(description: "\(path): \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var (bytes, buffer): ([UInt8], [UInt8]) = ([], Array(repeating: 0, count: 1 << 16))
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return bytes
}

/// Makes a file with these contents.
public func makeFile(_ text: String, at path: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
}
