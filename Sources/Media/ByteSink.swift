import CLibAV

/// The destination of a muxer's bytes.
package protocol ByteSink: AnyObject {
    /// True if `seek` is supported. Otherwise MP4 files are fragmented.
    var isSeekable: Bool { get }
    /// Writes all bytes at the current position.
    func write(_ bytes: UnsafeRawBufferPointer) throws
    /// Sets the position, in bytes from the start.
    func seek(to offset: Int64) throws
    /// Returns the bytes written so far as a file with its own read position; nil if the sink
    /// cannot be read. Required for MP4 in a seekable sink, to move the index to the front.
    func reader() throws -> InputFile?
}

/// An `AVIOContext` that writes to a sink. Stores the sink's first error, since libav only receives
/// a code.
final class SinkContext: IOContext {
    let sink: any ByteSink
    private(set) var failure: (any Error)?
    private var position: Int64 = 0
    private var size: Int64 = 0

    init(_ sink: any ByteSink) throws(FFmpegError) {
        self.sink = sink
        try super.init(writes: true)
        context.pointee.seekable = sink.isSeekable ? AVIO_SEEKABLE_NORMAL : 0
    }

    override func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
        guard failure == nil else { return LV_ERROR_EIO }
        do {
            try sink.write(bytes)
            position += Int64(bytes.count)
            size = max(size, position)
            return Int32(bytes.count)
        } catch {
            failure = error
            return LV_ERROR_EIO
        }
    }

    override func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        let origin = whence & ~AVSEEK_FORCE
        if origin == AVSEEK_SIZE { return sink.isSeekable ? size : Int64(LV_ERROR_EIO) }
        let target = origin == SEEK_CUR ? position + offset : origin == SEEK_END ? size + offset : offset
        do {
            try sink.seek(to: target)
            position = target
            return target
        } catch {
            failure = failure ?? error
            return Int64(LV_ERROR_EIO)
        }
    }
}
