import Core

/// A mapping from colours to palette indices, with optional ordered dithering. Not thread-safe.
final class IndexMapper {
    /// A colour as a mixture of two palette colours.
    private struct Mix {
        let main: UInt8
        let other: UInt8
        /// The number of pixels out of 64 that use the other colour.
        let share: UInt8
    }

    private let palette: Palette
    private let dithers: Bool
    private let width: Int
    private var mixes: [Mix] = []
    /// The indices of colours in `mixes`.
    private var mixIndices = ColorIndexTable()

    init(_ options: GIFEncodingOptions, width: Int) {
        palette = options.palette
        dithers = options.dithers
        self.width = width
    }

    /// Sets the palette indices of a frame's pixels within boxes. `indices` has the frame's rows
    /// without padding.
    func map(_ view: PixelView, in boxes: [PixelRect], to indices: inout [UInt8]) {
        indices.withUnsafeMutableBufferPointer { indices in
            for box in boxes {
                for y in box.y..<box.maxY {
                    let row = view.pixels + y * view.stride
                    let target = indices.baseAddress! + y * width
                    if dithers { dither(row, to: target, box, y) } else { map(row, to: target, box) }
                }
            }
        }
    }

    private func map(_ row: UnsafePointer<UInt32>, to target: UnsafeMutablePointer<UInt8>, _ box: PixelRect) {
        var last = row[box.x]
        var index = palette.index(of: last)
        for x in box.x..<box.maxX {
            if row[x] != last {
                last = row[x]
                index = palette.index(of: last)
            }
            target[x] = index
        }
    }

    // MARK: Dithering

    /// The 8x8 Bayer matrix. A pixel uses the other colour if the mixture's share exceeds its
    /// entry.
    private static let bayerMatrix: [UInt8] = (0..<64).map { index in
        let (y, x) = index.quotientAndRemainder(dividingBy: 8)
        return (0..<3).reduce(0) { value, bit in
            let a = (x ^ y) >> bit & 1
            let b = y >> bit & 1
            return value | UInt8(a << (5 - 2 * bit) | b << (4 - 2 * bit))
        }
    }

    private func dither(
        _ row: UnsafePointer<UInt32>, to target: UnsafeMutablePointer<UInt8>, _ box: PixelRect, _ y: Int
    ) {
        var last = row[box.x]
        var mix = mixture(of: last)
        for x in box.x..<box.maxX {
            if row[x] != last {
                last = row[x]
                mix = mixture(of: last)
            }
            target[x] = IndexMapper.bayerMatrix[y % 8 * 8 + x % 8] < mix.share ? mix.other : mix.main
        }
    }

    private func mixture(of pixel: UInt32) -> Mix {
        guard pixel != 0 else { return Mix(main: 0, other: 0, share: 0) }
        let color = pixel & 0xFF_FFFF
        if let index = mixIndices.find(color) { return mixes[index] }
        let mix = findMixture(of: color)
        mixIndices.add(color, mixes.count)
        mixes.append(mix)
        return mix
    }

    /// Returns the mixture of the nearest palette colour and another one that is closest to a
    /// colour. Mixtures of very different colours are visible as a pattern, so a penalty grows with
    /// the distance of the two colours.
    private func findMixture(of color: UInt32) -> Mix {
        let main = palette.nearestIndex(to: color)
        guard main > 0 else { return Mix(main: main, other: main, share: 0) }
        let base = palette.colors[Int(main) - 1]
        var best = Mix(main: main, other: main, share: 0)
        var minCost = Double(squaredDistance(color, base))
        guard minCost > 0 else { return best }
        for (index, candidate) in palette.colors.enumerated() where index + 1 != Int(main) {
            // The share that minimizes the squared distance of the mixture from the colour.
            let squaredLength = Double(squaredDistance(base, candidate))
            let projection = dotProduct(base, candidate, color)
            let share = min(0.5, max(0, projection / max(1, squaredLength)))
            let squaredError =
                Double(squaredDistance(color, base)) - share * (2 * projection - share * squaredLength)
            // The second term is an eighth of the variance of the mixed pixels.
            let cost = squaredError + share * (1 - share) * squaredLength / 8
            if cost < minCost, share >= 1.0 / 64 {
                best = Mix(main: main, other: UInt8(index + 1), share: UInt8(share * 64))
                minCost = cost
            }
        }
        return best
    }

    /// Returns the dot product of the vectors from `base` to two other colours.
    private func dotProduct(_ base: UInt32, _ first: UInt32, _ second: UInt32) -> Double {
        let base = channels(base)
        let first = channels(first)
        let second = channels(second)
        return Double(
            (first.red - base.red) * (second.red - base.red) + (first.green - base.green) * (second.green - base.green)
                + (first.blue - base.blue) * (second.blue - base.blue))
    }
}
