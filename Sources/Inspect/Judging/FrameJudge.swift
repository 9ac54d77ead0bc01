import Core

/// The comparison of a clip's frames with expected ones as a person sees them: the colours of flat
/// areas, the positions of edges and the size of what they enclose, in the whole foreground.
///
/// Encoding errors have both signs and change from frame to frame, so their means over an area, an
/// outline or a clip are small. Wrong parameters have the same sign everywhere.
struct FrameJudge {
    /// A position in the clip.
    struct Position {
        var frame: Int
        var time: Double
        var box: PixelRect
    }

    /// The differences of one flat colour of the expected clip, over all frames.
    struct ColorTotals {
        /// The number of frames that show the colour, and the latest of them.
        var frames = 0
        var latest = -1
        /// The number of flat pixels, the sums of their samples and of the squared differences.
        var count = 0.0
        var actual = SIMD4<Double>(repeating: 0)
        var expected = SIMD4<Double>(repeating: 0)
        var energy = 0.0
        /// The tile with the largest area.
        var position: Position
        var largest: Float = 0
    }

    /// The differences at the edges in a part of the frame, over all frames.
    struct BlockTotals {
        var length = 0.0
        var fit = EdgeFit()
        /// The tile with the longest edges.
        var position: Position
        var longest: Float = 0
    }

    /// The differences at the edges of objects with one colour, over all frames.
    struct EdgeTotals {
        /// The colour, and the sums of the samples near edges relative to the background.
        var color: SIMD4<Double>
        var actual = SIMD4<Double>(repeating: 0)
        var expected = SIMD4<Double>(repeating: 0)
        /// The length of the edges in pixels.
        var length = 0.0
        /// The numerator and the denominator of the outward growth, and the sum of all squared
        /// differences.
        var outward = 0.0
        var gradients = 0.0
        var energy = 0.0
        /// The number of frames that show the edges, and the latest of them.
        var frames = 0
        var latest = -1
        /// The part of `energy` that the displacements of regions explain, frame by frame.
        var displaced = 0.0
        var displacedGradients = 0.0
        var displacedEnergy = 0.0
        /// The region that is displaced most, and the tile that grows most.
        var position: Position
        var largest: Float = 0
    }

    /// The differences at the edges of one colour in a group of tiles that touch, in one frame.
    fileprivate struct Region {
        var fit = EdgeFit()
        var edgeLength: Float = 0
        var box: PixelRect?
    }

    private(set) var colors: [UInt32: ColorTotals] = [:]
    private(set) var edges: [UInt32: EdgeTotals] = [:]
    /// The differences at edges by position: in squares of `blockTiles` tiles that overlap by half.
    private(set) var blocks: [Int: BlockTotals] = [:]
    /// The region of a frame that is displaced most, in pixels.
    private(set) var worstRegion: (displacement: Double, at: Position)?
    /// The square of 16x16 pixels whose mean differs most, and the difference in codes.
    private(set) var worstSquare: (difference: Double, at: Position)?
    /// The number of frames.
    private(set) var frameCount = 0
    /// The largest displacement in pixels of a region of the latest frame, if it explains the
    /// differences there.
    private(set) var latestDisplacement = 0.0
    private(set) var background: [UInt8]?
    private let scratch = TileStatistics.Scratch()

    /// The maximum number of colours. More occur only in gradients.
    private static let maxColors = 512
    /// The maximum number of tiles that are measured in a frame. With more, only every second or
    /// third tile is measured, and so on: different ones in each frame.
    private static let maxTiles = 300
    /// The side of a square of `blocks` in tiles.
    private static let blockTiles = 4
    /// The minimum length of a region's edges in pixels.
    private static let minEdgeLength: Float = 12
    /// The part of a region's differences that its displacement must explain in one frame. Where
    /// an encoder leaves only noise, the best displacement of pale edges can be large.
    private static let minRegionDisplacementShare: Float = 0.25

    /// Adds a frame. `time` is in seconds.
    mutating func add(_ actual: FrameSamples, _ expected: FrameSamples, frame: Int, time: Double) {
        let background = self.background ?? expected.channels.map { $0.sample(0, 0) }
        self.background = background
        let map = TileMap(actual: actual, expected: expected, background: background)
        var regions = [[UInt32: Region]](repeating: [:], count: map.regionCount)
        let ground = FrameSamples.vector(background)
        let stride = (map.tiles.count + Self.maxTiles - 1) / Self.maxTiles
        for (index, tile) in map.tiles.enumerated() {
            guard stride < 2 || index % stride == frame % stride else { continue }
            let position = Position(
                frame: frame, time: time,
                box: PixelRect(x: tile.x, y: tile.y, width: TileMap.side, height: TileMap.side))
            let statistics =
                TileStatistics(uniform: tile, actual, expected)
                ?? TileStatistics(actual, expected, x: tile.x, y: tile.y, background: ground, scratch: scratch)
            for area in statistics.areas { add(area, position) }
            guard statistics.edgeLength > 0 else { continue }
            let key = Self.key(statistics.color)
            add(statistics, key, position)
            regions[tile.region][key, default: Region()].add(statistics.fit, statistics.edgeLength, position.box)
        }
        let worst = Double(map.worst.difference)
        if worst > worstSquare?.difference ?? 0 {
            let box = PixelRect(x: map.worst.x, y: map.worst.y, width: TileMap.side, height: TileMap.side)
            worstSquare = (worst, Position(frame: frame, time: time, box: box))
        }
        frameCount += 1
        latestDisplacement = 0
        for region in regions { add(region, frame, time) }
    }

