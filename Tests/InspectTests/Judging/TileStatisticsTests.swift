import Media
import Testing

@testable import Inspect

/// The statistics of tiles with a single colour.
@Suite struct TileStatisticsTests {
    private static let size = 48

    /// Returns a frame in RGBA with one colour in a square and another around it.
    private func frame(_ color: [UInt8], around: [UInt8], in square: Range<Int>, noise: UInt8 = 0) -> [UInt8] {
        (0..<Self.size * Self.size).flatMap { index in
            let isInside = square.contains(index % Self.size) && square.contains(index / Self.size)
            let noise = noise * UInt8(index * 7 % 3)
            return (isInside ? color : around).map { $0 == 255 ? $0 : $0 + noise }
        }
    }

    /// The middle tile of frames with 3x3 tiles, measured with and without knowing its colour.
    private func statistics(_ square: Range<Int>) throws -> (uniform: TileStatistics?, any: TileStatistics) {
        let background: [UInt8] = [255, 255, 255, 255]
        let expected = frame([200, 30, 60, 255], around: background, in: square)
        let actual = frame([200, 30, 60, 255], around: background, in: square, noise: 3)
        return try actual.withUnsafeBufferPointer { actual in
            try expected.withUnsafeBufferPointer { expected in
                let first = FrameSamples(try #require(actual.baseAddress), width: Self.size, height: Self.size)
                let second = FrameSamples(try #require(expected.baseAddress), width: Self.size, height: Self.size)
                let map = TileMap(actual: first, expected: second, background: background)
                let tile = try #require(map.tiles.first { $0.x == 16 && $0.y == 16 })
                let any = TileStatistics(
                    first, second, x: 16, y: 16, background: FrameSamples.vector(background), scratch: .init())
                return (TileStatistics(uniform: tile, first, second), any)
            }
        }
    }

    @Test func uniformTilesHaveTheSameStatistics() throws {
        let (uniform, any) = try statistics(8..<40)
        let (found, expected) = (try #require(uniform?.areas.first), try #require(any.areas.first))
        #expect(uniform?.color == any.color && uniform?.edgeLength == any.edgeLength)
        #expect(uniform?.areas.count == any.areas.count)
        #expect(found.count == expected.count && found.actual == expected.actual)
        #expect(found.expected == expected.expected && found.energy == expected.energy)
        #expect(found.energy > 0)
    }

    /// Blurred edges near a tile change its pixels.
    @Test func tilesNearEdgesAreNotUniform() throws {
        #expect(try statistics(14..<34).uniform == nil)
        #expect(try statistics(20..<40).uniform == nil)
    }

    /// A square of 8x8 pixels lies in one of the overlapping squares as a whole, wherever it is, in
    /// RGBA and in planar frames.
    @Test func smallSpotsCountAsAWhole() throws {
        let background: [UInt8] = [200, 200, 200, 255]
        let plain = frame(background, around: background, in: 0..<1)
        for start in 0...40 {
            let spot = frame([100, 200, 200, 255], around: background, in: start..<start + 8)
            let worst = try plain.withUnsafeBufferPointer { plain in
                try spot.withUnsafeBufferPointer { spot in
                    let expected = FrameSamples(try #require(plain.baseAddress), width: Self.size, height: Self.size)
                    let actual = FrameSamples(try #require(spot.baseAddress), width: Self.size, height: Self.size)
                    return TileMap(actual: actual, expected: expected, background: background).worst
                }
            }
            #expect(worst.difference == 25, "\(start)")
            let planar = try map(planar(100, in: start..<start + 8), planar(200, in: 0..<1))
            #expect(planar.worst.difference == 25, "\(start)")
        }
    }

    /// Tiles at the right and at the bottom have fewer pixels.
    @Test func cutOffTilesAreAveragedOverTheirOwnPixels() throws {
        let size = 56
        let map = try map(planar(114, in: 0..<size, size), planar(100, in: 0..<size, size))
        #expect(map.worst.difference == 14)
        #expect(map.tiles.count == 16)
    }

    private func map(_ actual: VideoFrame, _ expected: VideoFrame) throws -> TileMap {
        try withExtendedLifetime((actual, expected)) {
            TileMap(
                actual: try #require(FrameSamples(actual)), expected: try #require(FrameSamples(expected)),
                background: [200, 128, 128])
        }
    }

    /// Returns a frame in 4:2:0 with the luma 200 and another one in a square.
    private func planar(
        _ luma: UInt8, in square: Range<Int>, _ size: Int = TileStatisticsTests.size
    ) throws -> VideoFrame {
        let frame = try VideoFrame(width: size, height: size, format: .yuv420p)
        for index in 0..<3 {
            let plane = try #require(frame.plane(index))
            let side = index == 0 ? size : size / 2
            for y in 0..<side {
                for x in 0..<side {
                    let isInside = square.contains(x) && square.contains(y)
                    plane.data[y * plane.stride + x] = index > 0 ? 128 : isInside ? luma : 200
                }
            }
        }
        return frame
    }
}
