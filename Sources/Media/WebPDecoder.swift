import CWebP

/// Decodes single WebP pictures, as animations have them one after the other. FFmpeg before 8 does not know animations.
public enum WebPDecoder {
    /// What a picture's first bytes say of it.
    public struct Features: Sendable, Hashable {
        /// Width in pixels.
        public let width: Int
        /// Height in pixels.
        public let height: Int
        /// Whether it has transparency.
        public let hasAlpha: Bool
        /// Whether decoding gives back the very pixels that were encoded; nil if it is not known.
        public let isLossless: Bool?
    }

    /// What a picture says of itself; nil if it is none. Thirty bytes are enough unless there are chunks before the pixels.
    public static func features(_ bytes: UnsafeBufferPointer<UInt8>) -> Features? {
        var found = WebPBitstreamFeatures()
        guard WebPGetFeatures(bytes.baseAddress, bytes.count, &found) == VP8_STATUS_OK else { return nil }
        return Features(
            width: Int(found.width), height: Int(found.height), hasAlpha: found.has_alpha != 0,
            isLossless: found.format == 0 ? nil : found.format == 2)
    }

    /// A picture as straight RGBA, rows without padding. Throws if it is damaged, or not of this size.
    public static func rgba(
        _ bytes: UnsafeBufferPointer<UInt8>, width: Int, height: Int
    ) throws(FFmpegError) -> [UInt8] {
        guard let features = features(bytes), features.width == width, features.height == height else {
            throw FFmpegError(code: FFmpegError.invalidData, operation: "decode a picture", reason: "it is damaged")
        }
        var pixels = [UInt8](repeating: 0, count: 4 * width * height)
        let isDecoded = pixels.withUnsafeMutableBufferPointer {
            WebPDecodeRGBAInto(bytes.baseAddress, bytes.count, $0.baseAddress, $0.count, Int32(4 * width)) != nil
        }
        guard isDecoded else {
            throw FFmpegError(code: FFmpegError.invalidData, operation: "decode a picture", reason: "it is damaged")
        }
        return pixels
    }
}
