import Core

/// A view of a bitmap with 32 bits per pixel: 0xFFRRGGBB, or 0 if transparent, since GIF has one
/// bit of alpha.
///
/// The memory must outlive the view.
package struct PixelView {
    /// The upper left pixel.
    package let pixels: UnsafePointer<UInt32>
    /// Width in pixels.
    package let width: Int
    /// Height in pixels.
    package let height: Int
    /// The number of pixels from one row to the next.
    package let stride: Int

    /// A view of at least `stride * height` pixels.
    package init(_ pixels: UnsafePointer<UInt32>, width: Int, height: Int, stride: Int) {
        self.pixels = pixels
        self.width = width
        self.height = height
        self.stride = stride
    }

    /// The box of all pixels.
    var bounds: PixelRect { PixelRect(x: 0, y: 0, width: width, height: height) }
}

/// Returns the channels of a pixel, 0...255.
@inline(__always)
func channels(_ color: UInt32) -> (red: Int, green: Int, blue: Int) {
    (Int(color >> 16 & 0xFF), Int(color >> 8 & 0xFF), Int(color & 0xFF))
}

/// Returns the squared Euclidean distance of two colours.
@inline(__always)
func squaredDistance(_ first: UInt32, _ second: UInt32) -> Int {
    let a = channels(first)
    let b = channels(second)
    let red = a.red - b.red
    let green = a.green - b.green
    let blue = a.blue - b.blue
    return red * red + green * green + blue * blue
}
