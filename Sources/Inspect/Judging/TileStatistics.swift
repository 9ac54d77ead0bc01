import Core

/// The differences between a tile of a frame and the expected tile, separately for flat areas and
/// edges.
///
/// Everything is measured along one line through the colour space: from the background to the
/// tile's most different colour. The position on it is the coverage of a pixel, 0...1. Blur does
/// not change signed sums of coverage, because it moves as much out of an edge as into it.
struct TileStatistics {
    /// The most different colour from the background among the tile's expected pixels.
    private(set) var color = SIMD4<Float>(repeating: 0)
    /// The flat areas by colour, at most `maxAreas`.
    private(set) var areas: [FlatArea] = []
    /// The length of the edges in pixels: the sum of the expected coverage's gradients.
    private(set) var edgeLength: Float = 0
    /// The fit of the coverage differences at edges.
    private(set) var fit = EdgeFit()
    /// The sums of the samples near edges, actual and expected, relative to the background; 0 if
    /// `color` has a flat area.
    private(set) var edgeActual = SIMD4<Float>(repeating: 0)
    private(set) var edgeExpected = SIMD4<Float>(repeating: 0)

    /// The flat pixels of one colour in a tile.
    struct FlatArea {
        /// The expected colour of the first pixel.
        let color: SIMD4<Float>
        var count: Float = 0
        /// The sums of the samples, of the expected ones, and of the squared differences.
        var actual = SIMD4<Float>(repeating: 0)
        var expected = SIMD4<Float>(repeating: 0)
        var energy: Float = 0
    }

    /// The maximum number of flat colours in a tile. Tiles with more show a gradient.
    private static let maxAreas = 4
    /// The squared distance in codes within which pixels have the same colour.
    private static let sameColor: Float = 64
    /// The pixels around a tile that are read for gradients and for the distance from edges.
    private static let margin = 4
    private static let side = TileMap.side + 2 * margin
    /// The gradient of coverage per pixel above which a pixel belongs to an edge: about half a code
    /// at the lowest contrast, `minContrast`.
    private static let minGradient: Float = 0.04
    /// The distance in pixels from an edge within which pixels are not flat, and within which they
    /// belong to the edge: one more, so that sums contain all that blur moves out of the edge.
    private static let edgeReach = (flat: 2, edge: 3)
    /// The minimum length of the line through the colour space, in codes. Below, coverage would be
    /// mostly noise.
    private static let minContrast: Float = 12

    /// Buffers that all tiles of a comparison share.
    final class Scratch {
        fileprivate var expected = [Float](repeating: 0, count: side * side)
        fileprivate var edges = [UInt32](repeating: 0, count: side)
    }

    /// Measures a tile if the expected frame shows a single colour in it and around it, as most
    /// tiles do; nil otherwise. The result is that of the other initializer.
    init?(uniform tile: TileMap.Tile, _ actual: FrameSamples, _ expected: FrameSamples) {
        let columns = tile.x..<tile.x + TileMap.side
        let rows = tile.y..<tile.y + TileMap.side
        let surroundings = PixelRect(
            x: tile.x - Self.margin, y: tile.y - Self.margin, width: Self.side, height: Self.side)
        guard tile.isUniform, columns.upperBound <= expected.width, rows.upperBound <= expected.height,
            expected.isUniform(surroundings)
        else { return nil }
        color = expected.samples(tile.x, tile.y)
        let energy = zip(actual.channels, expected.channels).reduce(0) { sum, channels in
            sum + channels.0.squares(columns: columns, rows: rows, from: channels.1.sample(tile.x, tile.y))
        }
        let count = Float(TileMap.side * TileMap.side)
        areas = [
            FlatArea(
                color: color, count: count, actual: count * (color + tile.means), expected: count * color,
                energy: Float(energy))
        ]
    }

    /// Measures a tile whose upper left pixel is at `x`, `y`.
    init(
        _ actual: FrameSamples, _ expected: FrameSamples, x: Int, y: Int, background: SIMD4<Float>, scratch: Scratch
    ) {
        color = Self.extremeColor(expected, x, y, background)
        var line = color - background
        let length = (line * line).sum()
        guard length > Self.minContrast * Self.minContrast else {
            addFlat(actual, expected, x, y, nil)
            return
        }
        line /= length
        Self.fill(&scratch.expected, expected, x, y, background, line)
        Self.findEdges(scratch)
        addFlat(actual, expected, x, y, scratch)
        addEdges(actual, expected, x, y, background, line, scratch)
    }

