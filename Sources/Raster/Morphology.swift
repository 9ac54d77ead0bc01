import CCairo
import Core

// Dilation and erosion with a disc, of pixels with soft edges.
extension Pixmap {
    /// Grows the opaque area by a radius in pixels, or shrinks it by a negative radius.
    func grow(by radius: Double) {
        let size = abs(radius)
        let whole = Int(size.rounded(.down))
        let part = size - Double(whole)
        guard size > 0.01 else { return }
        cairo_surface_flush(surface)
        let shrinks = radius < 0
        // All other pixels stay transparent.
        guard let area = paintedBounds(expandedBy: shrinks ? 0 : whole + 1) else { return }
        var result = extreme(radius: whole, shrinks: shrinks, in: area)
        if part > 0.01 {
            // Between two whole radii, the edge's coverage changes linearly.
            let next = extreme(radius: whole + 1, shrinks: shrinks, in: area)
            let weight = Int((part * 256).rounded())
            for index in result.indices where result[index] != next[index] {
                result[index] = Pixmap.mix(result[index], next[index], weight)
            }
        }
        write(result, shrinks: shrinks, in: area)
        cairo_surface_mark_dirty(surface)
    }

    /// Returns the range from the first to the last of some pixels that are not transparent; nil if
    /// all are.
    static func paintedRange(_ pixels: UnsafePointer<SIMD4<UInt8>>, count: Int) -> Range<Int>? {
        var first = 0
        while first < count, pixels[first] == .zero { first += 1 }
        guard first < count else { return nil }
        var end = count
        while pixels[end - 1] == .zero { end -= 1 }
        return first..<end
    }

    /// Returns the bounds of the pixels that are not transparent, expanded within the pixmap; nil
    /// if there are none.
    private func paintedBounds(expandedBy margin: Int) -> PixelRect? {
        var columns = width..<width
        var rows = height..<height
        for row in 0..<height {
            let pixels = UnsafeMutableRawPointer(data + row * stride).assumingMemoryBound(to: Quad.self)
            guard let painted = Pixmap.paintedRange(pixels, count: width) else { continue }
            let end = rows.isEmpty ? painted.upperBound : max(columns.upperBound, painted.upperBound)
            columns = min(columns.lowerBound, painted.lowerBound)..<end
            rows = min(rows.lowerBound, row)..<row + 1
        }
        guard !rows.isEmpty else { return nil }
        let (x, y) = (max(0, columns.lowerBound - margin), max(0, rows.lowerBound - margin))
        return PixelRect(
            x: x, y: y, width: min(width, columns.upperBound + margin) - x,
            height: min(height, rows.upperBound + margin) - y)
    }

    /// Returns the first pixel of a row of an area.
    private func pixels(ofRow row: Int, in area: PixelRect) -> UnsafeMutablePointer<UInt8> {
        data + (area.y + row) * stride + 4 * area.x
    }

    private typealias Quad = SIMD4<UInt8>

    private static func mix(_ first: Quad, _ second: Quad, _ weight: Int) -> Quad {
        let low = SIMD4<Int32>(truncatingIfNeeded: first)
        let high = SIMD4<Int32>(truncatingIfNeeded: second)
        let sum = low &* Int32(256 - weight) &+ high &* Int32(weight) &+ 128
        return Quad(truncatingIfNeeded: sum &>> 8)
    }

