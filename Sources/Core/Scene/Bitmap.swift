/// An immutable bitmap: premultiplied BGRA, 8 bits per channel, rows without padding.
public final class Bitmap: Sendable, Equatable {
    /// Width in pixels.
    public let width: Int
    /// Height in pixels.
    public let height: Int
    /// `4 * width * height` bytes: blue, green, red, alpha.
    public let pixels: [UInt8]

    /// Returns nil if a side is below 1 or the number of bytes is not `4 * width * height`.
    public init?(width: Int, height: Int, pixels: [UInt8]) {
        guard width > 0, height > 0, pixels.count == 4 * width * height else { return nil }
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    /// Compares two bitmaps pixel by pixel.
    public static func == (a: Bitmap, b: Bitmap) -> Bool {
        a === b || (a.width == b.width && a.height == b.height && a.pixels == b.pixels)
    }
}
