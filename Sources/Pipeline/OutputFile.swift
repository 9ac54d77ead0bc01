import Platform
import Media

/// A file that appears whole or not at all: a temporary sibling that takes the name when everything is on the disk.
///
/// Companions beside it, such as the captions of a clip, have their names before it has its own: who finds it finds them.
///
/// Its last reference removes the temporary, unless `commit` was called. Not for use from two threads at once.
public final class OutputFile: ByteSink {
    /// The name it will have.
    public let path: String
    /// The name as it was given, which may be a link's.
    private let givenPath: String
    /// The name it has until then.
    public var temporaryPath: String { temporary.path }
    private var temporary: TemporaryPath
    private let temporaryDirectory: String?
    private let isDurable: Bool
    private let overwrites: Bool
    private var companions: [OutputFile] = []
    /// What the file in whose place it comes leaves to it.
    private let access: FileAccess?
    private let beforeNaming: ((_ file: OutputFile) throws -> Void)?
    private var descriptor: Int32
    /// What had the name before, as long as it may want it back.
    private var former: TemporaryPath?
    /// Whether something had the name before.
    private var replaces = false
    /// Whether it has its name.
    public private(set) var isCommitted = false
    /// What was given up so that its clip stays under a limit of bytes, if it has one.
    public internal(set) var fit: SizeFit?

    public let isSeekable = true

    /// Creates the temporary. Throws `RenderError` if the path is taken and may not be overwritten, is not an ordinary
    /// file, or nothing can be written there. A file that is replaced leaves its mode, and where allowed its owner and
    /// group, to the new one.
    ///
    /// - Parameters:
    ///   - path: where the file is to be.
    ///   - overwrites: whether an ordinary file that is there is replaced.
    ///   - temporaryDirectory: where the temporary is, on the same file system; nil puts it beside the path.
    ///   - isDurable: whether its bytes are on the disk before it has its name. Without that a power cut may lose it, and
    ///     nobody waits for a busy disk.
    ///   - beforeNaming: is called with the file, under its temporary name, when all bytes are on the disk. If it throws, the
    ///     file does not get its name.
    public init(
        path: String, overwrites: Bool, temporaryDirectory: String? = nil, isDurable: Bool = true,
        beforeNaming: ((_ file: OutputFile) throws -> Void)? = nil
    ) throws {
        if let kind = FileSystem.kind(path) {
            guard kind == S_IFREG else {
                let what = kind == S_IFDIR ? "is a directory" : "is not an ordinary file"
                throw RenderError(.cannotCreate, "\(path) \(what)", wayOut: .otherOutput)
            }
            guard overwrites else {
                throw RenderError(.cannotCreate, "\(path) exists", wayOut: .overwriting)
            }
        }
        if FileSystem.isBrokenLink(path) {
            throw RenderError(
                .cannotCreate, "\(path) is a link to a file that is not there: remove it, or use another name")
        }
        (self.overwrites, self.isDurable, self.beforeNaming) = (overwrites, isDurable, beforeNaming)
        (givenPath, self.temporaryDirectory) = (path, temporaryDirectory)
        self.path = try FileSystem.linkTarget(path)
        access = FileAccess(of: self.path)
        let (directory, name) = FileSystem.split(self.path)
        guard FileSystem.kind(directory) == S_IFDIR else {
            throw RenderError(.cannotCreate, "\(path): there is no directory \(directory); create it first")
        }
        guard !name.isEmpty else { throw RenderError(.cannotCreate, "'\(path)' is not the name of a file") }
        let folder = temporaryDirectory ?? directory
        guard let opened = OutputFile.openTemporary(in: folder, for: name, isPrivate: access != nil) else {
            throw RenderError(errno: errno, "create \(path)")
        }
        (temporary, descriptor) = opened
    }

