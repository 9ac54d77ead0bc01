import CCairo
import Core
import Raster

/// A copy of a bitmap in premultiplied BGRA.
package struct PixelGrid: Sendable, Equatable, CustomStringConvertible {
    /// The premultiplied channels of a pixel, 0...255.
    package struct Pixel: Sendable, Hashable {
        package var red: Int, green: Int, blue: Int, alpha: Int

        package init(_ red: Int, _ green: Int, _ blue: Int, _ alpha: Int = 255) {
            self.red = red
            self.green = green
            self.blue = blue
            self.alpha = alpha
        }

        /// Returns the maximum difference of any channel.
        package func distance(to other: Pixel) -> Int {
            max(abs(red - other.red), abs(green - other.green), abs(blue - other.blue), abs(alpha - other.alpha))
        }
    }

    package let width: Int
    package let height: Int
    package var pixels: [UInt8]

    /// A short description for the messages of failed tests.
    package var description: String { "a bitmap of \(width)x\(height) pixels" }

    /// A transparent bitmap.
    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
        pixels = Array(repeating: 0, count: 4 * width * height)
    }

    /// A copy of a pixmap.
    package init(_ pixmap: Pixmap) {
        self.init(width: pixmap.width, height: pixmap.height, rows: pixmap.data, stride: pixmap.stride)
    }

    private init(width: Int, height: Int, rows: UnsafeMutablePointer<UInt8>, stride: Int) {
        self.init(width: width, height: height)
        pixels.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            for y in 0..<height { (base + 4 * width * y).copyMemory(from: rows + y * stride, byteCount: 4 * width) }
        }
    }

    /// A rendered scene.
    package init(of scene: Scene, width: Int, height: Int) throws(RasterError) {
        let rasterizer = try Rasterizer(width: width, height: height)
        try rasterizer.draw(scene)
        self.init(rasterizer.pixmap)
    }

    /// A PNG file, decoded by Cairo; nil if it is invalid.
    package init?(png: [UInt8]) {
        final class Reader {
            var remaining: ArraySlice<UInt8>
            init(_ bytes: [UInt8]) { remaining = bytes[...] }
        }
        let reader = Reader(png)
        let stream = Unmanaged.passUnretained(reader).toOpaque()
        let opened = withExtendedLifetime(reader) {
            cairo_image_surface_create_from_png_stream(
                { closure, data, length in
                    guard let closure, let data else { return CAIRO_STATUS_READ_ERROR }
                    let reader = Unmanaged<Reader>.fromOpaque(closure).takeUnretainedValue()
                    guard reader.remaining.count >= Int(length) else { return CAIRO_STATUS_READ_ERROR }
                    for (index, byte) in reader.remaining.prefix(Int(length)).enumerated() { data[index] = byte }
                    reader.remaining = reader.remaining.dropFirst(Int(length))
                    return CAIRO_STATUS_SUCCESS
                }, stream)
        }
        guard let surface = opened else { return nil }
        defer { cairo_surface_destroy(surface) }
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let data = cairo_image_surface_get_data(surface)
        else { return nil }
        self.init(
            width: Int(cairo_image_surface_get_width(surface)), height: Int(cairo_image_surface_get_height(surface)),
            rows: data, stride: Int(cairo_image_surface_get_stride(surface)))
        // Cairo reads a PNG without alpha as RGB24, whose fourth byte is undefined.
        if cairo_image_surface_get_format(surface) == CAIRO_FORMAT_RGB24 {
            for index in stride(from: 3, to: pixels.count, by: 4) { pixels[index] = 255 }
        }
    }

    /// The pixel at a position.
    package subscript(x: Int, y: Int) -> Pixel {
        get {
            let index = 4 * (y * width + x)
            return Pixel(
                Int(pixels[index + 2]), Int(pixels[index + 1]), Int(pixels[index]), Int(pixels[index + 3]))
        }
        set {
            let index = 4 * (y * width + x)
            pixels[index] = UInt8(newValue.blue)
            pixels[index + 1] = UInt8(newValue.green)
            pixels[index + 2] = UInt8(newValue.red)
            pixels[index + 3] = UInt8(newValue.alpha)
        }
    }
}
