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
        var result = extreme(radius: whole, shrinks: shrinks)
        if part > 0.01 {
            // Between two whole radii, the edge's coverage changes linearly.
            let next = extreme(radius: whole + 1, shrinks: shrinks)
            let weight = Int((part * 256).rounded())
            for index in result.indices { result[index] = Pixmap.mix(result[index], next[index], weight) }
        }
        write(result, shrinks: shrinks)
        cairo_surface_mark_dirty(surface)
    }

    private typealias Quad = SIMD4<UInt8>

    private static func mix(_ first: Quad, _ second: Quad, _ weight: Int) -> Quad {
        let low = SIMD4<Int32>(truncatingIfNeeded: first)
        let high = SIMD4<Int32>(truncatingIfNeeded: second)
        let sum = low &* Int32(256 - weight) &+ high &* Int32(weight) &+ 128
        return Quad(truncatingIfNeeded: sum &>> 8)
    }

    /// Returns the largest or the smallest components within a disc around each pixel. Pixels
    /// outside of the pixmap are transparent.
    private func extreme(radius: Int, shrinks: Bool) -> [Quad] {
        var result = [Quad](repeating: shrinks ? Quad(repeating: 255) : .zero, count: width * height)
        // The half width of the disc at each distance from its centre row.
        let halves = (0...radius).map { row in
            Int((Double(radius * radius + radius - row * row)).squareRoot().rounded(.down))
        }
        for source in -radius..<height + radius {
            let isInside = source >= 0 && source < height
            guard isInside || shrinks else { continue }
            let levels = isInside ? rowLevels(source, reach: radius, shrinks: shrinks) : []
            for target in max(0, source - radius)...max(0, min(height - 1, source + radius)) {
                guard abs(target - source) <= radius else { continue }
                let half = halves[abs(target - source)]
                combine(levels, half, reach: radius, into: &result, row: target, shrinks: shrinks)
            }
        }
        return result
    }

    /// Returns the extremes of 1, 2, 4, ... pixels from each position of a row, which is padded
    /// with transparent pixels at both ends.
    private func rowLevels(_ row: Int, reach: Int, shrinks: Bool) -> [[Quad]] {
        var line = [Quad](repeating: .zero, count: width + 2 * reach)
        let pixels = UnsafeMutableRawPointer(data + row * stride).assumingMemoryBound(to: Quad.self)
        for column in 0..<width { line[reach + column] = pixels[column] }
        var levels = [line]
        var step = 1
        while 2 * step <= 2 * reach + 1 {
            let last = levels[levels.count - 1]
            var next = last
            for index in 0..<last.count - step {
                next[index] =
                    shrinks
                    ? pointwiseMin(last[index], last[index + step]) : pointwiseMax(last[index], last[index + step])
            }
            levels.append(next)
            step *= 2
        }
        return levels
    }

    /// Combines the extremes of a row within `half` pixels with a row of the result.
    private func combine(
        _ levels: [[Quad]], _ half: Int, reach: Int, into result: inout [Quad], row: Int, shrinks: Bool
    ) {
        let length = 2 * half + 1
        let level = Int.bitWidth - 1 - length.leadingZeroBitCount
        guard let line = levels.isEmpty ? nil : levels[level] else {
            // A row outside of the pixmap is transparent.
            for index in row * width..<(row + 1) * width { result[index] = .zero }
            return
        }
        let second = length - 1 << level
        for column in 0..<width {
            let start = reach + column - half
            let index = row * width + column
            if shrinks {
                let window = pointwiseMin(line[start], line[start + second])
                result[index] = pointwiseMin(result[index], window)
            } else {
                let window = pointwiseMax(line[start], line[start + second])
                result[index] = pointwiseMax(result[index], window)
            }
        }
    }

    /// Replaces the pixels. A smaller alpha keeps the colour.
    private func write(_ result: [Quad], shrinks: Bool) {
        for row in 0..<height {
            let pixels = UnsafeMutableRawPointer(data + row * stride).assumingMemoryBound(to: Quad.self)
            for column in 0..<width {
                let value = result[row * width + column]
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
