import CWebP

/// A decoder of single WebP images, such as the frames of an animation, which FFmpeg supports only
/// from version 8.
package enum WebPDecoder {
    /// The properties in an image's header.
    package struct Features: Sendable, Hashable {
        /// Width in pixels.
        package let width: Int
        /// Height in pixels.
        package let height: Int
        /// True if the image has alpha.
        package let hasAlpha: Bool
        /// True if the compression is lossless; nil if unknown.
        package let isLossless: Bool?
    }

    /// Returns the properties of an image; nil if it is not WebP. 30 bytes are sufficient unless
    /// other chunks precede the pixels.
    package static func features(_ bytes: UnsafeBufferPointer<UInt8>) -> Features? {
        var found = WebPBitstreamFeatures()
        guard WebPGetFeatures(bytes.baseAddress, bytes.count, &found) == VP8_STATUS_OK else { return nil }
        return Features(
            width: Int(found.width), height: Int(found.height), hasAlpha: found.has_alpha != 0,
            isLossless: found.format == 0 ? nil : found.format == 2)
    }

    /// Decodes an image to straight RGBA without row padding. Throws an `FFmpegError` if it is
    /// damaged or has another size.
    package static func rgba(
        _ bytes: UnsafeBufferPointer<UInt8>, width: Int, height: Int
    ) throws(FFmpegError) -> [UInt8] {
        let damageError = FFmpegError(
            code: FFmpegError.invalidData, operation: "decode an image", reason: "it is damaged")
        guard let features = features(bytes), features.width == width, features.height == height else {
            throw damageError
        }
        var pixels = [UInt8](repeating: 0, count: 4 * width * height)
        let isDecoded = pixels.withUnsafeMutableBufferPointer {
            WebPDecodeRGBAInto(bytes.baseAddress, bytes.count, $0.baseAddress, $0.count, Int32(4 * width)) != nil
        }
        guard isDecoded else { throw damageError }
        return pixels
    }
}
