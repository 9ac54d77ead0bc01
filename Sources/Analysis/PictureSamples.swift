import Loaders
import Media
import Motion
import Pipeline
import Raster
import Scene

/// A small picture in red, green and blue, to be compared with others of its size.
struct SmallPicture {
    let width: Int
    let height: Int
    /// Three bytes a pixel.
    let pixels: [UInt8]

    /// From four bytes a pixel, red first or blue first.
    init(width: Int, height: Int, rgba: UnsafePointer<UInt8>, stride: Int, isBlueFirst: Bool) {
        var pixels = [UInt8](repeating: 0, count: 3 * width * height)
        for y in 0..<height {
            for x in 0..<width {
                let (source, target) = (rgba + y * stride + 4 * x, 3 * (y * width + x))
                pixels[target] = source[isBlueFirst ? 2 : 0]
                pixels[target + 1] = source[1]
                pixels[target + 2] = source[isBlueFirst ? 0 : 2]
            }
        }
        (self.width, self.height, self.pixels) = (width, height, pixels)
    }

    init(_ pixmap: Pixmap) {
        self.init(
            width: pixmap.width, height: pixmap.height, rgba: pixmap.data, stride: pixmap.stride, isBlueFirst: true)
    }

    /// A loader's picture at a time, on a background.
    static func drawn(
        _ loader: any Loader, at time: Rational, on background: Color, with rasterizer: Rasterizer
    ) throws -> SmallPicture {
        var scene = loader.scene(at: time)
        scene.background = background
        try rasterizer.draw(scene)
        return SmallPicture(rasterizer.pixmap)
    }

    /// The colour that most of the rim has.
    var rimColor: Color {
        var counts: [Int: Int] = [:]
        for y in 0..<height {
            for x in 0..<width where x == 0 || y == 0 || x == width - 1 || y == height - 1 {
                counts[coarseColor(at: 3 * (y * width + x)), default: 0] += 1
            }
        }
        let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0xFFF
        var (sum, count) = ([0, 0, 0], 0)
        for place in Swift.stride(from: 0, to: pixels.count, by: 3) {
            guard coarseColor(at: place) == most else { continue }
            for channel in 0..<3 { sum[channel] += Int(pixels[place + channel]) }
            count += 1
        }
        let mean = sum.map { Int((Double($0) / Double(max(1, count))).rounded()) }
        return Color(mean[0], mean[1], mean[2])
    }

    /// Sixteenths of a component are one colour, whatever the encoder made of it.
    private func coarseColor(at place: Int) -> Int {
        (0..<3).reduce(0) { $0 << 4 | Int(pixels[place + $1]) >> 4 }
    }

    /// The box of what differs from a background; nil if nothing does.
    func content(on background: Color) -> PixelRect? {
        let parts = [background.red, background.green, background.blue].map { Int(($0 * 255).rounded()) }
        var box: PixelRect?
        for y in 0..<height {
            for x in 0..<width {
                let place = 3 * (y * width + x)
                let isOther = (0..<3).contains { abs(Int(pixels[place + $0]) - parts[$0]) > 40 }
                guard isOther else { continue }
                let pixel = PixelRect(x: x, y: y, width: 1, height: 1)
                box = box?.union(pixel) ?? pixel
            }
        }
        return box
    }

    /// The part of a box as a square of so many samples a side, three numbers each.
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

extension [SmallPicture] {
    /// The box of what differs from a background in any of them; nil if nothing does.
    func content(on background: Color) -> PixelRect? {
        compactMap { $0.content(on: background) }.reduce(nil) { $0?.union($1) ?? $1 }
    }
}

/// The sum of the squared differences of two lists.
func squaredDifference(_ a: [Float], _ b: [Float]) -> Double {
    var sum: Float = 0
    for index in a.indices {
        let difference = a[index] - b[index]
        sum += difference * difference
    }
    return Double(sum)
}
