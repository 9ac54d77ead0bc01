/// The colours of a clip, and which of them stands for each colour of its pictures.
///
/// Index 0 stands for what is transparent: what stays as it is, and what shows nothing.
public struct Palette: Sendable, Hashable {
    /// The colours as 0xRRGGBB, from index 1 on.
    public let colors: [UInt32]
    /// Whether every colour of the pictures is in it.
    public let isExact: Bool
    /// The mean of the squared errors over the clip's pixels and channels, where it is not dithered.
    public let meanSquaredError: Double
    /// Whether pictures have pixels that show nothing.
    public let hasTransparency: Bool
    private let droppedBits: Int
    private let places: ColorPlaces

    /// A palette of no colour, as long as none are known.
    public static let none = Palette()

    private init() {
        (colors, isExact, meanSquaredError, hasTransparency) = ([], true, 0, false)
        (droppedBits, places) = (0, ColorPlaces())
    }

    /// The most colours a palette can have besides transparency.
    public static let mostColors = 255

    /// The palette of what was counted: exact, if there are at most `limit` colours, 2...255. Throws if libimagequant fails.
    public init(_ census: ColorCensus, limit: Int = mostColors) throws(GIFError) {
        let seen = census.entries.filter { $0.pixels > 0 }.sorted { $0.color < $1.color }
        let limit = min(max(limit, 2), Palette.mostColors)
        (hasTransparency, droppedBits) = (census.hasTransparency, census.droppedBits)
        isExact = seen.count <= limit && droppedBits == 0
        var (chosen, nearest) = (seen.map(\.color), (0..<min(seen.count, 256)).map { UInt8($0) })
        var squaredError = 0.0
        if seen.count > limit {
            let quantizer = try Quantizer(seen, limit: limit)
            (chosen, nearest, squaredError) = (quantizer.palette, quantizer.nearest, quantizer.squaredError)
        }
        meanSquaredError = squaredError / Double(max(1, 3 * seen.reduce(0) { $0 + $1.pixels }))
        var numbers = ColorPlaces()
        for (entry, index) in zip(seen, nearest) { numbers.add(entry.color, Int(index)) }
        let pictures = census.pictures.map { colors in
            Set(colors.compactMap { numbers.find($0 & ColorCensus.mask(census.droppedBits)) })
        }
        let order = Palette.order(of: Set(nearest.map(Int.init)), for: pictures)
        var rank = [Int](repeating: 0, count: chosen.count)
        for (place, index) in order.enumerated() { rank[index] = place + 1 }
        var places = ColorPlaces()
        for (entry, index) in zip(seen, nearest) { places.add(entry.color, rank[Int(index)]) }
        (colors, self.places) = (order.map { chosen[$0] }, places)
    }

    /// The palette with the fewest colours, in steps of eight, whose error is little more than that of all that fit, since
    /// pictures of fewer colours are smaller. Throws if libimagequant fails.
    public static func small(_ census: ColorCensus) throws(GIFError) -> Palette {
        var best = try Palette(census)
        guard !best.isExact, census.entries.count <= mostToTry else { return best }
        var (low, high) = (1, mostColors / 8)
        let limit = max(noError, moreError * best.meanSquaredError)
        while low <= high {
            let middle = (low + high) / 2
            let candidate = try Palette(census, limit: middle * 8 - 1)
            if candidate.meanSquaredError <= limit {
                (best, high) = (candidate, middle - 1)
            } else {
                low = middle + 1
            }
        }
        return best
    }

    /// How much larger the error may be, some two decibels; and below which it is as good as none, a hundred decibels.
    private static let (moreError, noError) = (1.7, 6e-6)
    /// With more colours than this no number is tried but the largest.
    private static let mostToTry = 1 << 13

    /// Colours in the order in which as many pictures as can be have only the first of them: such pictures begin with shorter
    /// codes. Each time the colours of that picture follow which has the fewest that are not in it yet.
    private static func order(of colors: Set<Int>, for pictures: [Set<Int>]) -> [Int] {
        var (order, rest, listed): ([Int], [Set<Int>], Set<Int>) = ([], pictures, [])
        while true {
            rest = rest.map { $0.subtracting(listed) }.filter { !$0.isEmpty && $0.count + listed.count < 128 }
            guard let least = rest.min(by: { $0.count < $1.count }) else { break }
            order += least.sorted()
            listed.formUnion(least)
        }
        return order + colors.subtracting(listed).sorted()
    }

    /// The index of the colour that stands for a pixel's.
    func index(of pixel: UInt32) -> UInt8 {
        guard pixel != 0 else { return 0 }
        let color = pixel & 0xFF_FFFF
        if let place = places.find(color & ColorCensus.mask(droppedBits)) { return UInt8(place) }
        return nearestIndex(to: color)
    }

    /// The index of the colour with the smallest squared difference.
    func nearestIndex(to color: UInt32) -> UInt8 {
        var (best, least) = (0, Int.max)
        for (place, candidate) in colors.enumerated() {
            let distance = squaredDistance(color, candidate)
            if distance < least { (best, least) = (place + 1, distance) }
        }
        return UInt8(best)
    }

    /// The table as the file holds it, three bytes a colour: a power of two of entries, at least four.
    public var table: [UInt8] {
        var bytes: [UInt8] = [0, 0, 0]
        for color in colors { bytes += [UInt8(color >> 16), UInt8(color >> 8 & 0xFF), UInt8(color & 0xFF)] }
        return bytes + [UInt8](repeating: 0, count: 3 << tableBits - bytes.count)
    }

    private var tableBits: Int { max(2, Int.bitWidth - colors.count.leadingZeroBitCount) }
}
