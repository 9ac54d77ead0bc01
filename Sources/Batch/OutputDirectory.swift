import Core
import Render

/// The output directory of a batch. The batch opens it once and reaches everything below it from
/// there, directory by directory, without following links. So no file lands outside, even if
/// another process replaces a directory with a link.
package struct OutputDirectory: Sendable {
    /// The directory as the user named it.
    package let path: String
    private let root: DirectoryHandle

    /// The name of the directory for the batch's own files.
    package static let stateDirectoryName = ".loadervid"

    /// Opens a directory, and creates it first if `creates` is true. Throws `LoadervidError` if it
    /// does not exist, is not a directory, or cannot be created or opened.
    package init(_ path: String, creates: Bool) throws {
        guard !path.isEmpty else {
            throw LoadervidError(
                .usage,
                creates
                    ? "the path of the output directory is empty; give a directory"
                    : "the path of the directory is empty; give a directory")
        }
        if creates { try OutputDirectory.makeDirectory(path) }
        guard FileSystem.kind(path) == S_IFDIR else {
            throw LoadervidError(noDirectory: path, kind: creates ? .cannotCreate : .missingInput)
        }
        self.path = path
        root = try DirectoryHandle(path: path)
    }

    /// Returns true if a path can name an output: relative, without empty parts, `.` and `..`, and
    /// not in the batch's own directory. Does not look for links.
    package static func isSafe(_ path: String) -> Bool {
        // Compares bytes, since Swift reads a slash and a combining mark as one character.
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
        let forbidden = ["", ".", ".."].map { Array($0.utf8) }
        return parts.allSatisfy { !forbidden.contains($0) } && parts.first != Array(stateDirectoryName.utf8)
            && !path.utf8.contains(0)
    }

    /// Returns the path of a file below the directory, as the user would name it.
    package func path(of name: String) -> String { OutputDirectory.path(of: name, in: path) }

    /// Returns the path of a file below a directory, which need not exist.
    package static func path(of name: String, in path: String) -> String {
        path == "/" ? "/\(name)" : "\(path)/\(name)"
    }

    /// Returns the directory entry of an output; nil if a parent directory does not exist. Throws
    /// `LoadervidError` if a parent directory is a link.
    ///
    /// - Parameter creates: true to create missing directories.
    func entry(_ name: String, creates: Bool) throws -> DirectoryEntry? {
        guard OutputDirectory.isSafe(name) else {
            throw LoadervidError(
                .badData,
                "\(quoted(name)) is not a valid output path; give a path below \(path), without ., .. or empty "
                    + "parts and not in \(OutputDirectory.stateDirectoryName)")
        }
        let parts = name.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
        var folder = root
        for part in parts.dropLast() {
            guard let next = try folder.subdirectory(part, creates: creates) else { return nil }
            folder = next
        }
        return folder.entry(parts[parts.count - 1])
    }

    /// Returns the directory for the batch's own files; nil if it does not exist. Throws
    /// `LoadervidError` if it is a link.
    func stateDirectory(creates: Bool) throws -> DirectoryHandle? {
        try root.subdirectory(OutputDirectory.stateDirectoryName, creates: creates)
    }

    /// Creates an output under a temporary name, and its missing parent directories. Committing the
    /// file gives it its name.
    ///
    /// - Parameters:
    ///   - replaces: true to replace an existing regular file.
    ///   - state: the owner of the directory for temporary files.
    ///   - filesInUse: files that the output must not replace; nil for none.
    ///   - beforeCommit: called with the file when all its bytes are on disk. If it throws, the
    ///     file does not get its name.
    func newFile(
        _ name: String, replaces: Bool, state: BatchState, filesInUse: FilesInUse? = nil,
        beforeCommit: @escaping (_ file: OutputFile) throws -> Void
    ) throws -> OutputFile {
        guard let entry = try entry(name, creates: true) else {
            throw LoadervidError(
                .cannotCreate, "\(self.path(of: name)): its directory was removed by another process; try again")
        }
        return try OutputFile(
            entry, replacing: replaces ? .anything : .nothing, temporaryDirectory: state.temporaryDirectory,
            filesInUse: filesInUse, beforeCommit: beforeCommit)
    }

    private static func makeDirectory(_ path: String) throws {
        guard !FileSystem.exists(path) else { return }
        guard !FileSystem.isBrokenLink(path) else {
            throw LoadervidError(
                .cannotCreate,
                "\(path) is a link to a directory that does not exist; remove it, or use another directory")
        }
        let parent = FileSystem.split(path).directory
        if parent != path { try makeDirectory(parent) }
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw LoadervidError(errno: errno, .create, path) }
    }
}
