import CImageQuant

/// Chooses the colours of a palette where there are more than fit.
///
/// libimagequant finds where colours are needed, as the eye sees them. What it leaves unused goes to the colours that are
/// worst off, and all move to the means of what they stand for, so that the error is small in numbers, too.
struct Quantizer {
    private let entries: [ColorCensus.Entry]
    private(set) var palette: [UInt32]
    /// Which of the palette's colours is nearest to each entry.
    private(set) var nearest: [UInt8]
    private var errors: [Int]

    private static let rounds = 6

    /// Quantizes colours to at most `limit`. Throws if libimagequant fails.
    init(_ entries: [ColorCensus.Entry], limit: Int) throws(GIFError) {
        self.entries = entries
        palette = try Quantizer.imageQuant(entries, limit: limit)
        nearest = [UInt8](repeating: 0, count: entries.count)
        errors = [Int](repeating: .max, count: entries.count)
        measure(against: 0..<palette.count)
        fill(to: limit)
        for _ in 0..<Quantizer.rounds where moveToMeans() {
            errors = [Int](repeating: .max, count: entries.count)
            measure(against: 0..<palette.count)
        }
    }

    /// The sum of squared errors over all pixels and channels.
    var squaredError: Double {
        zip(entries, errors).reduce(0) { $0 + Double($1.0.pixels) * Double($1.1) }
    }

    private mutating func measure(against colors: Range<Int>) {
        for (number, entry) in entries.enumerated() {
            for index in colors where errors[number] > 0 {
                let distance = squaredDistance(entry.color, palette[index])
                if distance < errors[number] { (errors[number], nearest[number]) = (distance, UInt8(index)) }
            }
        }
    }

    private mutating func fill(to limit: Int) {
        while palette.count < limit {
            var (worst, most) = (0, 0)
            for (number, entry) in entries.enumerated() where entry.pixels * errors[number] > most {
                (worst, most) = (number, entry.pixels * errors[number])
            }
            guard most > 0 else { return }
            palette.append(entries[worst].color)
            measure(against: palette.count - 1..<palette.count)
        }
    }

    /// Returns whether any colour moved.
    private mutating func moveToMeans() -> Bool {
        var sums = [(red: Int, green: Int, blue: Int, pixels: Int)](repeating: (0, 0, 0, 0), count: palette.count)
        for (entry, index) in zip(entries, nearest) {
            let (red, green, blue) = channels(entry.color)
            let sum = sums[Int(index)]
            sums[Int(index)] = (
                sum.red + red * entry.pixels, sum.green + green * entry.pixels, sum.blue + blue * entry.pixels,
                sum.pixels + entry.pixels
            )
        }
        let old = palette
        for (index, sum) in sums.enumerated() where sum.pixels > 0 {
            func mean(_ total: Int) -> UInt32 { UInt32((total + sum.pixels / 2) / sum.pixels) }
            palette[index] = mean(sum.red) << 16 | mean(sum.green) << 8 | mean(sum.blue)
        }
        return palette != old
    }

    private static func imageQuant(_ entries: [ColorCensus.Entry], limit: Int) throws(GIFError) -> [UInt32] {
        lv_single_openmp_thread()
        guard let attributes = liq_attr_create() else { throw GIFError(memoryFor: "a palette") }
        defer { liq_attr_destroy(attributes) }
        guard let histogram = liq_histogram_create(attributes) else { throw GIFError(memoryFor: "a palette") }
        defer { liq_histogram_destroy(histogram) }
        let colors = entries.map { entry in
            let (red, green, blue) = channels(entry.color)
            return liq_histogram_entry(
                color: liq_color(r: UInt8(red), g: UInt8(green), b: UInt8(blue), a: 255),
                count: UInt32(clamping: entry.pixels))
        }
        try check(liq_set_max_colors(attributes, Int32(limit)))
        try check(liq_histogram_add_colors(histogram, attributes, colors, Int32(colors.count), 0))
        var result: OpaquePointer?
        try check(liq_histogram_quantize(histogram, attributes, &result))
        guard let result else { throw GIFError(memoryFor: "a palette") }
        defer { liq_result_destroy(result) }
        guard let palette = liq_get_palette(result) else { throw GIFError(memoryFor: "a palette") }
        return withUnsafeBytes(of: palette.pointee.entries) { bytes in
            bytes.bindMemory(to: liq_color.self).prefix(Int(palette.pointee.count)).map {
                UInt32($0.r) << 16 | UInt32($0.g) << 8 | UInt32($0.b)
            }
        }
    }

    private static func check(_ status: liq_error) throws(GIFError) {
        guard status != LIQ_OK else { return }
        throw status == LIQ_OUT_OF_MEMORY
            ? GIFError(memoryFor: "a palette")
            : GIFError(reason: "libimagequant made no palette (error \(status.rawValue))")
    }
}

/// Why a GIF could not be made.
public struct GIFError: Error, CustomStringConvertible {
    /// One line.
    public let description: String
    /// Whether memory was short.
    public let isMemoryShort: Bool

    init(reason: String) { (description, isMemoryShort) = (reason, false) }
    init(memoryFor purpose: String) { (description, isMemoryShort) = ("no memory for \(purpose)", true) }
}
