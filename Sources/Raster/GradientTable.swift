import Core

/// The premultiplied colours of a gradient at evenly spaced offsets from 0 to 1.
final class GradientTable {
    /// The properties of a gradient that its table depends on. The position and direction of the
    /// gradient are not among them.
    struct Key: Hashable {
        let stops: [GradientStop]
        /// The number of steps between the offsets 0 and 1.
        let stepCount: Int
    }

    /// One colour more than there are steps.
    let colors: [UInt32]

    init(_ key: Key) {
        let stops = key.stops
        let components = stops.map { stop in
            SIMD4(Float(stop.color.blue), Float(stop.color.green), Float(stop.color.red), Float(stop.color.alpha))
        }
        var next = 0
        colors = (0...key.stepCount).map { step in
            let offset = Double(step) / Double(key.stepCount)
            while next < stops.count, stops[next].offset <= offset { next += 1 }
            // The first and the last colour stand for all offsets outside of 0...1, too.
            guard step > 0, next > 0 else { return Self.pixel(components[0]) }
            guard step < key.stepCount, next < stops.count else { return Self.pixel(components[stops.count - 1]) }
            let low = stops[next - 1].offset
            let fraction = Float((offset - low) / (stops[next].offset - low))
            return Self.pixel(components[next - 1] + (components[next] - components[next - 1]) * fraction)
        }
    }

    /// Returns a colour, not premultiplied, as a pixel.
    private static func pixel(_ color: SIMD4<Float>) -> UInt32 {
        var premultiplied = color * color.w
        premultiplied.w = color.w
        let bytes = (premultiplied * 255).roundedToIntegers
        return bytes.w << 24 | bytes.z << 16 | bytes.y << 8 | bytes.x
    }
}

/// The memory that the gradients of a drawing and of its effects share. Not thread-safe.
final class GradientBuffers {
    /// Memory for the pixels of one gradient at a time.
    var pixels: [UInt32] = []

    /// The maximum number of colours in all tables, 8 MB: 30 of the largest tables, or 7,800 of the
    /// smallest.
    private static let maxColors = 2_000_000

    private var tables: [GradientTable.Key: GradientTable] = [:]
    private var colorCount = 0

    /// Returns the table of a gradient. Tables are kept, so bands and frames share them, until
    /// there are too many colours.
    func table(_ key: GradientTable.Key) -> GradientTable {
        if let known = tables[key] { return known }
        let table = GradientTable(key)
        if colorCount + table.colors.count > Self.maxColors {
            tables.removeAll()
            colorCount = 0
        }
        tables[key] = table
        colorCount += table.colors.count
        return table
    }
}
