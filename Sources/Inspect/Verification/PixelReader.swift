import Media

/// The bitmap of a frame: RGBA with premultiplied alpha, without row padding.
struct Pixels {
    let width: Int
    let height: Int
    var bytes: [UInt8]
}

/// A converter of decoded frames of any pixel format to RGBA: premultiplied at the reader's size,
/// or straight at full size.
final class PixelReader {
    private let width: Int
    private let height: Int
    private let scaler: FrameScaler
    private let full: (width: Int, height: Int)

    /// Creates a reader of frames of equal dimensions.
    ///
    /// - Parameters:
    ///   - width: the width of the decoded frames in pixels.
    ///   - height: the height of the decoded frames in pixels.
    ///   - maxPixels: the approximate maximum number of pixels of the results; nil keeps the
    ///     dimensions.
    init(width: Int, height: Int, maxPixels: Int? = nil) throws {
        let factor = maxPixels.map { min(1, (Double($0) / Double(max(1, width * height))).squareRoot()) } ?? 1
        self.width = max(1, Int(Double(width) * factor))
        self.height = max(1, Int(Double(height) * factor))
        full = (width, height)
        scaler = try FrameScaler(width: self.width, height: self.height)
    }

    private var isFullSize: Bool { (width, height) == full }
    private lazy var fullSizeScaler = Result { try FrameScaler(width: full.width, height: full.height) }

    /// Returns the pixels of a frame, which must have the reader's dimensions.
    func pixels(_ decoded: DecodedFrame) throws -> Pixels {
        guard decoded.hasAlpha else {
            return Pixels(width: width, height: height, bytes: Array(try scaler.rgba(decoded.frame)))
        }
        // Premultiplication keeps the colours of transparent pixels out of the means in `reduced`.
        var bytes = try straight(decoded)
        Pixels.premultiply(&bytes)
        let pixels = Pixels(width: full.width, height: full.height, bytes: bytes)
        return isFullSize ? pixels : pixels.reduced(width: width, height: height)
    }

    /// Returns the RGBA samples of a frame at full size with straight alpha.
    func straight(_ decoded: DecodedFrame) throws -> [UInt8] {
        var bytes = Array(try (isFullSize ? scaler : fullSizeScaler.get()).rgba(decoded.frame))
        if let alpha = decoded.alpha, let plane = alpha.plane(0), alpha.width == full.width,
            alpha.height == full.height
        {
            for y in 0..<full.height {
                for x in 0..<full.width { bytes[4 * (y * full.width + x) + 3] = plane.data[y * plane.stride + x] }
            }
        }
        return bytes
    }
}

extension Pixels {
    /// Calls `body` with the samples.
    func withSamples(_ body: (FrameSamples) -> Void) {
        bytes.withUnsafeBufferPointer { bytes in
            guard let first = bytes.baseAddress else { return }
            body(FrameSamples(first, width: width, height: height))
        }
    }

    /// Multiplies colours by alpha.
    static func premultiply(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBufferPointer { bytes in
            for pixel in stride(from: 0, to: bytes.count, by: 4) where bytes[pixel + 3] != 255 {
                let alpha = UInt32(bytes[pixel + 3])
                for channel in pixel..<pixel + 3 {
                    bytes[channel] = UInt8(truncatingIfNeeded: (UInt32(bytes[channel]) * alpha + 127) / 255)
                }
            }
        }
    }

    /// Returns a smaller bitmap, each pixel of which is the mean of the pixels that it covers.
    func reduced(width target: Int, height targetHeight: Int) -> Pixels {
        var result = [UInt8](repeating: 0, count: 4 * target * targetHeight)
        for y in 0..<targetHeight {
            let rows = (y * height / targetHeight)..<max((y + 1) * height / targetHeight, y * height / targetHeight + 1)
            for x in 0..<target {
                let columns = (x * width / target)..<max((x + 1) * width / target, x * width / target + 1)
                var red = 0
                var green = 0
                var blue = 0
                var alpha = 0
                for row in rows {
                    for column in columns {
                        let pixel = 4 * (row * width + column)
                        red += Int(bytes[pixel])
                        green += Int(bytes[pixel + 1])
                        blue += Int(bytes[pixel + 2])
                        alpha += Int(bytes[pixel + 3])
                    }
                }
                let count = rows.count * columns.count
                let index = 4 * (y * target + x)
                result[index] = UInt8(red / count)
                result[index + 1] = UInt8(green / count)
                result[index + 2] = UInt8(blue / count)
                result[index + 3] = UInt8(alpha / count)
            }
        }
        return Pixels(width: target, height: targetHeight, bytes: result)
    }

    /// Returns the share of the pixels that have a colour, given as four samples, apart from noise,
    /// 0...1.
    func share(of color: [UInt8]) -> Double {
        guard bytes.count >= 4, color.count == 4 else { return 0 }
        let count = stride(from: 0, to: bytes.count, by: 4).count { pixel in
            (0..<4).allSatisfy { abs(Int(bytes[pixel + $0]) - Int(color[$0])) <= 12 }
        }
        return 4 * Double(count) / Double(bytes.count)
    }

    /// True if all pixels are equal apart from noise.
    var isBlank: Bool {
        bytes.withUnsafeBufferPointer { bytes in
            guard bytes.count >= 4 else { return true }
            var low = SIMD4<UInt8>(repeating: 255)
            var high = SIMD4<UInt8>(repeating: 0)
            for pixel in Swift.stride(from: 0, to: bytes.count, by: 4) {
                let value = SIMD4(bytes[pixel], bytes[pixel + 1], bytes[pixel + 2], bytes[pixel + 3])
                low = pointwiseMin(low, value)
                high = pointwiseMax(high, value)
            }
            return (0..<4).allSatisfy { high[$0] - low[$0] <= 10 }
        }
    }
}
