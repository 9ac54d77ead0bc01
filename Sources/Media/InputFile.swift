import CLibAV
import Platform

/// An ordinary file, open for reading at any place. Pipes, devices and directories are refused: opening or reading one may
/// wait for ever.
public final class InputFile {
    /// Where it is.
    public let path: String
    /// Its size in bytes when it was opened.
    public let byteCount: Int
    private let descriptor: Int32
    /// What it holds, if it is no file but in memory.
    private let contents: [UInt8]?

    /// Opens a file. Throws what the system says, or that it is no ordinary file.
    public init(path: String) throws(FFmpegError) {
        let operation = "open \(path)"
        var status = stat()
        guard stat(path, &status) == 0 else { throw FFmpegError(code: -errno, operation: operation) }
        try InputFile.checkKind(status, operation)
        // It may have become a pipe meanwhile, which would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FFmpegError(code: -errno, operation: operation) }
        do throws(FFmpegError) {
            guard fstat(descriptor, &status) == 0 else { throw FFmpegError(code: -errno, operation: operation) }
            try InputFile.checkKind(status, operation)
        } catch {
            close(descriptor)
            throw error
        }
        (self.path, self.descriptor, byteCount) = (path, descriptor, Int(status.st_size))
        contents = nil
    }

    /// What is in memory as if it were a file, which messages call `name`.
    public init(bytes: [UInt8], name: String) {
        (path, descriptor, byteCount, contents) = (name, -1, bytes.count, bytes)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    private static func checkKind(_ status: stat, _ operation: String) throws(FFmpegError) {
        guard status.st_mode & S_IFMT != S_IFREG else { return }
        throw FFmpegError(code: -EINVAL, operation: operation, reason: "it is not an ordinary file")
    }

    /// Reads into a buffer from a place in bytes. Returns how many were read, 0 at the end.
    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FFmpegError) -> Int {
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

    /// The bytes from a place on, as far as the file has them.
    public func bytes(at offset: Int, count: Int) throws(FFmpegError) -> [UInt8] {
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
    /// The system's failure to read the file, if there was one: what libav makes of it is not always an error.
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

    /// Throws if a status of libav means failure. What it calls an input error without one is a file that is cut off.
    @discardableResult
    func check(_ status: Int32, _ operation: String) throws(FFmpegError) -> Int32 {
        if status < 0, let failure { throw failure }
        return try Media.check(status == LV_ERROR_EIO ? LV_ERROR_INVALIDDATA : status, operation)
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
