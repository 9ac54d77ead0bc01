import Raster
import Scene
import TestSupport

/// What differs between two pictures with letters, one of which may be by another system's Pango and FreeType.
///
/// Those put letters up to half a pixel beside and smooth their edges otherwise, which tells nothing. So a text is compared
/// by its ink: as much, of the same colour, at the same place. Everything else is compared pixel by pixel.
struct CaptionComparison {
    /// Part of a text's ink that may differ. Measured between Pango 1.50, 1.56 and 1.58: at most 0.015, and 0.08 where
    /// two texts touch.
    static let inkTolerance = 0.12
    /// How far a text's ink may lie beside, in pixels. Measured: at most 0.65; letters that Cairo places on whole pixels
    /// take a step of one.
    static let shift = 1.25
    /// Side in pixels of the cells that the rest is looked at in, and how many pixels of one may differ: any figure of the
    /// smallest captions has more. Measured between Cairo 1.16 and 1.18: at most 4.
    static let (cell, cellBudget) = (8, 8)

    /// What looks otherwise, in words; empty if the pictures are the same for all that tells.
    let problems: [String]

    /// Compares pictures of a scene whose letters are in these boxes.
    init(_ expected: PixelGrid, _ actual: PixelGrid, letters boxes: [PixelRect]) {
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
                let paper = expected.commonestColor(in: box)
                let (before, after) = (Ink(expected, in: box, on: paper), Ink(actual, in: box, on: paper))
                return after.difference(from: before).map { "text at \(box.x), \(box.y): \($0)" }
            }
    }
}

/// How much ink is in a box of a picture, and where: what stands out from the paper.
private struct Ink {
    /// For red, green, blue and alpha, summed over pixels, of 255 each.
    private var amounts = SIMD4<Double>.zero
    /// Mean position from the box's corner, in pixels.
    private var center = Point(0, 0)

    init(_ picture: PixelGrid, in box: PixelRect, on paper: PixelGrid.Pixel) {
        var (total, moment) = (0.0, Point(0, 0))
        for row in 0..<box.height {
            for column in 0..<box.width {
                let pixel = picture[box.x + column, box.y + row]
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

    /// How this differs from what was there before, in words; nil if it does not.
    func difference(from other: Ink) -> String? {
        let part = worst(amounts - other.amounts) / max(worst(other.amounts), 1)
        if part > CaptionComparison.inkTolerance { return "ink differs by a part of \(part)" }
        let shift = center.distance(to: other.center)
        return shift > CaptionComparison.shift ? "\(shift) pixels beside" : nil
    }
}

extension PixelGrid {
    /// The colour that most pixels in a box have.
    fileprivate func commonestColor(in box: PixelRect) -> Pixel {
        var counts: [Pixel: Int] = [:]
        for row in box.y..<box.maxY {
            for column in box.x..<box.maxX { counts[self[column, row], default: 0] += 1 }
        }
        // The order of a dictionary is another each time.
        return counts.max { ($0.value, $0.key.red, $0.key.green) < ($1.value, $1.key.red, $1.key.green) }?.key
            ?? Pixel(0, 0, 0, 0)
    }
}
