import Media
import TestSupport
import Testing

@Suite("Palettes")
struct PaletteTests {
    @Test("palettes are exact for up to 255 colours", arguments: [1, 2, 255, 256, 700])
    func exactness(count: Int) throws {
        let palette = try Palette(clip(of: count).histogram(segments: 1))
        #expect(palette.isExact == (count <= 255))
        // Newer versions of libimagequant return a few colours less than the maximum.
        #expect(count > 255 ? (250...255).contains(palette.colors.count) : palette.colors.count == count)
        #expect((palette.meanSquaredError == 0) == palette.isExact)
        #expect(!palette.hasTransparency)
    }

    @Test("the limit of colours is respected, and fewer colours have a larger error")
    func limits() throws {
        let histogram = clip(of: 900).histogram(segments: 3)
        var error = 0.0
        for limit in [255, 128, 64, 16, 2] {
            let palette = try Palette(histogram, limit: limit)
            #expect(palette.colors.count <= limit)
            #expect(palette.meanSquaredError > error)
            error = palette.meanSquaredError
        }
    }

    @Test("histograms do not depend on the length of segments, even with merged colours", .slow)
    func segments() throws {
        for count in [300, 70000] {
            let clip = clip(of: count)
            let whole = try Palette(clip.histogram(segments: 100))
            for length in 1...3 {
                let palette = try Palette(clip.histogram(segments: length))
                #expect(Set(palette.colors) == Set(whole.colors))
                #expect(palette.meanSquaredError == whole.meanSquaredError)
            }
        }
    }

    @Test("dithering reduces the error of the mean colour")
    func dithering() throws {
        var clip = FrameSequence(width: 64, height: 64)
        clip.frames = [(0..<4096).map { 0xFF00_0000 | UInt32($0 % 64 * 4) * 0x01_0101 }]
        let palette = try Palette(clip.histogram(segments: 1), limit: 4)
        let errors = try [false, true].map { dithers in
            let options = GIFEncodingOptions(palette: palette, dithers: dithers)
            let decoded = try #require(try decode(clip.file(options, segments: 1), width: 64, height: 64).first)
            // The error of the means of 8x8 pixels, which are visible from a distance. It excludes
            // the ends of the gradient, which lie outside the range of the palette.
            return (0..<64).filter { (1...6).contains($0 % 8) }.reduce(0) { sum, block in
                let indices = (0..<64).map { (block / 8 * 8 + $0 / 8) * 64 + block % 8 * 8 + $0 % 8 }
                let difference = indices.reduce(0) { $0 + Int(decoded[$1] & 0xFF) - Int(clip.frames[0][$1] & 0xFF) }
                return sum + difference * difference
            }
        }
        #expect(errors[1] * 5 < errors[0], "\(errors)")
    }

    /// Returns three frames of noise with exactly `count` colours.
    private func clip(of count: Int) -> FrameSequence {
        var generator = SeededGenerator(seed: count)
        var clip = FrameSequence(width: 300, height: 250)
        var colors = Set<UInt32>()
        while colors.count < count { colors.insert(0xFF00_0000 | UInt32(generator.int(0...0xFF_FFFF))) }
        let list = colors.sorted()
        for frame in 0..<3 {
            clip.frames.append(
                (0..<75000).map { index in
                    index < count ? list[(index + frame) % count] : list.randomElement(using: &generator)!
                })
        }
        return clip
    }
}
