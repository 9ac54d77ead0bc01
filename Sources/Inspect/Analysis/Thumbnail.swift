import Animations
import Media
import Core
import Render
import Raster

/// A small RGB bitmap of a frame, to compare with others of the same size.
struct Thumbnail {
    let width: Int
    let height: Int
    /// Three bytes per pixel.
    let pixels: [UInt8]

    /// Creates a thumbnail from four bytes per pixel, in RGBA or BGRA order.
    init(width: Int, height: Int, rgba: UnsafePointer<UInt8>, stride: Int, isBlueFirst: Bool) {
        var pixels = [UInt8](repeating: 0, count: 3 * width * height)
        for y in 0..<height {
            for x in 0..<width {
                let source = rgba + y * stride + 4 * x
                let target = 3 * (y * width + x)
                pixels[target] = source[isBlueFirst ? 2 : 0]
                pixels[target + 1] = source[1]
                pixels[target + 2] = source[isBlueFirst ? 0 : 2]
            }
        }
        self.width = width
        self.height = height
        self.pixels = pixels
    }

    init(_ pixmap: Pixmap) {
        self.init(
            width: pixmap.width, height: pixmap.height, rgba: pixmap.data, stride: pixmap.stride, isBlueFirst: true)
    }

    /// Returns a loader's frame at a time, on a background.
    static func drawn(
        _ loader: any Loader, at time: Rational, on background: Color, with rasterizer: Rasterizer
    ) throws -> Thumbnail {
        var scene = loader.scene(at: time)
        scene.background = background
        try rasterizer.draw(scene)
        return Thumbnail(rasterizer.pixmap)
    }

    /// The mean of the pixels that have the most frequent colour of the border.
    var rimColor: Color {
        var counts: [Int: Int] = [:]
        for y in 0..<height {
            for x in 0..<width where x == 0 || y == 0 || x == width - 1 || y == height - 1 {
                counts[coarseColor(at: 3 * (y * width + x)), default: 0] += 1
            }
        }
        let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0xFFF
        var sum = [0, 0, 0]
        var count = 0
        for index in Swift.stride(from: 0, to: pixels.count, by: 3) {
            guard coarseColor(at: index) == most else { continue }
            for channel in 0..<3 { sum[channel] += Int(pixels[index + channel]) }
            count += 1
        }
        let mean = sum.map { Int((Double($0) / Double(max(1, count))).rounded()) }
        return Color(mean[0], mean[1], mean[2])
    }

    /// Returns the colour of a pixel with 4 bits per component, so that encoding errors do not
    /// matter.
    private func coarseColor(at index: Int) -> Int {
        (0..<3).reduce(0) { $0 << 4 | Int(pixels[index + $1]) >> 4 }
    }

    /// Returns the bounding box of the pixels that differ from a background; nil if there are none.
    func content(on background: Color) -> PixelRect? {
        let parts = [background.red, background.green, background.blue].map { Int(($0 * 255).rounded()) }
        var box: PixelRect?
        for y in 0..<height {
            for x in 0..<width {
                let index = 3 * (y * width + x)
                let isOther = (0..<3).contains { abs(Int(pixels[index + $0]) - parts[$0]) > 40 }
                guard isOther else { continue }
                let pixel = PixelRect(x: x, y: y, width: 1, height: 1)
                box = box?.union(pixel) ?? pixel
            }
        }
        return box
    }

    /// Returns a square of `side` × `side` RGB samples of a box.
    func samples(of box: Rect, side: Int) -> [Float] {
        var result: [Float] = []
        result.reserveCapacity(3 * side * side)
        for row in 0..<side {
            for column in 0..<side {
                let x = box.x + (Double(column) + 0.5) / Double(side) * box.width - 0.5
                let y = box.y + (Double(row) + 0.5) / Double(side) * box.height - 0.5
                for channel in 0..<3 { result.append(value(x, y, channel)) }
            }
        }
        return result
    }

    private func value(_ x: Double, _ y: Double, _ channel: Int) -> Float {
        let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        let (u, v) = (Float(x - Double(left)), Float(y - Double(top)))
        func at(_ x: Int, _ y: Int) -> Float {
            Float(pixels[3 * (min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)) + channel])
        }
        let upper = at(left, top) * (1 - u) + at(left + 1, top) * u
        return upper * (1 - v) + (at(left, top + 1) * (1 - u) + at(left + 1, top + 1) * u) * v
    }
}

extension [Thumbnail] {
    /// Returns the bounding box of the pixels that differ from a background in any of the
    /// thumbnails; nil if there are none.
    func content(on background: Color) -> PixelRect? {
        compactMap { $0.content(on: background) }.reduce(nil) { $0?.union($1) ?? $1 }
    }
}

/// Returns the sum of the squared differences of two lists.
func squaredDifference(_ a: [Float], _ b: [Float]) -> Double {
    var sum: Float = 0
    for index in a.indices {
        let difference = a[index] - b[index]
        sum += difference * difference
    }
    return Double(sum)
}
