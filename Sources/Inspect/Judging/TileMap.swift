/// A grid of tiles over a frame, with the tiles in which something is drawn or different.
struct TileMap {
    /// The side of a tile in pixels: a macroblock of H.264, so that encoding errors cancel out in
    /// the mean.
    static let side = 16

    /// The comparison of one tile of two frames.
    struct Tile {
        let x: Int
        let y: Int
        /// The signed mean differences by channel, in codes.
        var means = SIMD4<Float>(repeating: 0)
        /// True if the expected frame shows only background.
        var isBackground = true
        /// True if the expected frame shows a single colour.
        var isUniform = true
        /// The index of the region to which it belongs.
        var region = 0
    }

    /// The difference in codes from the background above which a sample is foreground. Conversion
    /// to YUV and back changes samples by up to 2.
    private static let minForeground = 6
    /// The mean difference in codes above which a tile of background is judged. Noise in an empty
    /// area stays below 2 at crf 38.
    private static let minDifference: Float = 3

    /// The judged tiles, row by row.
    private(set) var tiles: [Tile] = []
    /// The number of regions: groups of judged tiles that touch.
    private(set) var regionCount = 0
    /// The square of 16x16 pixels whose mean differs most, and the difference in codes. Squares
    /// overlap by half, so an object of at most 8x8 pixels lies wholly in one.
    private(set) var worst: (difference: Float, x: Int, y: Int) = (0, 0, 0)

    init(actual: FrameSamples, expected: FrameSamples, background: [UInt8]) {
        let columns = (expected.width + Self.side - 1) / Self.side
        let rows = (expected.height + Self.side - 1) / Self.side
        var indices = [Int32](repeating: -1, count: columns * rows)
        // The contribution of each square of 8x8 pixels to the mean of a square of 16x16.
        var parts = [SIMD4<Float>](repeating: SIMD4(repeating: 0), count: 4 * columns * rows)
        for row in 0..<rows {
            for column in 0..<columns {
                var tile = Tile(x: column * Self.side, y: row * Self.side)
                if Self.isEmpty(tile, actual: actual, expected: expected, background: background) { continue }
                let part = 4 * row * columns + 2 * column
                for channel in expected.channels.indices {
                    let quarters = Self.compare(
                        actual.channels[channel], to: expected.channels[channel], background: background[channel],
                        channel: channel, width: expected.width, height: expected.height, in: &tile)
                    parts[part][channel] = quarters.x
                    parts[part + 1][channel] = quarters.y
                    parts[part + 2 * columns][channel] = quarters.z
                    parts[part + 2 * columns + 1][channel] = quarters.w
                }
                guard !tile.isBackground || Self.largest(tile.means) > Self.minDifference else { continue }
                indices[row * columns + column] = Int32(tiles.count)
                tiles.append(tile)
            }
        }
        findWorst(in: parts, columns: 2 * columns, width: expected.width, height: expected.height)
        findRegions(in: &indices, columns: columns)
    }

    private mutating func findWorst(in parts: [SIMD4<Float>], columns: Int, width: Int, height: Int) {
        let half = Self.side / 2
        for tile in tiles {
            for y in stride(from: max(0, tile.y - half), through: tile.y + half, by: half) {
                for x in stride(from: max(0, tile.x - half), through: tile.x + half, by: half) {
                    let isTile = x == tile.x && y == tile.y
                    guard isTile || x + Self.side <= width && y + Self.side <= height else { continue }
                    let part = y / half * columns + x / half
                    let square = parts[part] + parts[part + 1] + parts[part + columns] + parts[part + columns + 1]
                    let mean = isTile ? tile.means : square
                    let difference = Self.largest(mean)
                    if difference > worst.difference { worst = (difference, x, y) }
                }
            }
        }
    }

    /// Returns the largest absolute mean of a channel.
    private static func largest(_ means: SIMD4<Float>) -> Float { max(abs(means.min()), abs(means.max())) }

    /// Returns true if both frames show the background alone in a whole tile of planar samples. In
    /// most clips most tiles do, and comparing words is faster than summing differences.
    private static func isEmpty(
        _ tile: Tile, actual: FrameSamples, expected: FrameSamples, background: [UInt8]
    ) -> Bool {
        guard tile.x + side <= expected.width, tile.y + side <= expected.height else { return false }
        return background.indices.allSatisfy { index in
            hasOnly(background[index], in: actual.channels[index], of: tile)
                && hasOnly(background[index], in: expected.channels[index], of: tile)
        }
    }

    private static func hasOnly(_ value: UInt8, in channel: FrameSamples.Channel, of tile: Tile) -> Bool {
        let words = (side >> channel.shiftX) / MemoryLayout<UInt64>.size
        guard channel.step == 1, words > 0 else { return false }
        let expected = UInt64(value) * 0x0101_0101_0101_0101
        let start = channel.data + (tile.y >> channel.shiftY) * channel.stride + (tile.x >> channel.shiftX)
        var difference: UInt64 = 0
        for row in 0..<(side >> channel.shiftY) {
            let line = UnsafeRawPointer(start + row * channel.stride)
            for word in 0..<words {
                difference |= line.loadUnaligned(fromByteOffset: 8 * word, as: UInt64.self) ^ expected
            }
        }
        return difference == 0
    }

