import CLibAV

/// How luma and chroma are made of red, green and blue.
public enum ColorMatrix: Sendable, Hashable {
    /// High definition's, and ours unless a codec knows only the other.
    case bt709
    /// Standard definition's.
    case bt601

    /// libav's name.
    var space: AVColorSpace { self == .bt709 ? AVCOL_SPC_BT709 : AVCOL_SPC_BT470BG }
}

/// Converts between the rasterizer's pixels and a codec's with swscale: limited range and matrix told explicitly.
public final class PixelConverter {
    private let context: OpaquePointer
    private let height: Int
    /// Straight pixels for a format with alpha: the rasterizer's are premultiplied.
    private let straight: VideoFrame?
    private let target: PixelFormat

    /// A converter for pictures of one size, from premultiplied BGRA to `target`.
    ///
    /// AREA with accurate rounding and full chroma input is the exact choice: chroma is the mean of the pixels it
    /// stands for, and flat colours are within one code of the rounded value.
    public init(
        width: Int, height: Int, to target: PixelFormat, matrix: ColorMatrix = .bt709
    ) throws(FFmpegError) {
        let operation = "convert \(width)x\(height) to \(target)"
        let flags = SWS_AREA | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INP
        straight = target.hasAlpha ? try VideoFrame(width: width, height: height, format: .bgra) : nil
        context = try unwrap(
            sws_getContext(
                Int32(width), Int32(height), AV_PIX_FMT_BGRA, Int32(width), Int32(height), target.format,
                flags, nil, nil, nil), operation)
        self.height = height
        self.target = target
        // Without a word from us swscale takes BT.601. Between RGB formats there is no matrix to tell.
        guard !target.isRGB else { return }
        let coefficients = sws_getCoefficients(Int32(matrix.space.rawValue))
        let range: Int32 = target.isFullRange ? 1 : 0
        try check(
            sws_setColorspaceDetails(context, coefficients, 1, coefficients, range, 0, 1 << 16, 1 << 16), operation)
    }

    deinit { sws_freeContext(context) }

    /// Converts a picture into `frame`, which must have the converter's size and format.
    public func convert(_ data: UnsafePointer<UInt8>, stride: Int, into frame: VideoFrame) throws(FFmpegError) {
        guard let straight, let plane = straight.plane(0) else { return try scale(data, stride, into: frame) }
        let width = straight.width
        for y in 0..<height {
            PixelConverter.unpremultiply(data + y * stride, into: plane.data + y * plane.stride, count: width)
        }
        try scale(plane.data, plane.stride, into: frame)
    }

    private func scale(_ data: UnsafePointer<UInt8>, _ stride: Int, into frame: VideoFrame) throws(FFmpegError) {
        let status = withUnsafePointer(to: Optional(data)) { source in
            withUnsafePointer(to: Int32(stride)) { sourceStride in
                sws_scale(
                    context, source, sourceStride, 0, Int32(height), frame.planePointers, frame.stridePointer)
            }
        }
        try check(status, "convert a picture to \(target)")
    }

    /// Divides colours by alpha, rounding to the nearest code.
    private static func unpremultiply(
        _ source: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        for pixel in stride(from: 0, to: 4 * count, by: 4) {
            let alpha = Int(source[pixel + 3])
            for channel in pixel..<pixel + 3 {
                let value = Int(source[channel])
                target[channel] = alpha == 0 ? 0 : UInt8(min(255, (value * 255 + alpha / 2) / alpha))
            }
            target[pixel + 3] = UInt8(alpha)
        }
    }
}
