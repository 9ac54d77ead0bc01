import Animations
import Core
import Media
import Raster
import Render

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

    /// The colour of a blank frame; nil if the pixels have several colours.
    var blankColor: Color? {
        guard (0..<3).allSatisfy({ BlankFrames.isEven(pixels, from: $0, to: pixels.count, by: 3) }) else { return nil }
        let means = (0..<3).map { channel in
            stride(from: channel, to: pixels.count, by: 3).reduce(0) { $0 + Int(pixels[$1]) } * 3 / max(1, pixels.count)
        }
        return Color(means[0], means[1], means[2])
    }

    /// Returns the mean of the pixels at the border of a box that have its most frequent colour.
    func rimColor(of box: PixelRect) -> Color {
        let isRim = { (x: Int, y: Int) in x == box.x || y == box.y || x == box.maxX - 1 || y == box.maxY - 1 }
        return commonColor(of: indices(of: box).filter { isRim($0 % width, $0 / width) })
    }

    /// Returns the mean of the pixels of a box that have its most frequent colour.
    func commonColor(of box: PixelRect) -> Color { commonColor(of: indices(of: box)) }

    private func commonColor(of indices: [Int]) -> Color {
        var counts: [Int: Int] = [:]
        for index in indices { counts[coarseColor(at: 3 * index), default: 0] += 1 }
        let commonest = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0xFFF
        var sum = [0, 0, 0]
        var count = 0
        for index in indices where coarseColor(at: 3 * index) == commonest {
            for channel in 0..<3 { sum[channel] += Int(pixels[3 * index + channel]) }
            count += 1
        }
        let mean = sum.map { Int((Double($0) / Double(max(1, count))).rounded()) }
        return Color(mean[0], mean[1], mean[2])
    }

    /// Returns the part of a box, 0...1, that has nearly the given colour.
    func share(of color: Color, in box: PixelRect) -> Double {
        let bytes = [color.red, color.green, color.blue].map { 255 * $0 }
        let indices = indices(of: box)
        let count = indices.count { index in
            (0..<3).allSatisfy { abs(Double(pixels[3 * index + $0]) - bytes[$0]) < Self.sameColor }
        }
        return Double(count) / Double(max(1, indices.count))
    }

    /// The difference in codes below which colours are nearly the same.
    private static let sameColor = 8.0

    /// Returns the indices of the pixels of a box, row by row.
    private func indices(of box: PixelRect) -> [Int] {
        (box.y..<box.maxY).flatMap { y in (box.x..<box.maxX).map { y * width + $0 } }
    }

    /// Returns the colour of a pixel with 4 bits per component, so that encoding errors do not
    /// matter.
    private func coarseColor(at index: Int) -> Int {
        (0..<3).reduce(0) { $0 << 4 | Int(pixels[index + $1]) >> 4 }
    }

    /// Returns the mean colours, in RGB, of the `width` × `height` equal cells of a box.
    func samples(of box: Rect, width: Int, height: Int) -> [Float] {
        // Large cells are averages of a few points, so that thin lines are not missed.
        let points = min(3, max(1, Int(max(box.width / Double(width), box.height / Double(height)).rounded(.up))))
        let columns = taps(from: box.x, length: box.width, count: width * points, limit: self.width)
        let rows = taps(from: box.y, length: box.height, count: height * points, limit: self.height)
        let share = 1 / Float(points * points)
        var result = [Float](repeating: 0, count: 3 * width * height)
        result.withUnsafeMutableBufferPointer { result in
            pixels.withUnsafeBufferPointer { pixels in
                for (row, y) in rows.enumerated() {
                    for (column, x) in columns.enumerated() {
                        let target = 3 * (row / points * width + column / points)
                        let upper = 3 * (y.index * self.width + x.index)
                        let lower = 3 * (y.next * self.width + x.index)
                        let step = 3 * (x.next - x.index)
                        for channel in 0..<3 {
                            let top =
                                Float(pixels[upper + channel]) * (1 - x.weight)
                                + Float(pixels[upper + step + channel]) * x.weight
                            let bottom =
                                Float(pixels[lower + channel]) * (1 - x.weight)
                                + Float(pixels[lower + step + channel]) * x.weight
                            result[target + channel] += (top * (1 - y.weight) + bottom * y.weight) * share
                        }
                    }
                }
            }
        }
        return result
    }

    /// The pixels on both sides of a point and the weight of the second.
    private struct Tap {
        var index: Int
        var next: Int
        var weight: Float
    }

    /// Returns the pixels around the middles of `count` equal parts of an interval.
    private func taps(from start: Double, length: Double, count: Int, limit: Int) -> [Tap] {
        (0..<count).map { part in
            let position = start + (Double(part) + 0.5) / Double(count) * length - 0.5
            let clamped = min(Double(limit - 1), max(0, position))
            let index = Int(clamped)
            return Tap(index: index, next: min(limit - 1, index + 1), weight: Float(clamped - Double(index)))
        }
    }
}
