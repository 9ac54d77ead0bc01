import CImageQuant

/// A quantizer that reduces a histogram to a palette.
///
/// libimagequant chooses colours by perceived difference. Colours that it leaves unused are
/// assigned to the entries with the largest errors. Then k-means iterations reduce the squared
/// error.
struct Quantizer {
    private let entries: [ColorHistogram.Entry]
    private(set) var palette: [UInt32]
    /// The index of the nearest palette colour for each entry.
    private(set) var nearest: [UInt8]
    /// The squared distance of each entry from its nearest palette colour.
    private var errors: [Int]

    /// The maximum number of k-means iterations.
    private static let maxIterations = 6

    /// Quantizes colours to at most `limit`. Throws a `GIFError` if libimagequant fails.
    init(_ entries: [ColorHistogram.Entry], limit: Int) throws(GIFError) {
        self.entries = entries
        palette = try Quantizer.imageQuant(entries, limit: limit)
        nearest = [UInt8](repeating: 0, count: entries.count)
        errors = [Int](repeating: .max, count: entries.count)
        assign(to: 0..<palette.count)
        addWorstEntries(upTo: limit)
        for _ in 0..<Quantizer.maxIterations where moveToMeans() {
            errors = [Int](repeating: .max, count: entries.count)
            assign(to: 0..<palette.count)
        }
    }

    /// The sum of squared errors over all pixels and channels.
    var squaredError: Double {
        zip(entries, errors).reduce(0) { $0 + Double($1.0.pixels) * Double($1.1) }
    }

    /// Assigns each entry to the nearest of its current colour and the given palette colours.
    private mutating func assign(to colors: Range<Int>) {
        for (entryIndex, entry) in entries.enumerated() {
            for index in colors where errors[entryIndex] > 0 {
                let distance = squaredDistance(entry.color, palette[index])
                if distance < errors[entryIndex] {
                    errors[entryIndex] = distance
                    nearest[entryIndex] = UInt8(index)
                }
            }
        }
    }

    /// Adds the entries with the largest total errors until the palette has `limit` colours.
    private mutating func addWorstEntries(upTo limit: Int) {
        while palette.count < limit {
            var worst = 0
            var maxError = 0
            for (index, entry) in entries.enumerated() where entry.pixels * errors[index] > maxError {
                worst = index
                maxError = entry.pixels * errors[index]
            }
            guard maxError > 0 else { return }
            palette.append(entries[worst].color)
            assign(to: palette.count - 1..<palette.count)
        }
    }

    /// Moves each colour to the mean of its entries. Returns true if any colour changed.
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

    private static func imageQuant(_ entries: [ColorHistogram.Entry], limit: Int) throws(GIFError) -> [UInt32] {
        lv_single_openmp_thread()
        guard let attributes = liq_attr_create() else { throw GIFError(memoryFor: "palette") }
        defer { liq_attr_destroy(attributes) }
        guard let histogram = liq_histogram_create(attributes) else { throw GIFError(memoryFor: "palette") }
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
        guard let result else { throw GIFError(memoryFor: "palette") }
        defer { liq_result_destroy(result) }
        guard let palette = liq_get_palette(result) else { throw GIFError(memoryFor: "palette") }
        return withUnsafeBytes(of: palette.pointee.entries) { bytes in
            bytes.bindMemory(to: liq_color.self).prefix(Int(palette.pointee.count)).map {
                UInt32($0.r) << 16 | UInt32($0.g) << 8 | UInt32($0.b)
            }
        }
    }

    private static func check(_ status: liq_error) throws(GIFError) {
        guard status != LIQ_OK else { return }
        throw status == LIQ_OUT_OF_MEMORY
            ? GIFError(memoryFor: "palette")
            : GIFError(reason: "palette: libimagequant failed with error \(status.rawValue)")
    }
}

/// An error of GIF encoding.
package struct GIFError: Error, CustomStringConvertible {
    /// A message of one line.
    package let description: String
    /// True if memory could not be allocated.
    package let isOutOfMemory: Bool

    init(reason: String) {
        description = reason
        isOutOfMemory = false
    }

    init(memoryFor subject: String) {
        description = "\(subject): out of memory"
        isOutOfMemory = true
    }
}
