import CLibAV

/// The owner of an `AVIOContext`. Subclasses implement its callbacks.
class IOContext {
    private(set) var context: UnsafeMutablePointer<AVIOContext>!

    private static let bufferSize: Int32 = 1 << 16

    /// Creates an `AVIOContext` whose callbacks call the methods of this object.
    ///
    /// - Parameter writes: true for an output context, false for an input context.
    init(writes: Bool) throws(FFmpegError) {
        let direction = writes ? "output" : "input"
        let buffer = try unwrap(av_malloc(Int(Self.bufferSize)), "allocate an \(direction) buffer")
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
            throw FFmpegError(code: LV_ERROR_ENOMEM, operation: "allocate an \(direction) context")
        }
        context = created
    }

    deinit {
        guard context != nil else { return }
        // libav may have replaced the buffer, so this frees the context's current one.
        av_freep(UnsafeMutableRawPointer(context.pointer(to: \.buffer)))
        avio_context_free(&context)
    }

    /// Reads up to `buffer.count` bytes. Returns their number or an `AVERROR` code.
    func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int32 { LV_ERROR_EIO }

    /// Writes all bytes. Returns their number or an `AVERROR` code.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int32 { LV_ERROR_EIO }

    /// Sets the position or returns the size, depending on `whence`. Returns it in bytes, or an
    /// `AVERROR` code.
    func seek(_ offset: Int64, _ whence: Int32) -> Int64 { Int64(LV_ERROR_EIO) }
}
