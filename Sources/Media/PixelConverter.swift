import CLibAV
import Core

/// A matrix that converts RGB to luma and chroma.
package enum ColorMatrix: Sendable, Hashable {
    /// BT.709, for high definition. Used by all codecs that can signal it.
    case bt709
    /// BT.601, for standard definition.
    case bt601

    /// The matrix in libav.
    var space: AVColorSpace { self == .bt709 ? AVCOL_SPC_BT709 : AVCOL_SPC_BT470BG }
}

/// A converter from the rasterizer's pixels to a codec's pixel format with swscale, with an
/// explicit matrix and range.
package final class PixelConverter: FrameConverter {
    private let width: Int
    private let height: Int
    private let target: PixelFormat
    private let matrix: ColorMatrix
    private let gamut: ColorGamut
    private let isFullRange: Bool
    /// True if parts of a frame can be converted.
    private let convertsBoxes: Bool
    /// A buffer of straight pixels, for formats with alpha or another gamut; nil if not required.
    private let straightFrame: VideoFrame?
    /// The dilation for formats in which transparent pixels share chroma with visible ones; nil if
    /// not required.
    private let dilation: EdgeColorDilation?
    private var displayP3 = DisplayP3()
    /// The converter for all boxes; nil for formats that only swscale knows.
    private let own: YUV420Converter?
    /// The buffer for a converted box before it is copied to its position.
    private var scratch: VideoFrame?
    /// The scalers by size. `PixelRect.rounded` limits their number to 64 and one for the whole
    /// frame.
    private var scalers: [PixelRect: BoxScaler] = [:]

    /// A converter for bitmaps of one size, from premultiplied BGRA to `target`. Throws an
    /// `FFmpegError` if swscale does not support the format.
    ///
    /// - Parameter isFullRange: true for full range even if the format does not imply it.
    package init(
        width: Int, height: Int, to target: PixelFormat, matrix: ColorMatrix = .bt709, gamut: ColorGamut = .bt709,
        isFullRange: Bool = false
    ) throws(FFmpegError) {
        self.width = width
        self.height = height
        self.target = target
        self.matrix = matrix
        self.gamut = gamut
        self.isFullRange = isFullRange
        let hasSubsampledChroma = target.horizontalStep > 1 || target.verticalStep > 1
        dilation = target.hasAlpha && hasSubsampledChroma ? EdgeColorDilation(width: width, height: height) : nil
        convertsBoxes = target.supportsPartialConversion && dilation == nil
        let needsStraight = target.hasAlpha || gamut != .bt709
        straightFrame = needsStraight ? try VideoFrame(width: width, height: height, format: .bgra) : nil
        let isEven = width.isMultiple(of: 2) && height.isMultiple(of: 2)
        // swscale interpolates a chroma plane of a single sample differently.
        own = target == .yuv420p && isEven && min(width, height) > 2 ? YUV420Converter.matching(matrix) : nil
        // Reports unsupported conversions before the first frame.
        if own == nil { _ = try scaler(for: bounds) }
    }

    private var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

    /// Converts the changed boxes of a bitmap into a frame. The result has the same bytes as a
    /// conversion of the whole bitmap.
    ///
    /// - Parameters:
    ///   - data: the upper left pixel of a bitmap in premultiplied BGRA, of the converter's size.
    ///   - stride: the bytes from one row to the next.
    ///   - frame: the destination, of the converter's size and format.
    ///   - boxes: the boxes in which the bitmap differs from the frame, with even edges or edges
    ///     between chroma samples; nil for the whole bitmap.
    package func convert(
        _ data: UnsafePointer<UInt8>, stride: Int, into frame: VideoFrame, boxes: [PixelRect]? = nil
    ) throws(FFmpegError) {
        for box in convertsBoxes ? boxes ?? [bounds] : [bounds] {
            let box = own == nil ? rows(of: box).rounded(within: width, height) : box
            let source = straightFrame?.plane(0).map { plane in
                PixelConverter.unpremultiply(data, stride, into: plane.data, plane.stride, box)
                if gamut == .p3 { convertToDisplayP3(plane.data, plane.stride, box) }
                dilation?.apply(to: plane.data, stride: plane.stride)
                return (UnsafePointer(plane.data), plane.stride)
            }
            let (pixels, rowBytes) = source ?? (data, stride)
            if let own {
                own.convert(pixels, rowBytes, box, into: frame)
            } else if target.isWideRGB, let plane = frame.plane(0) {
                PixelConverter.widen(pixels, rowBytes, into: plane, box, channels: target.hasAlpha ? 4 : 3)
            } else if box == bounds {
                try scaler(for: box).convert(pixels, rowBytes, box, into: frame)
            } else {
                let scratch = try scratchFrame()
                try scaler(for: box).convert(pixels, rowBytes, box, into: scratch)
                frame.copy(from: scratch, to: box)
            }
        }
    }

    /// Returns the pixels to convert for a box: whole rows for RGB. If source and target have the
    /// same layout, swscale copies a full stride per row, starting at the box's left edge, and
    /// would read past the end of the bitmap.
    private func rows(of box: PixelRect) -> PixelRect {
        target.isRGB ? PixelRect(x: 0, y: box.y, width: width, height: box.height) : box
    }

    private func scratchFrame() throws(FFmpegError) -> VideoFrame {
        if let scratch { return scratch }
        let frame = try VideoFrame(width: width, height: height, format: target)
        scratch = frame
        return frame
    }

    private func scaler(for box: PixelRect) throws(FFmpegError) -> BoxScaler {
        let size = PixelRect(x: 0, y: 0, width: box.width, height: box.height)
        if let cached = scalers[size] { return cached }
        let scaler = try BoxScaler(
            width: box.width, height: box.height, to: target, matrix: matrix, isFullRange: isFullRange)
        scalers[size] = scaler
        return scaler
    }

    private func convertToDisplayP3(_ pixels: UnsafeMutablePointer<UInt8>, _ stride: Int, _ box: PixelRect) {
        for y in box.y..<box.maxY {
            for x in box.x..<box.maxX { displayP3.convert(pixels + y * stride + 4 * x) }
        }
    }

    /// Divides the colours in a box by alpha, rounded to the nearest code.
    private static func unpremultiply(
        _ source: UnsafePointer<UInt8>, _ sourceStride: Int, into target: UnsafeMutablePointer<UInt8>,
        _ targetStride: Int, _ box: PixelRect
    ) {
        for y in box.y..<box.maxY {
            let from = source + y * sourceStride
            let to = target + y * targetStride
            for pixel in stride(from: 4 * box.x, to: 4 * box.maxX, by: 4) {
                let alpha = Int(from[pixel + 3])
                for channel in pixel..<pixel + 3 {
                    let value = Int(from[channel])
                    to[channel] = alpha == 0 ? 0 : UInt8(min(255, (value * 255 + alpha / 2) / alpha))
                }
                to[pixel + 3] = UInt8(alpha)
            }
        }
    }
}

extension PixelRect {
    /// Returns the box enlarged to one of eight widths and eight heights, and moved so that it lies
    /// within the frame. The sizes are multiples of 16 pixels, from a thirty-second of the frame's
    /// side. Few sizes need few swscale contexts.
    fileprivate func rounded(within width: Int, _ height: Int) -> PixelRect {
        func span(_ start: Int, _ length: Int, _ limit: Int) -> (start: Int, length: Int) {
            let eighth = (limit + 127) / 128 * 16
            func fraction(_ divisor: Int) -> Int { (eighth / divisor + 15) / 16 * 16 }
            let lengths = [fraction(4), fraction(2), eighth, 2 * eighth, 3 * eighth, 4 * eighth, 6 * eighth]
            let rounded = min(limit, lengths.first { $0 >= length } ?? limit)
            return (min(start, limit - rounded), rounded)
        }
        let columns = span(x, self.width, width)
        let rows = span(y, self.height, height)
        return PixelRect(x: columns.start, y: rows.start, width: columns.length, height: rows.length)
    }
}
