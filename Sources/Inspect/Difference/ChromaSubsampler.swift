import Media
import Render

/// A subsampler that gives opaque pixels the chroma resolution of another frame's format. Reusable
/// for frames of one size; not thread-safe.
///
/// Subsampled chroma changes small bright objects before a dark background by up to 23 codes in the
/// mean of 8x8 pixels, which is not a fault of the encoder.
final class ChromaSubsampler {
    private let reader: PixelReader
    private let converter: PixelConverter
    private let frame: VideoFrame

    /// Creates a subsampler to the format and the matrix of `model`. Returns nil if it has alpha,
    /// full chroma, or a format or matrix that cannot be written.
    init?(like model: VideoFrame, width: Int, height: Int) {
        let format = model.format
        guard format.hasSubsampledChroma, !format.hasAlpha, format.isConvertible,
            let matrix = ColorMatrix(tag: model.colorTags.matrix),
            let frame = try? VideoFrame(width: width, height: height, format: format),
            let reader = try? PixelReader(width: width, height: height),
            let converter = try? PixelConverter(
                width: width, height: height, to: format, matrix: matrix, isFullRange: model.isFullRange)
        else { return nil }
        frame.copyColorTags(from: model)
        self.reader = reader
        self.converter = converter
        self.frame = frame
    }

    /// Returns opaque pixels as the format stores them.
    func subsampled(_ pixels: Pixels) throws -> Pixels {
        var bytes = pixels.bytes
        for red in stride(from: 0, to: bytes.count, by: 4) { bytes.swapAt(red, red + 2) }
        try bytes.withUnsafeMutableBufferPointer { bytes in
            guard let data = bytes.baseAddress else { return }
            try converter.convert(data, stride: 4 * pixels.width, into: frame, boxes: nil)
        }
        return try reader.pixels(DecodedFrame(frame: frame, alpha: nil, time: nil, duration: 0, isKey: true))
    }
}

extension PixelFormat {
    /// True if several pixels share a sample of chroma.
    var hasSubsampledChroma: Bool { !isRGB && (horizontalStep > 1 || verticalStep > 1) }
}
