import Core

/// A converter from the rasterizer's pixels to an encoder's frames. Not thread-safe.
package protocol FrameConverter: AnyObject {
    /// Converts the changed boxes of a bitmap into a frame. The result has the same bytes as a
    /// conversion of the whole bitmap.
    ///
    /// - Parameters:
    ///   - data: the upper left pixel of a bitmap in premultiplied BGRA, of the encoder's size.
    ///   - stride: the bytes from one row to the next.
    ///   - frame: the destination, of the encoder's size and format.
    ///   - boxes: the boxes in which the bitmap differs from the frame, with even edges or edges
    ///     between chroma samples; nil for the whole bitmap.
    func convert(
        _ data: UnsafePointer<UInt8>, stride: Int, into frame: VideoFrame, boxes: [PixelRect]?
    ) throws(FFmpegError)
}

extension EncoderSettings {
    /// Returns true if the encoder can use the converted frames of another one.
    package func acceptsFrames(of other: EncoderSettings) -> Bool {
        width == other.width && height == other.height && pixelFormat == other.pixelFormat && matrix == other.matrix
            && gamut == other.gamut && hasFullRange == other.hasFullRange
            && traits.needsColorHistogram == other.traits.needsColorHistogram
            && traits.takesBitmaps == other.traits.takesBitmaps && indexing.matte == other.indexing.matte
    }

    /// Returns a converter to the encoder's pixel format. Throws an `FFmpegError` if swscale does
    /// not support it.
    package func makeConverter() throws(FFmpegError) -> any FrameConverter {
        if traits.needsColorHistogram { return OneBitConverter(width: width, height: height, matte: indexing.matte) }
        if traits.takesBitmaps { return BitmapCopier(width: width, height: height) }
        return try PixelConverter(
            width: width, height: height, to: pixelFormat, matrix: matrix, gamut: gamut, isFullRange: hasFullRange)
    }
}

/// A copier of the rasterizer's pixels, for encoders that take them as drawn. Not thread-safe.
final class BitmapCopier: FrameConverter {
    private let bounds: PixelRect

    init(width: Int, height: Int) { bounds = PixelRect(x: 0, y: 0, width: width, height: height) }

    func convert(
        _ data: UnsafePointer<UInt8>, stride: Int, into frame: VideoFrame, boxes: [PixelRect]?
    ) throws(FFmpegError) {
        guard let target = frame.plane(0) else { return }
        for box in boxes ?? [bounds] {
            for y in box.y..<box.maxY {
                let offset = 4 * box.x
                (target.data + y * target.stride + offset)
                    .update(from: data + y * stride + offset, count: 4 * box.width)
            }
        }
    }
}
