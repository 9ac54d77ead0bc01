import Core
import Media
import Raster

extension Pixmap {
    /// Returns the bitmap as a PNG file. The output is deterministic.
    ///
    /// - Parameter keepsAlpha: true to write RGBA even if all pixels are opaque. Cairo then writes
    ///   RGB, and programs that import a sequence take the format of its first file for all.
    func png(keepsAlpha: Bool) throws(FFmpegError) -> [UInt8] {
        guard keepsAlpha, isOpaque else {
            do throws(RasterError) { return try png() } catch { throw FFmpegError(error) }
        }
        let settings = EncoderSettings(
            encoder: "png", width: width, height: height, pixelFormat: .rgba, frameRate: .standard,
            keyFrameInterval: 1, threads: 1, options: [:], usesGlobalHeader: false)
        let frame = try VideoFrame(width: width, height: height, format: .rgba)
        try settings.makeConverter().convert(data, stride: stride, into: frame, boxes: nil)
        let encoder = try settings.makeEncoder()
        let packets = try encoder.encode(frame, pts: 0) + encoder.finish()
        return PNGFile.withoutAncillaryChunks(packets.flatMap { Array($0.bytes) })
    }
}

extension FFmpegError {
    /// The error of writing a PNG file with Cairo.
    init(_ error: RasterError) {
        self.init(
            code: error.isOutOfMemory ? -ENOMEM : FFmpegError.invalidData, operation: "write a PNG file",
            reason: error.description)
    }
}
