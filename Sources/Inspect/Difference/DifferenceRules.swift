import Core

/// The limits of the rules for clips of which at least one is lossy.
///
/// Calibrated with the eight built-in loaders and FFmpeg's `testsrc2` and `mandelbrot` at crf 18,
/// encoded again as H.264, HEVC, VP9 and AV1 at crf 18, 23 and 28. `scripts/test-diff` repeats the
/// loaders in H.264, HEVC and VP9.
enum DifferenceLimits {
    /// The maximum difference between the means of a block of 8x8 pixels, in codes, if a square of
    /// 16x16 pixels around it differs by more than `aroundBlock`. Re-encoding mostly causes less
    /// than 20; a few frames at crf 28 reach 32.
    static let block = 24.0
    /// The difference of such a square in codes. Coding errors have both signs, so re-encoding
    /// causes up to 11. An object that moves by a pixel causes half of the block's difference.
    static let aroundBlock = 12.0
    /// The difference above which a block certainly violates the limit, although the mapping from
    /// YUV ignores clipping and the interpolation of chroma.
    static let certainBlock = 2 * block
    /// The PSNR, as a fraction of its minimum, below which a frame certainly violates the limit.
    static let certainPSNRRatio = 0.9
    /// The smallest difference of a flat block that can raise the limit of an area.
    static let minFlatBlock: Float = 3
    /// The maximum difference of 8x8 pixels in a flat area, in codes, at any multiple of 4 pixels.
    /// Re-encoding causes up to 16.4. A spot of 4x4 pixels lies in one of them, so one of more than
    /// 72 codes is found.
    static let flatSpot = 18.0
    /// The maximum difference of 8x8 pixels where no frame is flat, in codes. Re-encoding causes up
    /// to 43; a spot of more than 192 codes is found.
    static let spot = 48.0
    /// The limits for the means of flat areas.
    static let areas: [AreaLimit] = [
        // Re-encoding causes up to 1.4 without noise, and 0.74 of the largest difference of a flat
        // block of 8x8 pixels with noise.
        AreaLimit(side: 16, codes: 1.7, noise: 1),
        // Re-encoding causes up to 0.40 of that difference.
        AreaLimit(side: 32, codes: 1.4, noise: 0.45),
        // Re-encoding causes up to 0.14 of that difference.
        AreaLimit(side: 64, codes: 0.75, noise: 0.16),
    ]

    /// The limit for the mean of a flat square.
    struct AreaLimit {
        /// The side of the square in pixels.
        let side: Int
        /// The maximum difference in codes.
        let codes: Double
        /// The maximum difference as a fraction of the largest difference of a flat block of 8x8
        /// pixels in any frame. Applies if it is above `codes`: such blocks show how coarse the
        /// encoder is, and a change of a whole area is as large in a block as in the area.
        let noise: Double
    }
}

/// The measured difference between two frames.
struct PairMeasure: Sendable {
    /// A flat area whose mean differs.
    struct Area: Sendable {
        /// The index of the limit in `DifferenceLimits.areas`.
        let limit: Int
        /// The largest difference of a mean in codes.
        let codes: Double
        /// The bounds of the areas that differ at least half as much.
        let regions: [ChangedRegion]
    }

    /// The PSNR in dB over red, green, blue and alpha.
    var psnr = Double.infinity
    /// The largest difference between the means of a block of 8x8 pixels, in codes.
    var block = 0.0
    /// The largest difference between the means of a flat block of 8x8 pixels, in codes; 0 if it is
    /// too small to matter.
    var flatBlock = 0.0
    /// The flat areas that violate a limit unless the clips are noisy.
    var areas: [Area] = []
    /// The violated rule except `area`; nil if there is none.
    var rule: ClipDifference.Rule?
    /// The areas that violate the rule, in descending order of weight.
    var regions: [ChangedRegion] = []

    /// True if the frames violate a rule by so little that rounding may be the reason.
    var isBorderline: Bool {
        switch rule {
        case .psnr: psnr > DifferenceLimits.certainPSNRRatio * (minPSNR ?? 0)
        case .block, .spot: block < DifferenceLimits.certainBlock
        case .equal, .area, nil: false
        }
    }
    /// The minimum PSNR in dB; nil if frames must be equal.
    var minPSNR: Double?
}

/// Applies the rules to the differences between two frames. Reusable; not thread-safe.
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