    private static func extremeColor(
        _ expected: FrameSamples, _ x: Int, _ y: Int, _ background: SIMD4<Float>
    ) -> SIMD4<Float> {
        var found = background
        var largest: Float = 0
        for row in y..<min(expected.height, y + TileMap.side) {
            for column in x..<min(expected.width, x + TileMap.side) {
                let samples = expected.samples(column, row)
                let offset = samples - background
                let distance = (offset * offset).sum()
                guard distance > largest else { continue }
                largest = distance
                found = samples
            }
        }
        return found
    }

    /// Fills a buffer with the expected coverage of a tile and its margin.
    private static func fill(
        _ buffer: inout [Float], _ frame: FrameSamples, _ x: Int, _ y: Int, _ background: SIMD4<Float>,
        _ line: SIMD4<Float>
    ) {
        buffer.withUnsafeMutableBufferPointer { buffer in
            for row in 0..<side {
                let frameRow = min(frame.height - 1, max(0, y + row - margin))
                for column in 0..<side {
                    let frameColumn = min(frame.width - 1, max(0, x + column - margin))
                    buffer[row * side + column] = ((frame.samples(frameColumn, frameRow) - background) * line).sum()
                }
            }
        }
    }

    /// Marks the pixels with a gradient as bits, with one number per row.
    private static func findEdges(_ scratch: Scratch) {
        scratch.expected.withUnsafeBufferPointer { values in
            for row in 1..<side - 1 {
                var bits: UInt32 = 0
                for column in 1..<side - 1 {
                    let index = row * side + column
                    let horizontal = abs(values[index + 1] - values[index - 1])
                    let vertical = abs(values[index + side] - values[index - side])
                    if max(horizontal, vertical) > 2 * minGradient { bits |= 1 << UInt32(column) }
                }
                scratch.edges[row] = bits
            }
        }
        scratch.edges[0] = scratch.edges[1]
        scratch.edges[side - 1] = scratch.edges[side - 2]
    }

    /// Returns the edge pixels of a row of the tile, widened by a number of pixels.
    private static func mask(_ edges: [UInt32], _ row: Int, _ radius: Int) -> UInt32 {
        var bits: UInt32 = 0
        for other in row + margin - radius...row + margin + radius { bits |= edges[other] }
        var wide = bits
        for shift in 1...UInt32(radius) { wide |= bits << shift | bits >> shift }
        return wide >> UInt32(margin)
    }

    private mutating func addFlat(
        _ actual: FrameSamples, _ expected: FrameSamples, _ x: Int, _ y: Int, _ scratch: Scratch?
    ) {
        for row in 0..<min(TileMap.side, expected.height - y) {
            let edges = scratch.map { Self.mask($0.edges, row, Self.edgeReach.flat) } ?? 0
            for column in 0..<min(TileMap.side, expected.width - x) where edges >> UInt32(column) & 1 == 0 {
                addFlat(expected.samples(x + column, y + row), actual.samples(x + column, y + row))
            }
        }
    }

    @inline(__always)
    private mutating func addFlat(_ expected: SIMD4<Float>, _ actual: SIMD4<Float>) {
        var found = 0
        while found < areas.count {
            let offset = areas[found].color - expected
            if (offset * offset).sum() < Self.sameColor { break }
            found += 1
        }
        if found == areas.count {
            guard found < Self.maxAreas else { return }
            areas.append(FlatArea(color: expected))
        }
        let difference = actual - expected
        areas[found].count += 1
        areas[found].expected += expected
        areas[found].actual += actual
        areas[found].energy += (difference * difference).sum()
    }

    private mutating func addEdges(
        _ actual: FrameSamples, _ expected: FrameSamples, _ x: Int, _ y: Int, _ background: SIMD4<Float>,
        _ line: SIMD4<Float>, _ scratch: Scratch
    ) {
        let isThin = !areas.contains { (($0.color - color) * ($0.color - color)).sum() < Self.sameColor }
        scratch.expected.withUnsafeBufferPointer { values in
            for row in 0..<min(TileMap.side, expected.height - y) {
                let edges = Self.mask(scratch.edges, row, Self.edgeReach.edge)
                guard edges & 0xFFFF != 0 else { continue }
                for column in 0..<min(TileMap.side, expected.width - x) where edges >> UInt32(column) & 1 == 1 {
                    let index = (row + Self.margin) * Self.side + column + Self.margin
                    let samples = actual.samples(x + column, y + row) - background
                    if isThin {
                        edgeActual += samples
                        edgeExpected += expected.samples(x + column, y + row) - background
                    }
                    let difference = (samples * line).sum() - values[index]
                    let dx = (values[index + 1] - values[index - 1]) / 2
                    let dy = (values[index + Self.side] - values[index - Self.side]) / 2
                    edgeLength += (dx * dx + dy * dy).squareRoot()
                    fit.add(dx: dx, dy: dy, difference: difference)
                }
            }
        }
    }
}
