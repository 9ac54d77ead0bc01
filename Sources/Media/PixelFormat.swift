import CLibAV

/// A pixel format by FFmpeg's name, such as `yuv420p`.
package struct PixelFormat: Sendable, Hashable, CustomStringConvertible {
    let format: AVPixelFormat

    init(_ format: AVPixelFormat) { self.format = format }

    /// The format with a name; nil if FFmpeg does not know it or it is a hardware format.
    package init?(name: String) {
        format = av_get_pix_fmt(name)
        guard let descriptor = av_pix_fmt_desc_get(format),
            descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_HWACCEL) == 0
        else { return nil }
    }

    /// 8 bits per sample, with chroma at half resolution; the most common video format.
    package static let yuv420p = PixelFormat(AV_PIX_FMT_YUV420P)
    /// yuv420p with alpha.
    static let yuva420p = PixelFormat(AV_PIX_FMT_YUVA420P)
    /// 8 bits of luma.
    static let gray = PixelFormat(AV_PIX_FMT_GRAY8)
    /// Packed BGRA with 8 bits per channel; the rasterizer's format.
    package static let bgra = PixelFormat(AV_PIX_FMT_BGRA)
    /// Packed BGR with 8 unused bits.
    static let bgr0 = PixelFormat(AV_PIX_FMT_BGR0)
    /// Packed RGB with 8 bits per channel.
    static let rgb24 = PixelFormat(AV_PIX_FMT_RGB24)
    /// Packed RGBA with 8 bits per channel.
    package static let rgba = PixelFormat(AV_PIX_FMT_RGBA)
    /// Packed RGB with 16 bits per channel, little-endian.
    static let rgb48 = PixelFormat(AV_PIX_FMT_RGB48LE)
    /// Packed RGBA with 16 bits per channel, little-endian.
    static let rgba64 = PixelFormat(AV_PIX_FMT_RGBA64LE)
    /// Full-range YUV of JPEG, with chroma at full resolution.
    static let yuvj444p = PixelFormat(AV_PIX_FMT_YUVJ444P)
    /// Full-range YUV of JPEG, with chroma at half the horizontal resolution.
    static let yuvj422p = PixelFormat(AV_PIX_FMT_YUVJ422P)
    /// Full-range YUV of JPEG, with chroma at half the resolution.
    static let yuvj420p = PixelFormat(AV_PIX_FMT_YUVJ420P)

    private var descriptor: AVPixFmtDescriptor { av_pix_fmt_desc_get(format)?.pointee ?? AVPixFmtDescriptor() }

    /// FFmpeg's name.
    package var description: String { av_get_pix_fmt_name(format).map { String(cString: $0) } ?? "none" }
    /// The number of pixel columns per chroma sample, of which widths must be a multiple.
    package var horizontalStep: Int { 1 << Int(descriptor.log2_chroma_w) }
    /// The number of pixel rows per chroma sample, of which heights must be a multiple.
    package var verticalStep: Int { 1 << Int(descriptor.log2_chroma_h) }
    /// True if the format has an alpha channel.
    package var hasAlpha: Bool { descriptor.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0 }
    /// True if the format stores red, green and blue instead of luma and chroma.
    package var isRGB: Bool { descriptor.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0 }
    /// True if the format has no chroma; it may have alpha.
    package var isGray: Bool { descriptor.nb_components <= 2 && !isRGB && !isPaletted }
    /// The bits of the first component.
    package var depth: Int { Int(descriptor.comp.0.depth) }
    /// True if the format implies full range: RGB and JPEG's YUV formats.
    package var isFullRange: Bool { description.hasPrefix("yuvj") || isRGB }
    /// True if the format stores indices into a palette.
    package var isPaletted: Bool { descriptor.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0 }
    /// True if swscale can convert frames to the format.
    package var isConvertible: Bool { sws_isSupportedOutput(format) != 0 && !isPaletted }
    /// True if each sample that swscale writes depends only on the pixels around it, so that parts
    /// of a frame can be converted. Formats of fewer than 8 bits are dithered by position or error
    /// diffusion, and packed YUV formats are rounded by row.
    var supportsPartialConversion: Bool {
        let isPackedSubsampled = descriptor.comp.1.plane == 0 && horizontalStep > 1
        return !isPackedSubsampled
            && withUnsafeBytes(of: descriptor.comp) { components in
                components.bindMemory(to: AVComponentDescriptor.self).prefix(Int(descriptor.nb_components))
                    .allSatisfy { $0.depth >= 8 }
            }
    }

    /// The component descriptors; empty for big-endian, bitstream, floating-point and paletted
    /// formats. Components of packed formats such as rgb565le can still share bytes.
    var components: [AVComponentDescriptor] {
        let unsupportedFlags = [
            AV_PIX_FMT_FLAG_BE, AV_PIX_FMT_FLAG_BITSTREAM, AV_PIX_FMT_FLAG_FLOAT, AV_PIX_FMT_FLAG_PAL,
        ]
        guard !unsupportedFlags.contains(where: { descriptor.flags & UInt64($0) != 0 }) else { return [] }
        return withUnsafeBytes(of: descriptor.comp) {
            Array($0.bindMemory(to: AVComponentDescriptor.self).prefix(Int(descriptor.nb_components)))
        }
    }

    /// The number of bits and bytes of a luma sample; nil if luma shares a plane with chroma, or
    /// has neither 8 bits nor 9 to 16 in little-endian words.
    package var lumaLayout: (depth: Int, bytes: Int)? {
        guard !isRGB, let luma = components.first, luma.plane == 0, luma.shift == 0, luma.offset == 0,
            luma.step == (luma.depth > 8 ? 2 : 1), (8...16).contains(luma.depth)
        else { return nil }
        return (Int(luma.depth), Int(luma.step))
    }

    /// Returns the size of a frame in bytes, without row padding.
    package func byteCount(width: Int, height: Int) -> Int {
        Int(av_image_get_buffer_size(format, Int32(width), Int32(height), 1))
    }

    /// Returns the size of a row of a plane in bytes, without padding.
    package func bytesPerRow(ofPlane plane: Int, width: Int) -> Int {
        Int(av_image_get_linesize(format, Int32(width), Int32(plane)))
    }
}

extension AVPixelFormat: @retroactive Hashable {
    /// Hashes the raw value.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
