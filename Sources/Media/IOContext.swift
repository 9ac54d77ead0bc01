import CLibAV

/// Owns an `AVIOContext` and answers what it asks for; what moves the bytes is a subclass's.
class IOContext {
    private(set) var context: UnsafeMutablePointer<AVIOContext>!

    private static let bufferSize: Int32 = 1 << 16

    /// - Parameter writes: whether bytes go out; otherwise they come in.
    init(writes: Bool) throws(FFmpegError) {
        let end = writes ? "output" : "input"
        let buffer = try unwrap(av_malloc(Int(Self.bufferSize)), "allocate an \(end) buffer")
        let created = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Self.bufferSize, writes ? 1 : 0,
            Unmanaged.passUnretained(self).toOpaque(),
            { opaque, bytes, count in
                guard let opaque, let bytes else { return LV_ERROR_EIO }
                let this = Unmanaged<IOContext>.fromOpaque(opaque).takeUnretainedValue()
                return this.read(UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)))
            },
            { opaque, bytes, count in
                guard let opaque, let bytes else { return LV_ERROR_EIO }
                let this = Unmanaged<IOContext>.fromOpaque(opaque).takeUnretainedValue()
                return this.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            },
            { opaque, offset, whence in
                guard let opaque else { return Int64(LV_ERROR_EIO) }
                return Unmanaged<IOContext>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
            })
        guard let created else {
            av_free(buffer)
            throw FFmpegError(code: LV_ERROR_ENOMEM, operation: "allocate an \(end)")
        }
        context = created
    }

    deinit {
        guard context != nil else { return }
        // libav may have exchanged the buffer for another, so it is the context's that goes.
        av_freep(UnsafeMutableRawPointer(context.pointer(to: \.buffer)))
        avio_context_free(&context)
    }

    /// Fills a buffer as far as it can. Returns the number of bytes, or libav's error.
    func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int32 { LV_ERROR_EIO }

    /// Writes all the bytes. Returns their number, or libav's error.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int32 { LV_ERROR_EIO }

    /// Moves the position or tells the size, as `whence` says. Returns it in bytes, or libav's error.
    func seek(_ offset: Int64, _ whence: Int32) -> Int64 { Int64(LV_ERROR_EIO) }
}
