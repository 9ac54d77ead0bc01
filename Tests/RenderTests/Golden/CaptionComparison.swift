import Core
import Raster
import TestSupport

/// The visible differences between two drawings with text, one of which may come from another
/// system's Pango and FreeType.
///
/// Other versions shift glyphs by up to half a pixel and smooth their edges differently, which is
/// not an error. So a text is compared by the amount, colour and position of its ink, and
/// everything else pixel by pixel.
struct CaptionComparison {
    /// The tolerated relative difference of a text's ink. Measured between Pango 1.50, 1.56 and
    /// 1.58: at most 0.015, and 0.08 where two texts touch.
    static let inkTolerance = 0.12
    /// The tolerated offset of a text's ink in pixels. Measured: at most 0.65; glyphs that Cairo
    /// places on whole pixels move in steps of one.
    static let maxOffset = 1.25
    /// The side of the cells in which everything else is compared, in pixels.
    static let cell = 8
    /// The tolerated number of different pixels in a cell: fewer than any digit of the smallest
    /// captions has. Measured between Cairo 1.16 and 1.18: at most 4.
    static let cellBudget = 8

    /// Descriptions of the differences; empty if the drawings match.
    let problems: [String]

    /// Compares drawings of a scene whose texts are in the given boxes.
    init(_ expected: PixelGrid, _ actual: PixelGrid, textBoxes boxes: [PixelRect]) {
        let comparison = Comparison(expected, actual)
        guard let map = comparison.map else {
            problems = ["sizes: \(expected) and \(actual)"]
            return
        }
        let white = map.pixels.withUnsafeBufferPointer { pixels in
            stride(from: 0, to: pixels.count, by: 4).filter { pixels[$0] > 0 }
        }
        var touched: Set<PixelRect> = []
        var cells: [PixelRect: Int] = [:]
        for index in white {
            let (x, y) = (index / 4 % map.width, index / 4 / map.width)
            let pixel = PixelRect(x: x, y: y, width: 1, height: 1)
            let around = boxes.filter { $0.overlaps(pixel) }
            touched.formUnion(around)
            guard around.isEmpty else { continue }
            let (column, row) = (x / Self.cell * Self.cell, y / Self.cell * Self.cell)
            cells[PixelRect(x: column, y: row, width: Self.cell, height: Self.cell), default: 0] += 1
        }
        problems =
            cells.filter { $0.value > Self.cellBudget }.map { "\($0.value) pixels at \($0.key.x), \($0.key.y)" }
            + touched.compactMap { box in
                let paper = expected.mostFrequentColor(in: box)
                let (before, after) = (Ink(expected, in: box, on: paper), Ink(actual, in: box, on: paper))
                return after.difference(from: before).map { "text at \(box.x), \(box.y): \($0)" }
            }
    }
}

/// The amount and position of ink in a box of a drawing. Ink is the difference from the background
/// colour.
private struct Ink {
    /// The sums of red, green, blue and alpha over all pixels, in units of 1/255.
    private var amounts = SIMD4<Double>.zero
    /// The mean position relative to the box's origin, in pixels.
    private var center = Point(0, 0)

    init(_ image: PixelGrid, in box: PixelRect, on paper: PixelGrid.Pixel) {
        var (total, moment) = (0.0, Point(0, 0))
        for row in 0..<box.height {
            for column in 0..<box.width {
                let pixel = image[box.x + column, box.y + row]
                let weight = Double(pixel.distance(to: paper))
                guard weight > 0 else { continue }
                amounts += SIMD4(
                    Double(pixel.red - paper.red), Double(pixel.green - paper.green), Double(pixel.blue - paper.blue),
                    Double(pixel.alpha - paper.alpha))
                total += weight
                moment = moment + Point(Double(column), Double(row)) * weight
            }
        }
        if total > 0 { center = moment * (1 / total) }
    }

    private func worst(_ amounts: SIMD4<Double>) -> Double { (0..<4).map { abs(amounts[$0]) }.max() ?? 0 }

    /// Returns a description of the difference from other ink; nil if there is none.
    func difference(from other: Ink) -> String? {
        let part = worst(amounts - other.amounts) / max(worst(other.amounts), 1)
        if part > CaptionComparison.inkTolerance { return "ink differs by a factor of \(part)" }
        let offset = center.distance(to: other.center)
        return offset > CaptionComparison.maxOffset ? "offset by \(offset) pixels" : nil
    }
}

extension PixelGrid {
    /// Returns the most frequent colour in a box.
    fileprivate func mostFrequentColor(in box: PixelRect) -> Pixel {
        var counts: [Pixel: Int] = [:]
        for row in box.y..<box.maxY {
            for column in box.x..<box.maxX { counts[self[column, row], default: 0] += 1 }
        }
        // The order of a dictionary varies between runs, so ties need a rule.
        return counts.max { ($0.value, $0.key.red, $0.key.green) < ($1.value, $1.key.red, $1.key.green) }?.key
            ?? Pixel(0, 0, 0, 0)
    }
}
