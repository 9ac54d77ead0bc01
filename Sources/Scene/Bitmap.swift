/// An immutable picture in memory: premultiplied BGRA, 8 bits a channel, rows without padding.
public final class Bitmap: Sendable, Equatable {
    /// Width in pixels.
    public let width: Int
    /// Height in pixels.
    public let height: Int
    /// `4 * width * height` bytes: blue, green, red, alpha.
    public let pixels: [UInt8]

    /// Wraps pixels; nil unless the count is exactly `4 * width * height` and both sides are at least 1.
    public init?(width: Int, height: Int, pixels: [UInt8]) {
        guard width > 0, height > 0, pixels.count == 4 * width * height else { return nil }
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    /// Whether two pictures are the same, pixel for pixel.
    public static func == (a: Bitmap, b: Bitmap) -> Bool {
        a === b || (a.width == b.width && a.height == b.height && a.pixels == b.pixels)
    }
}