    /// Adds a channel to a tile. Returns what each quarter contributes to the mean of a whole tile.
    private static func compare(
        _ actual: FrameSamples.Channel, to expected: FrameSamples.Channel, background: UInt8, channel: Int,
        width: Int, height: Int, in tile: inout Tile
    ) -> SIMD4<Float> {
        let x = tile.x >> expected.shiftX
        let y = tile.y >> expected.shiftY
        let columns = ((min(width, tile.x + side) - 1) >> expected.shiftX) - x + 1
        let rows = ((min(height, tile.y + side) - 1) >> expected.shiftY) - y + 1
        let a = Samples(start: actual.data + y * actual.stride + x * actual.step, stride: actual.stride)
        let e = Samples(start: expected.data + y * expected.stride + x * expected.step, stride: expected.stride)
        let halves = (x: side / 2 >> expected.shiftX, y: side / 2 >> expected.shiftY)
        let sums: Sums
        if expected.step == 1, columns == 16 {
            sums = Self.sums(actual: a, expected: e, rows: rows, half: halves.y, as: SIMD16<UInt8>.self) {
                SIMD16<Int16>(truncatingIfNeeded: $0)
            }
        } else if expected.step == 1, columns == 8, halves.x == 4 {
            sums = Self.sums(actual: a, expected: e, rows: rows, half: halves.y, as: SIMD8<UInt8>.self) {
                SIMD8<Int16>(truncatingIfNeeded: $0)
            }
        } else {
            sums = sumsOfAny(
                actual: a, expected: e, step: expected.step, columns: columns, rows: rows, halves: halves)
        }
        let differences = SIMD4<Float>(sums.differences)
        tile.means[channel] = differences.sum() / Float(columns * rows)
        let range = max(Int(sums.high) - Int(background), Int(background) - Int(sums.low))
        if range > minForeground { tile.isBackground = false }
        if sums.low != sums.high { tile.isUniform = false }
        return differences / Float(4 * halves.x * halves.y)
    }

    /// The samples of one channel in a tile.
    private struct Samples {
        let start: UnsafePointer<UInt8>
        /// The distance between the starts of two rows in bytes.
        let stride: Int
    }

    /// The sums of the signed differences of a tile's samples by quarter (upper left, upper right,
    /// lower left, lower right), and the range of the expected samples.
    private struct Sums {
        var differences = SIMD4<Int32>(repeating: 0)
        var low: UInt8
        var high: UInt8
    }

    /// Sums rows of as many samples as a vector has lanes.
    @inline(__always)
    private static func sums<Bytes: SIMD, Words: SIMD>(
        actual: Samples, expected: Samples, rows: Int, half: Int, as bytes: Bytes.Type, widen: (Bytes) -> Words
    ) -> Sums where Bytes.Scalar == UInt8, Words.Scalar == Int16 {
        var upper = Words(repeating: 0)
        var lower = Words(repeating: 0)
        var low = Bytes(repeating: 255)
        var high = Bytes(repeating: 0)
        for row in 0..<rows {
            let a = UnsafeRawPointer(actual.start + row * actual.stride).loadUnaligned(as: bytes)
            let e = UnsafeRawPointer(expected.start + row * expected.stride).loadUnaligned(as: bytes)
            let difference = widen(a) &- widen(e)
            if row < half { upper &+= difference } else { lower &+= difference }
            low = pointwiseMin(low, e)
            high = pointwiseMax(high, e)
        }
        var sums = Sums(low: low.min(), high: high.max())
        for index in 0..<Words.scalarCount {
            let right = index < Words.scalarCount / 2 ? 0 : 1
            sums.differences[right] += Int32(upper[index])
            sums.differences[2 + right] += Int32(lower[index])
        }
        return sums
    }

    private static func sumsOfAny(
        actual: Samples, expected: Samples, step: Int, columns: Int, rows: Int, halves: (x: Int, y: Int)
    ) -> Sums {
        var sums = Sums(low: 255, high: 0)
        for row in 0..<rows {
            for column in 0..<columns {
                let a = actual.start[row * actual.stride + column * step]
                let e = expected.start[row * expected.stride + column * step]
                let quarter = (row < halves.y ? 0 : 2) + (column < halves.x ? 0 : 1)
                sums.differences[quarter] += Int32(a) - Int32(e)
                sums.low = min(sums.low, e)
                sums.high = max(sums.high, e)
            }
        }
        return sums
    }

    /// Numbers the groups of judged tiles that touch, diagonally too.
    private mutating func findRegions(in indices: inout [Int32], columns: Int) {
        let grid = CellGrid(width: columns, height: columns == 0 ? 0 : indices.count / columns)
        for start in indices.indices where indices[start] >= 0 {
            _ = grid.connected(to: start) { cell in
                guard indices[cell] >= 0 else { return false }
                tiles[Int(indices[cell])].region = regionCount
                indices[cell] = -1
                return true
            }
            regionCount += 1
        }
    }
}
