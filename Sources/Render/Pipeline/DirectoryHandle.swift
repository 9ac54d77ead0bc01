import CSystem
import Core

/// An open directory. A file that is created, renamed or removed through it stays in this
/// directory, even if another process moves the directory or replaces its path with a link.
package final class DirectoryHandle: Sendable {
    /// The path that opened it, for messages; empty for the working directory, in which names may
    /// be paths.
    package let path: String
    let descriptor: Int32

    /// The working directory, in which relative paths begin.
    static let working = DirectoryHandle(path: "", descriptor: AT_FDCWD)

    private init(path: String, descriptor: Int32) { (self.path, self.descriptor) = (path, descriptor) }

    /// Opens a directory by its path and follows links. Throws `LoadervidError` if it does not
    /// exist.
    package convenience init(path: String) throws {
        let descriptor = lv_open_directory(AT_FDCWD, path, true)
        guard descriptor >= 0 else { throw LoadervidError(errno: errno, .open, path) }
        self.init(path: path, descriptor: descriptor)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Returns the entry for a name in the directory.
    package func entry(_ name: String) -> DirectoryEntry { DirectoryEntry(directory: self, name: name) }

    /// Returns a subdirectory; nil if it does not exist. Throws `LoadervidError` if the name
    /// belongs to something else, such as a link.
    ///
    /// - Parameter creates: true to create a missing directory.
    package func subdirectory(_ name: String, creates: Bool) throws -> DirectoryHandle? {
        let path = entry(name).path
        if creates, mkdirat(descriptor, name, 0o777) != 0, errno != EEXIST {
            throw LoadervidError(errno: errno, .create, path)
        }
        let opened = lv_open_directory(descriptor, name, false)
        if opened >= 0 { return DirectoryHandle(path: path, descriptor: opened) }
        let code = errno
        if code == ENOENT, !creates { return nil }
        guard code == ENOTDIR || code == ELOOP else { throw LoadervidError(errno: code, .open, path) }
        try entry(name).refuseLink()
        throw LoadervidError(.cannotCreate, "\(path) is not a directory; remove it or choose another output")
    }

    /// The device and inode number; nil if the system does not report them.
    var id: FileID? {
        var status = stat()
        let code = descriptor == AT_FDCWD ? stat(".", &status) : fstat(descriptor, &status)
        return code == 0 ? FileID(status) : nil
    }

    /// Returns all names in a directory as bytes without the terminating zero; nil, with a reason
    /// in `errno`, if it cannot be read.
    static func names(in path: String, below directory: Int32 = AT_FDCWD) -> [[UInt8]]? {
        let descriptor = openat(directory, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard let stream = fdopendir(descriptor) else {
            close(descriptor)
            return nil
        }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != [46], name != [46, 46] { names.append(name) }
            errno = 0
        }
        return errno == 0 ? names : nil
    }

    /// All names in the directory as bytes; empty if it cannot be read.
    var rawNames: [[UInt8]] { DirectoryHandle.names(in: ".", below: descriptor) ?? [] }

    /// All names in the directory that are valid text, sorted; empty if it cannot be read.
    package var names: [String] { FileSystem.sortedTexts(rawNames) }

    /// Returns the first entry whose file, or whose link's target, meets a condition; nil if there
    /// is none.
    func firstEntry(where condition: (FileID) -> Bool) -> DirectoryEntry? {
        names.lazy.map(entry).first { entry in
            var target = stat()
            let hasTarget = fstatat(descriptor, entry.name, &target, 0) == 0
            return hasTarget && condition(FileID(target))
        }
    }

    /// Flushes the directory to disk. Ignores errors, because the files themselves are on disk
    /// already.
    func flushNamesToDisk() {
        let reading = openForReading()
        guard reading >= 0 else { return }
        _ = flushToDisk(reading)
        close(reading)
    }

    /// Opens the directory again for reading, since `descriptor` only leads to names on some
    /// systems. Returns a negative number if that fails.
    func openForReading() -> Int32 { openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
}

/// A name in an open directory and the file it refers to. Never follows a link.
package struct DirectoryEntry: Sendable {
    package let directory: DirectoryHandle
    package let name: String

    /// The path, for messages.
    package var path: String {
        switch directory.path {
        case "", ".": name
        case "/": "/\(name)"
        default: "\(directory.path)/\(name)"
        }
    }

    /// The file's status; nil if the file does not exist.
    package var status: stat? {
        var status = stat()
        return fstatat(directory.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
    }

    /// The file type; nil if the file does not exist.
    var kind: mode_t? { status.map { $0.st_mode & S_IFMT } }

    /// Throws `LoadervidError` if the entry is a link.
    package func refuseLink() throws {
        guard kind == S_IFLNK else { return }
        throw LoadervidError(.cannotCreate, "\(path) is a link; remove it or choose another output")
    }

    /// Creates a directory with this name, with access for its owner alone or as the umask permits.
    /// Throws `LoadervidError` if that fails.
    package func makeDirectory(isPrivate: Bool = false) throws {
        guard mkdirat(directory.descriptor, name, isPrivate ? 0o700 : 0o777) == 0 else {
            throw LoadervidError(errno: errno, .create, path)
        }
    }

    /// Creates a hard link to the file under the name `other`. Returns false if that fails or the
    /// name exists.
    func link(to other: DirectoryEntry) -> Bool {
        linkat(directory.descriptor, name, other.directory.descriptor, other.name, 0) == 0
    }

    /// Renames the file to `other`, and replaces an existing file. Returns false if that fails.
    func rename(to other: DirectoryEntry) -> Bool {
        renameat(directory.descriptor, name, other.directory.descriptor, other.name) == 0
    }

    /// Renames the file to `other`. Returns false if that fails or the name exists.
    func renameUnlessTaken(to other: DirectoryEntry) -> Bool {
        if lv_rename_new(directory.descriptor, name, other.directory.descriptor, other.name) == 0 { return true }
        guard [EINVAL, ENOSYS, ENOTSUP].contains(errno) else { return false }
        // On this file system, the check and the renaming cannot be one step.
        guard other.status == nil else {
            errno = EEXIST
            return false
        }
        return rename(to: other)
    }

    /// Exchanges the names of two files or directories. On a file system that cannot do so in one
    /// step, the other name is free for an instant. Returns false if that fails.
    func exchange(with other: DirectoryEntry) -> Bool {
        if lv_rename_exchange(directory.descriptor, name, other.directory.descriptor, other.name) == 0 { return true }
        guard [EINVAL, ENOSYS, ENOTSUP].contains(errno) else { return false }
        let aside = directory.entry(name + ".part")
        guard other.rename(to: aside) else { return false }
        guard rename(to: other) else {
            let code = errno
            _ = aside.rename(to: other)
            errno = code
            return false
        }
        return aside.rename(to: self)
    }

    /// Creates a file with these contents. Throws `LoadervidError` if that fails or the name
    /// exists.
    func create(_ bytes: UnsafeRawBufferPointer) throws {
        let file = openat(directory.descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard file >= 0 else { throw LoadervidError(errno: errno, .create, path) }
        let code = FileSystem.writeAll(bytes, to: file)
        let isClosed = close(file) == 0
        guard code == 0, isClosed else { throw LoadervidError(errno: code == 0 ? errno : code, .write, path) }
    }

    /// Flushes the file's contents to disk. Throws `LoadervidError` if that fails.
    func putOnDisk() throws {
        let file = openat(directory.descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { throw LoadervidError(errno: errno, .open, path) }
        defer { close(file) }
        guard flushToDisk(file) else { throw LoadervidError(errno: errno, .write, path) }
    }

    /// Removes the name. Returns false if that fails.
    @discardableResult
    func unlink() -> Bool { unlinkat(directory.descriptor, name, 0) == 0 }

    /// The maximum depth of directories that `remove` empties. The batch creates one level; each
    /// level takes a descriptor and some stack.
    private static let maxRemovalDepth = 32

    /// Removes the entry, and a directory with its contents, as far as possible: directories below
    /// `maxRemovalDepth` stay. Removes a link but not its target.
    package func remove() {
        DirectoryEntry.removeTree(Array(name.utf8), below: directory.descriptor, depth: DirectoryEntry.maxRemovalDepth)
    }

    /// Removes a file or directory by the bytes of its name, which need not be valid text.
    private static func removeTree(_ name: [UInt8], below directory: Int32, depth: Int) {
        (name + [0]).withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                guard let path = characters.baseAddress, unlinkat(directory, path, 0) != 0, depth > 0 else { return }
                let folder = lv_open_directory(directory, path, false)
                guard folder >= 0 else { return }
                for entry in DirectoryHandle.names(in: ".", below: folder) ?? [] {
                    removeTree(entry, below: folder, depth: depth - 1)
                }
                close(folder)
                unlinkat(directory, path, AT_REMOVEDIR)
            }
        }
    }

    /// Opens a file for locking only, and creates it if needed. Throws `LoadervidError` if it is a
    /// link.
    package func openLock() throws -> Int32 {
        let flags = O_RDWR | O_CREAT | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | O_NOFOLLOW
        let descriptor = openat(directory.descriptor, name, flags, 0o666)
        guard descriptor >= 0 else {
            let code = errno
            try refuseLink()
            throw LoadervidError(errno: code, .lock, path)
        }
        return descriptor
    }
}
