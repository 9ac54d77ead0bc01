import CLibAV

/// A pixel format by FFmpeg's name, such as `yuv420p`.
public struct PixelFormat: Sendable, Hashable, CustomStringConvertible {
    let format: AVPixelFormat

    init(_ format: AVPixelFormat) { self.format = format }

    /// The format with this name, if FFmpeg has it and it lies in main memory.
    public init?(name: String) {
        format = av_get_pix_fmt(name)
        guard let descriptor = av_pix_fmt_desc_get(format),
            descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_HWACCEL) == 0
        else { return nil }
    }

    /// The commonest format of video: 8 bits, chroma at half resolution.
    public static let yuv420p = PixelFormat(AV_PIX_FMT_YUV420P)
    /// The same with alpha.
    static let yuva420p = PixelFormat(AV_PIX_FMT_YUVA420P)
    /// The rasterizer's: 8 bits a channel, blue first.
    public static let bgra = PixelFormat(AV_PIX_FMT_BGRA)
    /// Red, green and blue, 8 bits a channel.
    static let rgb24 = PixelFormat(AV_PIX_FMT_RGB24)
    /// Red first, 8 bits a channel.
    public static let rgba = PixelFormat(AV_PIX_FMT_RGBA)

    private var descriptor: AVPixFmtDescriptor { av_pix_fmt_desc_get(format)?.pointee ?? AVPixFmtDescriptor() }

    /// FFmpeg's name.
    public var description: String { av_get_pix_fmt_name(format).map { String(cString: $0) } ?? "none" }
    /// Widths must be a multiple of this, so that chroma has whole samples.
    public var horizontalStep: Int { 1 << Int(descriptor.log2_chroma_w) }
    /// Heights must be a multiple of this, so that chroma has whole samples.
    public var verticalStep: Int { 1 << Int(descriptor.log2_chroma_h) }
    /// Whether it can hold transparency.
    public var hasAlpha: Bool { descriptor.flags & UInt64(AV_PIX_FMT_FLAG_ALPHA) != 0 }
    /// Whether it holds red, green and blue rather than luma and chroma.
    public var isRGB: Bool { descriptor.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0 }
    /// Whether it holds nothing but luma.
    public var isGray: Bool { descriptor.nb_components <= 2 && !isRGB && !isPaletted }
    /// Bits of its first component.
    public var depth: Int { Int(descriptor.comp.0.depth) }
    /// Whether its name says full range, as JPEG's do.
    public var isFullRange: Bool { description.hasPrefix("yuvj") || isRGB }
    /// Whether its colours come from a palette, which takes more than conversion to make.
    public var isPaletted: Bool { descriptor.flags & UInt64(AV_PIX_FMT_FLAG_PAL) != 0 }
    /// Whether pictures can be converted into it.
    public var isConvertible: Bool { sws_isSupportedOutput(format) != 0 && !isPaletted }
    /// Whether swscale makes each sample of the pixels around it alone. Fewer than 8 bits are dithered, by position or by
    /// what is left of other pixels, and formats that pack chroma between luma are rounded by the row.
    var isLocal: Bool {
        let isPacked = descriptor.comp.1.plane == 0 && horizontalStep > 1
        return !isPacked
            && withUnsafeBytes(of: descriptor.comp) { components in
                components.bindMemory(to: AVComponentDescriptor.self).prefix(Int(descriptor.nb_components))
                    .allSatisfy { $0.depth >= 8 }
            }
    }

    /// Where the samples of each component lie, if they are whole numbers in whole bytes, low byte first; empty if not.
    var components: [AVComponentDescriptor] {
        let others = [AV_PIX_FMT_FLAG_BE, AV_PIX_FMT_FLAG_BITSTREAM, AV_PIX_FMT_FLAG_FLOAT, AV_PIX_FMT_FLAG_PAL]
        guard !others.contains(where: { descriptor.flags & UInt64($0) != 0 }) else { return [] }
        return withUnsafeBytes(of: descriptor.comp) {
            Array($0.bindMemory(to: AVComponentDescriptor.self).prefix(Int(descriptor.nb_components)))
        }
    }

    /// Bytes that a picture takes, without padding.
    public func byteCount(width: Int, height: Int) -> Int {
        Int(av_image_get_buffer_size(format, Int32(width), Int32(height), 1))
    }

    /// Bytes that a row of a plane takes, without padding.
    public func bytesPerRow(ofPlane plane: Int, width: Int) -> Int {
        Int(av_image_get_linesize(format, Int32(width), Int32(plane)))
    }
}

extension AVPixelFormat: @retroactive Hashable {
    /// By its number.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
