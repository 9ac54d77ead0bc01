import CLibAV
import Scene

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
public final class PixelConverter: PictureConverter {
    private let width: Int
    private let height: Int
    private let target: PixelFormat
    private let matrix: ColorMatrix
    private let gamut: ColorGamut
    /// Whether boxes can be converted by themselves.
    private let takesBoxes: Bool
    /// Straight pixels for a format with alpha, since the rasterizer's are premultiplied, or for another gamut.
    private let straight: VideoFrame?
    /// For formats in which clear pixels are seen beside others.
    private let spread: ColorSpread?
    private var displayP3 = DisplayP3()
    /// Where boxes are converted to before they are copied to their places.
    private var scratch: VideoFrame?
    /// One for each size of box that was converted; at most 64, and whole pictures.
    private var scalers: [PixelRect: BoxScaler] = [:]

    /// A converter for pictures of one size, from premultiplied BGRA to `target`.
    public init(
        width: Int, height: Int, to target: PixelFormat, matrix: ColorMatrix = .bt709, gamut: ColorGamut = .bt709
    ) throws(FFmpegError) {
        (self.width, self.height, self.target, self.matrix, self.gamut) = (width, height, target, matrix, gamut)
        let sharesChroma = target.horizontalStep > 1 || target.verticalStep > 1
        spread = target.hasAlpha && sharesChroma ? ColorSpread(width: width, height: height) : nil
        takesBoxes = target.isLocal && spread == nil
        let needsStraight = target.hasAlpha || gamut != .bt709
        straight = needsStraight ? try VideoFrame(width: width, height: height, format: .bgra) : nil
        // What cannot be converted is known before the first picture.
        _ = try scaler(for: all)
    }

    private var all: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }

    /// Converts those boxes of a picture in which it differs from what a frame holds. The result is the same to the byte.
    ///
    /// - Parameters:
    ///   - data: the picture's upper left pixel, in premultiplied BGRA, of the converter's size.
    ///   - stride: bytes from one row of it to the next.
    ///   - frame: where the result goes, of the converter's size and format.
    ///   - boxes: within the picture, with even edges, or such as the format's chroma has; nil converts all of it.
    public func convert(
        _ data: UnsafePointer<UInt8>, stride: Int, into frame: VideoFrame, boxes: [PixelRect]? = nil
    ) throws(FFmpegError) {
        for box in takesBoxes ? boxes ?? [all] : [all] {
            let box = rows(of: box).rounded(within: width, height)
            let source = straight?.plane(0).map { plane in
                PixelConverter.unpremultiply(data, stride, into: plane.data, plane.stride, box)
                if gamut == .p3 { convertToDisplayP3(plane.data, plane.stride, box) }
                spread?.apply(to: plane.data, stride: plane.stride)
                return (UnsafePointer(plane.data), plane.stride)
            }
            let (pixels, rowBytes) = source ?? (data, stride)
            if box == all {
                try scaler(for: box).convert(pixels, rowBytes, box, into: frame)
            } else {
                let scratch = try scratchFrame()
                try scaler(for: box).convert(pixels, rowBytes, box, into: scratch)
                frame.copy(from: scratch, to: box)
            }
        }
    }

    /// The pixels to convert for a box: whole rows for RGB, since swscale copies rows of one layout in one piece, as long as
    /// the rows are and from the box's left edge on, which would end beyond the picture.
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
        if let known = scalers[size] { return known }
        let scaler = try BoxScaler(width: box.width, height: box.height, to: target, matrix: matrix)
        scalers[size] = scaler
        return scaler
    }

    private func convertToDisplayP3(_ pixels: UnsafeMutablePointer<UInt8>, _ stride: Int, _ box: PixelRect) {
        for y in box.y..<box.maxY {
            for x in box.x..<box.maxX { displayP3.convert(pixels + y * stride + 4 * x) }
        }
    }

    /// Divides a box's colours by alpha, rounding to the nearest code.
    private static func unpremultiply(
        _ source: UnsafePointer<UInt8>, _ sourceStride: Int, into target: UnsafeMutablePointer<UInt8>,
        _ targetStride: Int, _ box: PixelRect
    ) {
        for y in box.y..<box.maxY {
            let (from, to) = (source + y * sourceStride, target + y * targetStride)
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
    /// The box grown to one of few sizes, from a thirty-second of the picture's side on in whole 16 pixels, and moved to where
    /// it fits.
    fileprivate func rounded(within width: Int, _ height: Int) -> PixelRect {
        func span(_ start: Int, _ length: Int, _ limit: Int) -> (start: Int, length: Int) {
            let eighth = (limit + 127) / 128 * 16
            func part(_ share: Int) -> Int { (eighth / share + 15) / 16 * 16 }
            let lengths = [part(4), part(2), eighth, 2 * eighth, 3 * eighth, 4 * eighth, 6 * eighth]
            let rounded = min(limit, lengths.first { $0 >= length } ?? limit)
            return (min(start, limit - rounded), rounded)
        }
        let (columns, rows) = (span(x, self.width, width), span(y, self.height, height))
        return PixelRect(x: columns.start, y: rows.start, width: columns.length, height: rows.length)
    }
}
