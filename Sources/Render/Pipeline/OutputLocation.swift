import Core

/// The location of an output: a name in an open directory.
struct OutputLocation {
    /// The entry as the caller named it. Sidecars go next to it.
    let given: DirectoryEntry
    /// The entry that receives the contents: `given`, or the target of a link that the user named.
    let target: DirectoryEntry
    /// The target's path for messages.
    let path: String

    /// The location for a path that the user named. If it is a link, the output is its target.
    /// Throws `LoadervidError` if the directory or the link's target does not exist.
    init(path: String) throws {
        given = try OutputLocation.entry(path)
        guard given.kind == S_IFLNK else {
            target = given
            self.path = path
            return
        }
        guard FileSystem.exists(path) else {
            throw LoadervidError(
                .cannotCreate, "\(path) is a link to a file that does not exist; remove it or choose another name")
        }
        self.path = try FileSystem.linkTarget(path)
        target = try OutputLocation.entry(self.path)
    }

    /// The location for a name in a directory. Throws `LoadervidError` if the name is a link.
    init(_ entry: DirectoryEntry) throws {
        given = entry
        target = entry
        path = entry.path
        try entry.refuseLink()
    }

    private static func entry(_ path: String) throws -> DirectoryEntry {
        let (directory, name) = FileSystem.split(path)
        guard !name.isEmpty else {
            guard FileSystem.kind(path) == S_IFDIR else {
                throw LoadervidError(.cannotCreate, "\(quoted(path)) is not a file name; name a file, such as clip.mp4")
            }
            throw LoadervidError(.cannotCreate, "\(path) is a directory", hint: .otherOutput)
        }
        guard FileSystem.kind(directory) == S_IFDIR else {
            throw noDirectory(directory, for: path)
        }
        return try DirectoryHandle(path: directory).entry(name)
    }

    /// Returns the error for an output whose directory does not exist or is another kind of file.
    static func noDirectory(_ directory: String, for path: String) -> LoadervidError {
        let problem =
            FileSystem.exists(directory)
            ? "\(directory) is not a directory; use another directory"
            : "directory \(directory) does not exist; create it first"
        return LoadervidError(.cannotCreate, "\(path): \(problem)")
    }

    /// Returns the location of a sidecar: the same name with another extension. Throws
    /// `LoadervidError` if that is this output's name or a link.
    func beside(ending: String) throws -> OutputLocation {
        let name = given.name
        let stem = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name.utf8[..<$0] }.flatMap { Substring($0) }
        let other = (stem.map { $0.isEmpty ? name : String($0) } ?? name) + "." + ending
        guard other != name else {
            throw LoadervidError(
                .cannotCreate, "\(given.path) has the name of one of its sidecars; use another extension")
        }
        return try OutputLocation(given.directory.entry(other))
    }

    // MARK: Existing files

    /// Claims the name for this output. Throws `LoadervidError` if another output of the same work
    /// has it.
    func claim(_ filesInUse: FilesInUse?) throws -> FilesInUse.Claim? {
        guard let filesInUse, let directory = target.directory.id else { return nil }
        do throws(FilesInUse.Taken) { return try filesInUse.claim(target.name, in: directory, path: path) } catch {
            let subject = error.path == path ? "" : "\(path): "
            throw LoadervidError(
                .usage, "\(subject)\(error.path) is another output of this command; name another file")
        }
    }

    /// Throws `LoadervidError` if the existing file must not be replaced: it is not an ordinary
    /// file, the same work read it, or `replacement` does not allow it.
    ///
    /// - Parameter isLate: true if the output is complete and about to get its name, so that a file
    ///   that must not be replaced is new. The rule for `.nothing` is then left to the file system,
    ///   which checks and names in one step.
    func checkReplacing(_ replacement: Replacement, _ filesInUse: FilesInUse?, isLate: Bool = false) throws {
        guard let status = target.status else { return }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let what = status.st_mode & S_IFMT == S_IFDIR ? "is a directory" : "is not a regular file"
            throw LoadervidError(.cannotCreate, "\(path) \(what)", hint: .otherOutput)
        }
        if let filesInUse, filesInUse.isInput(FileID(status)) {
            throw LoadervidError(.usage, "\(path): the file is also read as input; name another file for the output")
        }
        switch replacement {
        case .anything: return
        case .nothing:
            if !isLate { throw LoadervidError(.cannotCreate, "\(path) already exists", hint: .overwriting) }
        case .earlier(let output):
            guard !replacement.allows(target) else { return }
            throw LoadervidError(
                .cannotCreate,
                "\(path) already exists and is not a \(output.what)" + (output.remedy.map { "; \($0)" } ?? ""),
                hint: output.remedy == nil ? .overwriting : nil)
        }
    }
}

/// The existing files that an output may replace.
package enum Replacement {
    /// No file: the name must be free, and the naming step cannot replace a file.
    case nothing
    /// Any regular file.
    case anything
    /// Only a file recognised as the output of an earlier run.
    case earlier(EarlierOutput)

    /// Returns true if the file at an entry may be replaced.
    func allows(_ entry: DirectoryEntry) -> Bool {
        switch self {
        case .nothing: false
        case .anything: true
        case .earlier(let output): output.recognizes(entry.firstBytes(EarlierOutput.byteCount))
        }
    }
}

/// A kind of file that is recognised by its first bytes.
package struct EarlierOutput {
    /// The number of bytes that `recognizes` gets.
    static let byteCount = 4096

    let what: String
    let remedy: String?
    let recognizes: ([UInt8]) -> Bool

    /// A kind of file.
    ///
    /// - Parameters:
    ///   - what: its name for messages, without an article.
    ///   - remedy: the advice if a different file exists; nil suggests overwriting it.
    ///   - recognizes: returns true if a file that begins with these bytes is of this kind.
    package init(what: String, remedy: String? = nil, recognizes: @escaping ([UInt8]) -> Bool) {
        self.what = what
        self.remedy = remedy
        self.recognizes = recognizes
    }
}
