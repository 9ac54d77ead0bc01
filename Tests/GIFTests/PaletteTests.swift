import GIF
import TestSupport
import Testing

@Suite("Palettes")
struct PaletteTests {
    @Test("at most 255 colours are exact, more are not", arguments: [1, 2, 255, 256, 700])
    func exactness(count: Int) throws {
        let palette = try Palette(film(of: count).census(parts: 1))
        #expect(palette.isExact == (count <= 255))
        // Of many colours newer quantizers make a few less than they may.
        #expect(count > 255 ? (250...255).contains(palette.colors.count) : palette.colors.count == count)
        #expect((palette.meanSquaredError == 0) == palette.isExact)
        #expect(!palette.hasTransparency)
    }

    @Test("a limit is kept, and fewer colours have a larger error")
    func limits() throws {
        let census = film(of: 900).census(parts: 3)
        var error = 0.0
        for limit in [255, 128, 64, 16, 2] {
            let palette = try Palette(census, limit: limit)
            #expect(palette.colors.count <= limit)
            #expect(palette.meanSquaredError > error)
            error = palette.meanSquaredError
        }
    }

    @Test("counting is the same in parts of any length, and with more colours than are told apart")
    func parts() throws {
        for count in [300, 70000] {
            let film = film(of: count)
            let whole = try Palette(film.census(parts: 100))
            for length in 1...3 {
                let palette = try Palette(film.census(parts: length))
                #expect(Set(palette.colors) == Set(whole.colors))
                #expect(palette.meanSquaredError == whole.meanSquaredError)
            }
        }
    }

    @Test("dithering mixes colours so that their mean is nearer")
    func dithering() throws {
        var film = Film(width: 64, height: 64)
        film.pictures = [(0..<4096).map { 0xFF00_0000 | UInt32($0 % 64 * 4) * 0x01_0101 }]
        let palette = try Palette(film.census(parts: 1), limit: 4)
        let errors = try [false, true].map { dithers in
            let coding = GIFCoding(palette: palette, dithers: dithers)
            let decoded = try #require(try decode(film.file(coding, parts: 1), width: 64, height: 64).first)
            // Of blocks of 8x8 pixels, as an eye far away sees them, but for the ends, which no two colours lie around.
            return (0..<64).filter { (1...6).contains($0 % 8) }.reduce(0) { sum, block in
                let places = (0..<64).map { (block / 8 * 8 + $0 / 8) * 64 + block % 8 * 8 + $0 % 8 }
                let difference = places.reduce(0) { $0 + Int(decoded[$1] & 0xFF) - Int(film.pictures[0][$1] & 0xFF) }
                return sum + difference * difference
            }
        }
        #expect(errors[1] * 5 < errors[0], "\(errors)")
    }

    /// Three pictures of noise of so many colours, which all occur.
    private func film(of count: Int) -> Film {
        var generator = SeededGenerator(seed: count)
        var film = Film(width: 300, height: 250)
        var colors = Set<UInt32>()
        while colors.count < count { colors.insert(0xFF00_0000 | UInt32(generator.int(0...0xFF_FFFF))) }
        let list = colors.sorted()
        for number in 0..<3 {
            film.pictures.append(
                (0..<75000).map { place in
                    place < count ? list[(place + number) % count] : list.randomElement(using: &generator)!
                })
        }
        return film
    }
}
