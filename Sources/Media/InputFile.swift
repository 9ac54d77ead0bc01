import CLibAV
import Core

/// The bytes of an input at any offset: a regular file or a buffer in memory. Pipes, devices and
/// directories are rejected, since opening or reading one may block forever.
package final class InputFile: Sendable {
    /// The path of the file, or the name of the buffer.
    package let path: String
    /// The size in bytes when the file was opened.
    package let byteCount: Int
    private let descriptor: Int32
    /// The contents of a file in memory; nil for a file on disk.
    private let contents: [UInt8]?

    /// Opens a file. Throws the system's error, or an error if the file is not a regular file.
    package init(path: String) throws(FFmpegError) {
        let operation = "open \(path)"
        var status = stat()
        guard stat(path, &status) == 0 else { throw FFmpegError(code: -errno, operation: operation) }
        try InputFile.checkKind(status, operation)
        // O_NONBLOCK, since the path may be a pipe by now, which would block until a writer opens
        // it.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FFmpegError(code: -errno, operation: operation) }
        do throws(FFmpegError) {
            guard fstat(descriptor, &status) == 0 else { throw FFmpegError(code: -errno, operation: operation) }
            try InputFile.checkKind(status, operation)
        } catch {
            close(descriptor)
            throw error
        }
        FilesInUse.current?.noteInput(status)
        self.path = path
        self.descriptor = descriptor
        byteCount = Int(status.st_size)
        contents = nil
    }

    /// A duplicate of an open descriptor, whose file is not recorded as an input. Throws the
    /// system's error.
    package init(duplicating other: Int32, path: String) throws(FFmpegError) {
        let operation = "read \(path)"
        let descriptor = fcntl(other, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw FFmpegError(code: -errno, operation: operation) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            defer { close(descriptor) }
            throw FFmpegError(code: -errno, operation: operation)
        }
        self.path = path
        self.descriptor = descriptor
        byteCount = Int(status.st_size)
        contents = nil
    }

    /// Opens a file of at most `maxBytes` bytes. Throws the errors of `init(path:)`, or an error if
    /// the file is larger.
    package convenience init(path: String, maxBytes: Int) throws(FFmpegError) {
        try self.init(path: path)
        guard byteCount <= maxBytes else {
            throw InputFile.tooLarge(path, byteCount: byteCount, maxBytes: maxBytes)
        }
    }

    /// Returns the error for a file over the size limit.
    static func tooLarge(_ path: String, byteCount: Int, maxBytes: Int) -> FFmpegError {
        FFmpegError(
            code: -EFBIG, operation: "read \(path)",
            reason: "it has \(byteCount) bytes, above the maximum of \(maxBytes) bytes")
    }

    /// A file in memory. Messages call it `name`.
    package init(bytes: [UInt8], name: String) {
        path = name
        descriptor = -1
        byteCount = bytes.count
        contents = bytes
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    private static func checkKind(_ status: stat, _ operation: String) throws(FFmpegError) {
        guard status.st_mode & S_IFMT != S_IFREG else { return }
        throw FFmpegError(code: -EINVAL, operation: operation, reason: "it is not a regular file")
    }

    /// Reads into a buffer from an offset in bytes. Returns the number of bytes read, 0 at the end.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FFmpegError) -> Int {
        if let contents {
            let part = contents.dropFirst(max(0, offset)).prefix(buffer.count)
            buffer.copyBytes(from: part)
            return part.count
        }
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw FFmpegError(code: -errno, operation: "read \(path)") }
        }
    }

    /// Returns up to `count` bytes from an offset, fewer at the end of the file.
    package func bytes(at offset: Int, count: Int) throws(FFmpegError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let read: Int
            do {
                read = try bytes.withUnsafeMutableBytes {
                    try self.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...]), at: offset + filled)
                }
            } catch { throw error as? FFmpegError ?? FFmpegError(code: LV_ERROR_EIO, operation: "read \(path)") }
            guard read > 0 else { break }
            filled += read
        }
        return Array(bytes.prefix(filled))
    }
}

/// An `AVIOContext` that reads an `InputFile` and nothing else.
final class SourceContext: IOContext {
    private let file: InputFile
    private var position = 0
    /// The system's error when reading the file; nil if there was none. libav does not always
    /// report it.
    private(set) var failure: FFmpegError?

    init(_ file: InputFile) throws(FFmpegError) {
        self.file = file
        try super.init(writes: false)
    }

    override func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        do throws(FFmpegError) {
            let count = try file.read(into: buffer, at: position)
            position += count
            return count > 0 ? Int32(count) : LV_ERROR_EOF
        } catch {
            failure = error
            return error.code
        }
    }

    /// Throws an `FFmpegError` if a libav status is negative. libav's `EIO` without a system error
    /// means that the file is truncated.
    @discardableResult
    func check(_ status: Int32, _ operation: String) throws(FFmpegError) -> Int32 {
        if status < 0, let failure { throw failure }
        return try Media.check(
            status == LV_ERROR_EIO ? LV_ERROR_INVALIDDATA : status, needing: maxMemory, operation)
    }

    /// The maximum memory in bytes that reading the file can need: a packet is no larger than the
    /// file, tables of packets grow to a few times their size, and libav's buffers take the rest.
    private var maxMemory: Int {
        // A sparse file can have almost 2^63 bytes.
        let (tables, overflow) = file.byteCount.multipliedReportingOverflow(by: 4)
        let (bytes, overflowOfSum) = tables.addingReportingOverflow(64 << 20)
        return overflow || overflowOfSum ? .max : bytes
    }

    override func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        let origin = whence & ~AVSEEK_FORCE
        if origin == AVSEEK_SIZE { return Int64(file.byteCount) }
        let start = origin == SEEK_CUR ? position : origin == SEEK_END ? file.byteCount : 0
        let (target, overflow) = start.addingReportingOverflow(Int(offset))
        guard !overflow, target >= 0 else { return Int64(-EINVAL) }
        position = target
        return Int64(target)
    }
}
