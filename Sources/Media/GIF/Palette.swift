/// The palette of a clip, with the palette index of each colour in its frames.
///
/// Index 0 is transparent. It marks pixels that keep the previous frame's colour or are empty.
package struct Palette: Sendable, Hashable {
    /// The colours as 0xRRGGBB, starting with index 1.
    package let colors: [UInt32]
    /// True if the palette contains all colours of the frames.
    package let isExact: Bool
    /// The mean squared error over all pixels and channels of the clip, in squared 8-bit codes and
    /// without dithering. If the histogram dropped bits, the error of that is not included.
    package let meanSquaredError: Double
    /// True if frames have transparent pixels.
    package let hasTransparency: Bool
    private let droppedBits: Int
    private let indices: ColorIndexTable

    /// An empty palette.
    package static let empty = Palette()

    private init() {
        colors = []
        isExact = true
        meanSquaredError = 0
        hasTransparency = false
        droppedBits = 0
        indices = ColorIndexTable()
    }

    /// The maximum number of colours besides the transparent index.
    package static let maxColors = 255

    /// The palette for a histogram. It is exact if the clip has no more than `limit` colours,
    /// 2...255. Throws a `GIFError` if libimagequant fails.
    package init(_ histogram: ColorHistogram, limit: Int = maxColors) throws(GIFError) {
        let entries = histogram.entries.filter { $0.pixels > 0 }.sorted { $0.color < $1.color }
        let limit = min(max(limit, 2), Palette.maxColors)
        hasTransparency = histogram.hasTransparency
        droppedBits = histogram.droppedBits
        isExact = entries.count <= limit && droppedBits == 0
        var chosen = entries.map(\.color)
        var nearest = (0..<min(entries.count, 256)).map { UInt8($0) }
        var squaredError = 0.0
        if entries.count > limit {
            let quantizer = try Quantizer(entries, limit: limit)
            chosen = quantizer.palette
            nearest = quantizer.nearest
            squaredError = quantizer.squaredError
        }
        meanSquaredError = squaredError / Double(max(1, 3 * entries.reduce(0) { $0 + $1.pixels }))
        var chosenIndices = ColorIndexTable()
        for (entry, index) in zip(entries, nearest) { chosenIndices.add(entry.color, Int(index)) }
        let newColorsByFrame = histogram.newColorsByFrame.map { colors in
            Set(colors.compactMap { chosenIndices.find($0 & ColorHistogram.mask(histogram.droppedBits)) })
        }
        let order = Palette.order(of: Set(nearest.map(Int.init)), for: newColorsByFrame)
        var paletteIndices = [Int](repeating: 0, count: chosen.count)
        for (position, index) in order.enumerated() { paletteIndices[index] = position + 1 }
        var indices = ColorIndexTable()
        for (entry, index) in zip(entries, nearest) { indices.add(entry.color, paletteIndices[Int(index)]) }
        colors = order.map { chosen[$0] }
        self.indices = indices
    }

    /// Returns the palette with the fewest colours whose error is at most `maxErrorRatio` times
    /// that of `maxColors` colours. Tries multiples of 8, less one for the transparent index. Fewer
    /// colours make smaller files. Throws a `GIFError` if libimagequant fails.
    package static func smallest(for histogram: ColorHistogram) throws(GIFError) -> Palette {
        var best = try Palette(histogram)
        guard !best.isExact, histogram.entries.count <= maxSearchColors else { return best }
        var low = 1
        var high = maxColors / 8
        let limit = max(negligibleError, maxErrorRatio * best.meanSquaredError)
        while low <= high {
            let middle = (low + high) / 2
            let candidate = try Palette(histogram, limit: middle * 8 - 1)
            if candidate.meanSquaredError <= limit {
                best = candidate
                high = middle - 1
            } else {
                low = middle + 1
            }
        }
        return best
    }

    /// The maximum ratio of a smaller palette's error to that of the largest one, about 2 dB.
    private static let maxErrorRatio = 1.7
    /// A mean squared error that is always accepted, a PSNR of 100 dB.
    private static let negligibleError = 6e-6
    /// The maximum number of colours in a histogram for which smaller palettes are tried. The time
    /// for each grows with that number.
    private static let maxSearchColors = 1 << 13

    /// Returns the colours in an order in which many frames use only the first few of them, since
    /// such frames need shorter initial codes. Repeatedly appends the colours of the frame that has
    /// the fewest colours which are not in the list yet.
    private static func order(of colors: Set<Int>, for newColorsByFrame: [Set<Int>]) -> [Int] {
        var order: [Int] = []
        var remaining = newColorsByFrame
        var listed: Set<Int> = []
        while true {
            // From 128 colours on, codes have the maximum initial length.
            remaining = remaining.map { $0.subtracting(listed) }
                .filter { !$0.isEmpty && $0.count + listed.count < 128 }
            guard let smallest = remaining.min(by: { $0.count < $1.count }) else { break }
            order += smallest.sorted()
            listed.formUnion(smallest)
        }
        return order + colors.subtracting(listed).sorted()
    }

    /// Returns the palette index for a pixel.
    func index(of pixel: UInt32) -> UInt8 {
        guard pixel != 0 else { return 0 }
        let color = pixel & 0xFF_FFFF
        if let index = indices.find(color & ColorHistogram.mask(droppedBits)) { return UInt8(index) }
        return nearestIndex(to: color)
    }

    /// Returns the index of the colour with the smallest squared distance.
    func nearestIndex(to color: UInt32) -> UInt8 {
        var best = 0
        var minDistance = Int.max
        for (index, candidate) in colors.enumerated() {
            let distance = squaredDistance(color, candidate)
            if distance < minDistance {
                best = index + 1
                minDistance = distance
            }
        }
        return UInt8(best)
    }

    /// The global colour table, three bytes per entry. The number of entries is a power of two, at
    /// least 4.
    package var table: [UInt8] {
        var bytes: [UInt8] = [0, 0, 0]
        for color in colors { bytes += [UInt8(color >> 16), UInt8(color >> 8 & 0xFF), UInt8(color & 0xFF)] }
        return bytes + [UInt8](repeating: 0, count: 3 << tableBits - bytes.count)
    }

    private var tableBits: Int { max(2, Int.bitWidth - colors.count.leadingZeroBitCount) }
}
