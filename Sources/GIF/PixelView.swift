import Scene

/// A picture's pixels in memory, 32 bits each: 0xFFRRGGBB, or 0 where nothing is drawn. One bit of transparency is all that
/// GIF has.
///
/// Whoever makes one keeps the memory alive.
public struct PixelView {
    /// The upper left pixel.
    public let pixels: UnsafePointer<UInt32>
    /// Width in pixels.
    public let width: Int
    /// Height in pixels.
    public let height: Int
    /// Pixels from one row to the next.
    public let stride: Int

    /// A view of memory that holds at least `stride * height` pixels.
    public init(_ pixels: UnsafePointer<UInt32>, width: Int, height: Int, stride: Int) {
        (self.pixels, self.width, self.height, self.stride) = (pixels, width, height, stride)
    }

    /// All of it.
    var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }
}

/// Red, green and blue of a pixel as whole numbers.
@inline(__always)
func channels(_ color: UInt32) -> (red: Int, green: Int, blue: Int) {
    (Int(color >> 16 & 0xFF), Int(color >> 8 & 0xFF), Int(color & 0xFF))
}

/// The sum of the squared differences of two colours' channels.
@inline(__always)
func squaredDistance(_ first: UInt32, _ second: UInt32) -> Int {
    let (a, b) = (channels(first), channels(second))
    let (red, green, blue) = (a.red - b.red, a.green - b.green, a.blue - b.blue)
    return red * red + green * green + blue * blue
}
