import Platform
import Pipeline

/// The directory that a batch fills. No path below it leads out of it, whatever links there are.
public struct OutputTree: Sendable {
    /// The directory as the user named it.
    public let path: String
    /// Where it really is, as bytes.
    private let root: [UInt8]

    /// The folder for what a batch keeps for itself.
    public static let stateName = ".loadervid"

    /// Opens a directory, which is created if need be and wished. Throws `RenderError` if there is none.
    public init(_ path: String, creates: Bool) throws {
        if creates { try OutputTree.makeDirectory(path) }
        guard FileSystem.kind(path) == S_IFDIR else {
            throw RenderError(
                creates ? .cannotCreate : .missingInput,
                FileSystem.exists(path) ? "\(path) is no directory: name another" : "there is no directory \(path)")
        }
        (self.path, root) = (path, FileSystem.resolved(path))
    }

    /// Whether a path stays below the directory and out of a batch's own folder, as long as there are no links.
    public static func isSafe(_ path: String) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
        let forbidden = ["", ".", ".."].map { Array($0.utf8) }
        return parts.allSatisfy { !forbidden.contains($0) } && parts.first != Array(stateName.utf8)
            && !path.utf8.contains(0)
    }

    /// A path below the directory, as the user would name it.
    public func file(_ name: String) -> String { OutputTree.file(name, in: path) }

    /// A path below a directory that need not be there.
    public static func file(_ name: String, in path: String) -> String {
        path == "/" ? "/\(name)" : "\(path)/\(name)"
    }

    /// Makes sure that an output may be made: creates the folders above it unless it is only looked at. Throws
    /// `RenderError` if one of them is a link that leads out of the directory, or the output is a link at all.
    public func prepare(_ name: String, creates: Bool) throws {
        guard OutputTree.isSafe(name) else {
            throw RenderError(.badData, "'\(name)' is no place for an output: give a path below \(path) without ..")
        }
        var folder = ""
        for part in name.utf8.split(separator: UInt8(ascii: "/")).dropLast() {
            folder += (folder.isEmpty ? "" : "/") + String(decoding: part, as: UTF8.self)
            try checkFolder(folder, creates: creates)
        }
        var status = stat()
        if lstat(file(name), &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
            throw RenderError(.cannotCreate, "\(file(name)) is a link: remove it, or choose another output")
        }
    }

    private func checkFolder(_ name: String, creates: Bool) throws {
        let path = file(name)
        if creates, mkdir(path, 0o777) != 0, errno != EEXIST { throw RenderError(errno: errno, "create \(path)") }
        guard let kind = FileSystem.kind(path) else {
            guard FileSystem.isBrokenLink(path) else { return }
            throw RenderError(.cannotCreate, "\(path) is a link to nothing: remove it")
        }
        guard kind == S_IFDIR else {
            throw RenderError(.cannotCreate, "\(path) is no directory: remove it, or choose another output")
        }
        let slash = UInt8(ascii: "/")
        guard FileSystem.resolved(path).starts(with: root == [slash] ? root : root + [slash]) else {
            throw RenderError(.cannotCreate, "\(path) is a link out of \(self.path): remove it")
        }
    }

    private static func makeDirectory(_ path: String) throws {
        guard !FileSystem.exists(path), !path.isEmpty else { return }
        let parent = FileSystem.split(path).directory
        if parent != path { try makeDirectory(parent) }
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw RenderError(errno: errno, "create \(path)") }
    }
}