    /// Returns the largest or the smallest components within a disc around each pixel of an area.
    /// Pixels outside of the area are transparent.
    private func extreme(radius: Int, shrinks: Bool, in area: PixelRect) -> [Quad] {
        let width = area.width
        let height = area.height
        var result = [Quad](repeating: shrinks ? Quad(repeating: 255) : .zero, count: width * height)
        // The half width of the disc at each distance from its centre row.
        let halves = (0...radius).map { row in
            Int((Double(radius * radius + radius - row * row)).squareRoot().rounded(.down))
        }
        var levels = RowLevels(width: width, reach: radius, shrinks: shrinks)
        result.withUnsafeMutableBytes { bytes in
            guard let rows = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
            for source in -radius..<height + radius {
                let isInside = source >= 0 && source < height
                guard isInside || shrinks else { continue }
                if isInside { levels.read(pixels(ofRow: source, in: area)) }
                for target in max(0, source - radius)...max(0, min(height - 1, source + radius)) {
                    let distance = abs(target - source)
                    guard distance <= radius else { continue }
                    let row = rows + 4 * target * width
                    if isInside {
                        levels.combine(halves[distance], into: row)
                    } else {
                        // A row outside of the area is transparent.
                        row.update(repeating: 0, count: 4 * width)
                    }
                }
            }
        }
        return result
    }

    /// Replaces the pixels. A smaller alpha keeps the colour.
    private func write(_ result: [Quad], shrinks: Bool, in area: PixelRect) {
        for row in 0..<area.height {
            let bytes = UnsafeMutableRawPointer(pixels(ofRow: row, in: area))
            let pixels = bytes.assumingMemoryBound(to: Quad.self)
            for column in 0..<area.width {
                let value = result[row * area.width + column]
                guard shrinks else {
                    pixels[column] = value
                    continue
                }
                let old = SIMD4<Int>(truncatingIfNeeded: pixels[column])
                guard old.w > 0 else { continue }
                let scaled = (old &* Int(value.w) &+ old.w / 2) / old.w
                pixels[column] = Quad(truncatingIfNeeded: scaled)
            }
        }
    }
}

/// The extremes of 1, 2, 4, ... pixels from each position of a row, which is padded with
/// transparent pixels at both ends. They are in one array of bytes, because the compiler turns
/// loops over it into vector instructions.
private struct RowLevels {
    private let width: Int
    private let reach: Int
    private let shrinks: Bool
    /// The bytes of a level.
    private let pitch: Int
    private let levelCount: Int
    private var bytes: [UInt8]

    init(width: Int, reach: Int, shrinks: Bool) {
        self.width = width
        self.reach = reach
        self.shrinks = shrinks
        pitch = 4 * (width + 2 * reach)
        levelCount = Self.level(of: 2 * reach + 1) + 1
        bytes = Array(repeating: 0, count: pitch * levelCount)
    }

    /// Returns the level of the longest extremes that are not longer than a number of pixels.
    private static func level(of length: Int) -> Int { Int.bitWidth - 1 - length.leadingZeroBitCount }

    /// Reads a row of pixels.
    mutating func read(_ pixels: UnsafePointer<UInt8>) {
        bytes.withUnsafeMutableBufferPointer { [width, reach, shrinks, pitch, levelCount] bytes in
            guard var line = bytes.baseAddress else { return }
            (line + 4 * reach).update(from: pixels, count: 4 * width)
            for level in 1..<max(1, levelCount) {
                let next = line + pitch
                next.update(from: line, count: pitch)
                let step = 4 << (level - 1)
                Self.combine(line, line + step, into: next, count: pitch - step, shrinks: shrinks)
                line = next
            }
        }
    }

    /// Combines the extremes within `half` pixels with a row of the result.
    func combine(_ half: Int, into row: UnsafeMutablePointer<UInt8>) {
        let length = 2 * half + 1
        let level = Self.level(of: length)
        let second = 4 * (length - 1 << level)
        bytes.withUnsafeBufferPointer { bytes in
            guard let first = bytes.baseAddress.map({ $0 + level * pitch + 4 * (reach - half) }) else { return }
            Self.combine(first, first + second, into: row, count: 4 * width, shrinks: shrinks)
        }
    }

    /// Combines two rows with a third one.
    private static func combine(
        _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, into result: UnsafeMutablePointer<UInt8>,
        count: Int, shrinks: Bool
    ) {
        if shrinks {
            for index in 0..<count { result[index] = min(result[index], min(first[index], second[index])) }
        } else {
            for index in 0..<count { result[index] = max(result[index], max(first[index], second[index])) }
        }
    }
}
