import Scene

/// Puts a palette's indices in place of a picture's colours. Not for use from two threads at once.
final class IndexMapper {
    /// A colour as a mixture of two of the palette's.
    private struct Mix {
        let main: UInt8
        let other: UInt8
        /// Of 64 pixels so many are the other's.
        let share: UInt8
    }

    private let palette: Palette
    private let dithers: Bool
    private let width: Int
    private var mixes: [Mix] = []
    private var places = ColorPlaces()

    init(_ coding: GIFCoding, width: Int) {
        (palette, dithers, self.width) = (coding.palette, coding.dithers, width)
    }

    /// Sets the indices of a picture's pixels within boxes; `indices` has a row of the picture's width after the other.
    func map(_ view: PixelView, in boxes: [PixelRect], to indices: inout [UInt8]) {
        indices.withUnsafeMutableBufferPointer { indices in
            for box in boxes {
                for y in box.y..<box.maxY {
                    let (row, target) = (view.pixels + y * view.stride, indices.baseAddress! + y * width)
                    if dithers { mix(row, to: target, box, y) } else { map(row, to: target, box) }
                }
            }
        }
    }

    private func map(_ row: UnsafePointer<UInt32>, to target: UnsafeMutablePointer<UInt8>, _ box: PixelRect) {
        var (last, index) = (row[box.x], palette.index(of: row[box.x]))
        for x in box.x..<box.maxX {
            if row[x] != last { (last, index) = (row[x], palette.index(of: row[x])) }
            target[x] = index
        }
    }

    // MARK: Mixtures

    /// Which of 64 pixels come first as a share grows: those far from each other.
    private static let pattern: [UInt8] = (0..<64).map { place in
        let (x, y) = (place % 8, place / 8)
        return (0..<3).reduce(0) { value, bit in
            let (a, b) = ((x ^ y) >> bit & 1, y >> bit & 1)
            return value | UInt8(a << (5 - 2 * bit) | b << (4 - 2 * bit))
        }
    }

    private func mix(
        _ row: UnsafePointer<UInt32>, to target: UnsafeMutablePointer<UInt8>, _ box: PixelRect, _ y: Int
    ) {
        var (last, mix) = (row[box.x], mixture(of: row[box.x]))
        for x in box.x..<box.maxX {
            if row[x] != last { (last, mix) = (row[x], mixture(of: row[x])) }
            target[x] = IndexMapper.pattern[y % 8 * 8 + x % 8] < mix.share ? mix.other : mix.main
        }
    }

    private func mixture(of pixel: UInt32) -> Mix {
        guard pixel != 0 else { return Mix(main: 0, other: 0, share: 0) }
        let color = pixel & 0xFF_FFFF
        if let place = places.find(color) { return mixes[place] }
        let mix = findMixture(of: color)
        places.add(color, mixes.count)
        mixes.append(mix)
        return mix
    }

    /// The nearest colour, and that beyond the wanted one with which it comes closest to it. Colours far from each other
    /// would be seen as a pattern, so that they are taken only where they bring much.
    private func findMixture(of color: UInt32) -> Mix {
        let main = palette.nearestIndex(to: color)
        guard main > 0 else { return Mix(main: main, other: main, share: 0) }
        let base = palette.colors[Int(main) - 1]
        var (best, least) = (Mix(main: main, other: main, share: 0), Double(squaredDistance(color, base)))
        guard least > 0 else { return best }
        for (place, candidate) in palette.colors.enumerated() where place + 1 != Int(main) {
            let length = Double(squaredDistance(base, candidate))
            let share = min(0.5, max(0, along(base, candidate, color) / max(1, length)))
            let rest =
                Double(squaredDistance(color, base)) - share * (2 * along(base, candidate, color) - share * length)
            let cost = rest + share * (1 - share) * length / 8
            if cost < least, share >= 1.0 / 64 {
                (best, least) = (Mix(main: main, other: UInt8(place + 1), share: UInt8(share * 64)), cost)
            }
        }
        return best
    }

    /// The inner product of the ways from a colour to two others.
    private func along(_ base: UInt32, _ first: UInt32, _ second: UInt32) -> Double {
        let (base, first, second) = (channels(base), channels(first), channels(second))
        return Double(
            (first.red - base.red) * (second.red - base.red) + (first.green - base.green) * (second.green - base.green)
                + (first.blue - base.blue) * (second.blue - base.blue))
    }
}
