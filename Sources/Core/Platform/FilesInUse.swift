/// The identity of a file, independent of its paths.
package struct FileID: Hashable, Sendable {
    private let device: dev_t
    private let inode: ino_t

    package init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
    }
}

/// The inputs and outputs of a command or of one clip. An output must not replace an input or take
/// the name of another output.
///
/// All code that opens a user's file records it in `current`, and every output checks it. The value
/// belongs to a task and not to the process, so the clips that a program makes are independent. On
/// a new thread `current` is nil. A batch passes the value to its outputs only: its worker threads
/// record nothing, because they read earlier outputs of the batch and then replace them.
package final class FilesInUse: Sendable {
    /// The files in use by the current task; nil records and forbids nothing.
    @TaskLocal package static var current: FilesInUse?

    /// A name in a directory as bytes: Swift treats two spellings of a character as equal, a file
    /// system may not.
    fileprivate struct Name: Hashable {
        let directory: FileID
        let bytes: [UInt8]
    }

    private let inputs = Locked<Set<FileID>>([])
    private let outputs = Locked<[Name: String]>([:])

    package init() {}

    /// Records an open file as an input.
    package func noteInput(_ status: stat) { _ = inputs.withLock { $0.insert(FileID(status)) } }

    /// Records existing files as inputs of the current task.
    package static func noteInputs(_ paths: [String]) {
        guard let current else { return }
        for path in paths {
            var status = stat()
            if stat(path, &status) == 0 { current.noteInput(status) }
        }
    }

    /// Returns true if the file is an input.
    package func isInput(_ file: FileID) -> Bool { inputs.withLock { $0.contains(file) } }

    /// An output's claim to its name. It ends when the last reference is released.
    package final class Claim: Sendable {
        private let name: Name
        private let owner: FilesInUse

        fileprivate init(_ name: Name, owner: FilesInUse) {
            self.name = name
            self.owner = owner
        }

        deinit { owner.outputs.withLock { $0[name] = nil } }
    }

    /// The error for a name that another output has claimed.
    package struct Taken: Error {
        /// The other output's path as the caller named it.
        package let path: String
    }

    /// Claims a name in a directory for an output. Throws `Taken` if another output has claimed it.
    ///
    /// - Parameter path: the path as the user named it.
    package func claim(_ name: String, in directory: FileID, path: String) throws(Taken) -> Claim {
        let name = Name(directory: directory, bytes: Array(name.utf8))
        let other: String? = outputs.withLock { outputs in
            if let other = outputs[name] { return other }
            outputs[name] = path
            return nil
        }
        if let other { throw Taken(path: other) }
        return Claim(name, owner: self)
    }
}
