import CCairo
import Raster
import Scene

/// The pixels of a drawing, copied for a test to look at: premultiplied BGRA.
public struct PixelGrid: Sendable, Equatable, CustomStringConvertible {
    /// One pixel's channels, 0...255, premultiplied.
    public struct Pixel: Sendable, Hashable {
        public var red: Int, green: Int, blue: Int, alpha: Int

        public init(_ red: Int, _ green: Int, _ blue: Int, _ alpha: Int = 255) {
            (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
        }

        /// The largest difference of any channel.
        public func distance(to other: Pixel) -> Int {
            max(abs(red - other.red), abs(green - other.green), abs(blue - other.blue), abs(alpha - other.alpha))
        }
    }

    public let width: Int
    public let height: Int
    public var pixels: [UInt8]

    /// Short, for a failed test's message.
    public var description: String { "a picture of \(width)x\(height) pixels" }

    /// An empty, transparent picture.
    public init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        pixels = Array(repeating: 0, count: 4 * width * height)
    }

    /// A copy of a pixmap.
    public init(_ pixmap: Pixmap) {
        self.init(width: pixmap.width, height: pixmap.height, rows: pixmap.data, stride: pixmap.stride)
    }

    private init(width: Int, height: Int, rows: UnsafeMutablePointer<UInt8>, stride: Int) {
        self.init(width: width, height: height)
        pixels.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            for y in 0..<height { (base + 4 * width * y).copyMemory(from: rows + y * stride, byteCount: 4 * width) }
        }
    }

    /// A drawing of a scene.
    public init(of scene: Scene, width: Int, height: Int) throws(RasterError) {
        let rasterizer = try Rasterizer(width: width, height: height)
        try rasterizer.draw(scene)
        self.init(rasterizer.pixmap)
    }

    /// What Cairo reads from a PNG file's bytes; nil if it cannot.
    public init?(png: [UInt8]) {
        final class Reader {
            var rest: ArraySlice<UInt8>
            init(_ bytes: [UInt8]) { rest = bytes[...] }
        }
        let reader = Reader(png)
        let stream = Unmanaged.passUnretained(reader).toOpaque()
        let opened = withExtendedLifetime(reader) {
            cairo_image_surface_create_from_png_stream(
                { closure, data, length in
                    guard let closure, let data else { return CAIRO_STATUS_READ_ERROR }
                    let reader = Unmanaged<Reader>.fromOpaque(closure).takeUnretainedValue()
                    guard reader.rest.count >= Int(length) else { return CAIRO_STATUS_READ_ERROR }
                    for (index, byte) in reader.rest.prefix(Int(length)).enumerated() { data[index] = byte }
                    reader.rest = reader.rest.dropFirst(Int(length))
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
        // A PNG without alpha is read as RGB24, whose fourth byte means nothing.
        if cairo_image_surface_get_format(surface) == CAIRO_FORMAT_RGB24 {
            for index in stride(from: 3, to: pixels.count, by: 4) { pixels[index] = 255 }
        }
    }

    /// One pixel.
    public subscript(x: Int, y: Int) -> Pixel {
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