    /// Returns the key of a colour: its samples, reduced to 5 bits.
    private static func key(_ color: SIMD4<Float>) -> UInt32 {
        (0..<4).reduce(0) { $0 << 8 | UInt32(color[$1]) >> 3 }
    }

    private mutating func add(_ area: TileStatistics.FlatArea, _ position: Position) {
        let key = Self.key(area.color)
        guard colors[key] != nil || colors.count < Self.maxColors else { return }
        colors[key, default: ColorTotals(position: position)].add(area, position)
    }

    private mutating func add(_ statistics: TileStatistics, _ key: UInt32, _ position: Position) {
        addToBlocks(statistics, position)
        guard edges[key] != nil || edges.count < Self.maxColors else { return }
        let totals = EdgeTotals(color: SIMD4<Double>(statistics.color), position: position)
        edges[key, default: totals].add(statistics, position.frame)
    }

    private mutating func addToBlocks(_ statistics: TileStatistics, _ position: Position) {
        let half = Self.blockTiles / 2 * TileMap.side
        let (column, row) = (position.box.x / half, position.box.y / half)
        // A block begins at every half of its side, so a tile lies in up to four.
        for y in max(0, row - 1)...row {
            for x in max(0, column - 1)...column {
                blocks[y << 16 | x, default: BlockTotals(position: position)].add(statistics, position)
            }
        }
    }

    /// Adds the colours of a group of tiles that touch. Colours with short edges, mostly mixtures
    /// of others, belong to the one with the longest.
    private mutating func add(_ parts: [UInt32: Region], _ frame: Int, _ time: Double) {
        let sorted = parts.sorted { ($1.value.edgeLength, $0.key) < ($0.value.edgeLength, $1.key) }
        guard let (key, longest) = sorted.first else { return }
        var main = longest
        for (key, part) in sorted.dropFirst() {
            guard part.edgeLength < Self.minEdgeLength, let box = part.box else {
                add(part, key, frame, time)
                continue
            }
            main.add(part.fit, part.edgeLength, box)
        }
        add(main, key, frame, time)
    }

    private mutating func add(_ region: Region, _ key: UInt32, _ frame: Int, _ time: Double) {
        guard region.edgeLength >= Self.minEdgeLength, let box = region.box else { return }
        let displacement = region.fit.displacement
        let position = Position(frame: frame, time: time, box: box)
        edges[key]?.add(region.fit, displacement, position)
        if region.fit.displacementEnergy >= Self.minRegionDisplacementShare * region.fit.energy {
            latestDisplacement = max(latestDisplacement, Double(displacement))
        }
        guard Double(displacement) > worstRegion?.displacement ?? 0 else { return }
        worstRegion = (Double(displacement), position)
    }
}

extension FrameJudge.BlockTotals {
    fileprivate mutating func add(_ statistics: TileStatistics, _ position: FrameJudge.Position) {
        length += Double(statistics.edgeLength)
        fit.add(statistics.fit)
        guard statistics.edgeLength > longest else { return }
        longest = statistics.edgeLength
        self.position = position
    }
}

extension FrameJudge.ColorTotals {
    fileprivate mutating func add(_ area: TileStatistics.FlatArea, _ position: FrameJudge.Position) {
        if position.frame != latest { frames += 1 }
        latest = position.frame
        count += Double(area.count)
        actual += SIMD4<Double>(area.actual)
        expected += SIMD4<Double>(area.expected)
        energy += Double(area.energy)
        guard area.count > largest else { return }
        largest = area.count
        self.position = position
    }
}

extension FrameJudge.EdgeTotals {
    fileprivate mutating func add(_ statistics: TileStatistics, _ frame: Int) {
        if frame != latest { frames += 1 }
        latest = frame
        actual += SIMD4<Double>(statistics.edgeActual)
        expected += SIMD4<Double>(statistics.edgeExpected)
        length += Double(statistics.edgeLength)
        let fit = statistics.fit
        outward += Double(fit.growth * fit.gradients)
        gradients += Double(fit.gradients)
        energy += Double(fit.energy)
    }

    fileprivate mutating func add(_ fit: EdgeFit, _ displacement: Float, _ position: FrameJudge.Position) {
        displaced += Double(fit.displacementEnergy)
        displacedGradients += Double(fit.gradients)
        displacedEnergy += Double(fit.energy)
        guard displacement > largest else { return }
        largest = displacement
        self.position = position
    }

    /// The outward growth in pixels, and the part of the differences that it explains, 0...1.
    var growth: (pixels: Double, share: Double) {
        guard gradients > 0, energy > 0 else { return (0, 0) }
        let pixels = outward / gradients
        return (pixels, pixels * outward / energy)
    }
}

extension FrameJudge.Region {
    fileprivate mutating func add(_ fit: EdgeFit, _ length: Float, _ box: PixelRect) {
        self.fit.add(fit)
        edgeLength += length
        self.box = self.box?.union(box) ?? box
    }
}