    /// Opens a file under a name that nobody else has, whoever writes to the directory now or was killed while writing.
    private static func openTemporary(
        in directory: String, for name: String, isPrivate: Bool
    ) -> (TemporaryPath, Int32)? {
        // File systems take names of up to 255 bytes.
        var stem = Substring(name)
        while stem.utf8.count > 200 { stem.removeLast() }
        while true {
            let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
            let path = "\(directory)/.\(stem).\(number).part"
            if let opened = TemporaryPath.file(path, isPrivate: isPrivate) { return opened }
            if errno != EEXIST { return nil }
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    // MARK: Trials

    /// A file for the same place that will not come there, but whose contents may.
    func another() throws -> OutputFile {
        try OutputFile(path: givenPath, overwrites: true, temporaryDirectory: temporaryDirectory, isDurable: false)
    }

    /// Takes the bytes of `another` file, which gets those of this one.
    func takeContents(of other: OutputFile) {
        swap(&temporary, &other.temporary)
        swap(&descriptor, &other.descriptor)
    }

    /// Bytes in it so far.
    var byteCount: Int { Int(lseek(descriptor, 0, SEEK_END)) }

    // MARK: Writing

    /// Writes bytes at the current position.
    public func write(_ bytes: UnsafeRawBufferPointer) throws {
        let code = FileSystem.writeAll(bytes, to: descriptor)
        guard code == 0 else { throw RenderError(errno: code, "write \(path)") }
    }

    /// Moves the position.
    public func seek(to offset: Int64) throws {
        guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else { throw RenderError(errno: errno, "write \(path)") }
    }

    /// Adds a file beside this one, called as it is but for the ending: by the same rules, and with it or not at all.
    public func addCompanion(ending: String, _ bytes: [UInt8]) throws {
        let (directory, name) = FileSystem.split(givenPath)
        let stem = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name.utf8[..<$0] }.flatMap { Substring($0) }
        let beside = (stem.map { $0.isEmpty ? name : String($0) } ?? name) + "." + ending
        guard beside != name else {
            throw RenderError(
                .cannotCreate, "\(givenPath) would have the name of a file that goes with it: use another ending")
        }
        let file = try OutputFile(
            path: givenPath.utf8.contains(UInt8(ascii: "/")) ? "\(directory)/\(beside)" : beside,
            overwrites: overwrites,
            temporaryDirectory: temporaryDirectory, isDurable: isDurable)
        try bytes.withUnsafeBytes { try file.write($0) }
        companions.append(file)
    }

    /// Writes bytes, which are all there is, and gives the file its name. Returns its size in bytes.
    @discardableResult
    public func commit(_ bytes: [UInt8]) throws -> Int {
        try bytes.withUnsafeBytes { try write($0) }
        return try commit()
    }

    /// Puts everything on the disk, unless it need not be durable, and gives the file its name, its companions' names first.
    /// Returns its size in bytes. If it throws, all names stand for what they stood for before; on a file system without hard
    /// links a companion that was replaced is lost.
    public func commit() throws -> Int {
        for companion in companions { _ = try companion.complete() }
        let size = try complete()
        var named: [OutputFile] = []
        do {
            for companion in companions {
                companion.keepFormer()
                try companion.takeName()
                named.append(companion)
            }
            try takeName()
        } catch {
            for companion in named.reversed() { companion.giveNameBack() }
            throw error
        }
        for file in companions + [self] { file.settle() }
        return size
    }

    /// Ends the writing. Returns the size in bytes.
    private func complete() throws -> Int {
        let size = lseek(descriptor, 0, SEEK_END)
        guard !isDurable || putOnDisk(descriptor) else { throw RenderError(errno: errno, "write \(path)") }
        try beforeNaming?(self)
        // Last, since it may take the right to read from ourselves.
        access?.apply(to: descriptor)
        let (closing, number) = (close(descriptor), errno)
        descriptor = -1
        guard closing == 0 else { throw RenderError(errno: number, "write \(path)") }
        return Int(size)
    }

    /// Is called when it has its name for good.
    private func settle() {
        temporary.keep()
        (isCommitted, former) = (true, nil)
        guard isDurable else { return }
        let directory = open(FileSystem.split(path).directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if directory >= 0 {
            // The name is already there; whether a power cut may lose it again is not worth failing for.
            _ = putOnDisk(directory)
            close(directory)
        }
    }

    /// Keeps what has the name until now under another, where the file system can.
    private func keepFormer() {
        replaces = FileSystem.exists(path)
        guard overwrites, replaces else { return }
        let other = temporaryPath + ".part"
        if link(path, other) == 0 { former = TemporaryPath(other) }
    }

    /// Undoes `takeName`.
    private func giveNameBack() {
        if let former {
            if rename(former.path, path) == 0 { former.keep() }
        } else if !replaces {
            unlink(path)
        }
        temporary.keep()
    }

    private func takeName() throws {
        if overwrites {
            guard rename(temporaryPath, path) == 0 else { throw RenderError(errno: errno, "create \(path)") }
            return
        }
        // Linking, unlike renaming, never replaces a file that came up meanwhile.
        if link(temporaryPath, path) == 0 {
            unlink(temporaryPath)
        } else if errno == EEXIST {
            throw RenderError(.cannotCreate, "\(path) came up meanwhile", wayOut: .overwriting)
        } else {
            // Some file systems have no hard links.
            guard !FileSystem.exists(path), rename(temporaryPath, path) == 0 else {
                throw RenderError(errno: errno, "create \(path)")
            }
        }
    }
}

/// Standard output as a sink: no seeking, and a closed pipe is an error like any other.
public final class StandardOutput: ByteSink {
    private let cancellation: CancellationToken
    private var written = 0

    public let isSeekable = false

    /// Standard output; a write that waits for its reader ends when `cancellation` is asked for.
    public init(cancellation: CancellationToken = CancellationToken()) { self.cancellation = cancellation }

    /// Bytes written so far.
    public var byteCount: Int { written }

    /// Writes bytes, waiting for the reader as long as nobody cancels.
    public func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while rest.count > 0 {
            try cancellation.check()
            var state = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
            guard poll(&state, 1, 100) > 0 else { continue }
            // A pipe that is ready has room for this much, so that no write blocks past a cancellation.
            let chunk = UnsafeRawBufferPointer(rebasing: rest.prefix(Int(PIPE_BUF)))
            let count = Platform.write(STDOUT_FILENO, chunk.baseAddress, chunk.count)
            guard count >= 0 else {
                if errno == EAGAIN || errno == EINTR { continue }
                throw RenderError(errno: errno, "write to standard output")
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            written += count
        }
    }

    /// Always throws: a pipe has no positions.
    public func seek(to offset: Int64) throws { throw RenderError(.internal, "standard output cannot seek") }
}
