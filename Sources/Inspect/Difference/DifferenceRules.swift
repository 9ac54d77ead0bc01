import Core

/// The rules against which the differences between two frames are checked. Reusable; not
/// thread-safe.
final class DifferenceRules {
    private let cells: CellSums
    private let blocks: BlockMeans
    private let areas: AreaMeans

    init(_ cells: CellSums) {
        self.cells = cells
        blocks = BlockMeans(cells)
        areas = AreaMeans(cells)
    }

    /// Returns the measured difference and the violated rule.
    ///
    /// - Parameter minPSNR: the minimum PSNR in dB; nil if frames must be equal.
    func measure(_ flatness: Flatness, minPSNR: Double?) -> PairMeasure {
        var measure = PairMeasure(psnr: cells.psnr, minPSNR: minPSNR)
        blocks.measure()
        measure.block = blocks.largest
        guard let minPSNR else {
            measure.rule = .equal
            measure.regions = blocks.regions(above: 0)
            return measure
        }
        if measure.psnr < minPSNR {
            measure.rule = .psnr
        } else if blocks.hasChange {
            measure.rule = .block
        } else if blocks.hasSpot(flatness) {
            measure.rule = .spot
        }
        if measure.rule != nil {
            // A quarter of the largest difference tells a change from coding noise.
            measure.regions = blocks.regions(above: Float(max(DifferenceLimits.flatSpot, measure.block / 4)))
        } else {
            measure.areas = areas.violations(flatness)
            measure.flatBlock = blocks.largestFlat(flatness)
        }
        return measure
    }
}

extension CellSums {
    /// The PSNR in dB over red, green, blue and alpha. The products of different channels, which
    /// coding noise does not correlate, are those of the cells' means.
    var psnr: Double {
        let isRGB = transform.rows.count == 4
        var total = squares[0] * (isRGB ? 1 : transform.product(0, 0))
        if !isRGB {
            total += transform.product(1, 1) * squares[1] + transform.product(2, 2) * squares[2]
            for (first, second) in [(0, 1), (0, 2), (1, 2)] {
                let sum = product(channels[first], channels[second])
                total += 2 * transform.product(first, second) * sum / Double(Self.side * Self.side)
            }
        }
        guard total > 0 else { return .infinity }
        return 10 * log10(Double(4 * width * height) * 65025 / total)
    }

    private func product(_ first: UnsafeMutablePointer<Int16>, _ second: UnsafeMutablePointer<Int16>) -> Double {
        var result = 0.0
        for row in 0..<rows {
            var sum = 0
            for index in spans[row] {
                sum &+= Int(first[row * columns + index]) &* Int(second[row * columns + index])
            }
            result += Double(sum)
        }
        return result
    }

    /// Returns the sum of a square of cells, without those beyond the edges.
    func sum(_ column: Int, _ row: Int, side: Int) -> SIMD4<Float> {
        var sum = SIMD4<Float>.zero
        for y in row..<min(rows, row + side) {
            for channel in 0..<4 {
                let sums = channels[channel] + y * columns
                for x in spans[y].clamped(to: column..<column + side) { sum[channel] += Float(sums[x]) }
            }
        }
        return sum
    }

    /// Returns the block of 8x8 pixels that begins at a cell, in cells.
    func block(_ column: Int, _ row: Int) -> PixelRect {
        PixelRect(x: column, y: row, width: min(2, columns - column), height: min(2, rows - row))
    }
}
