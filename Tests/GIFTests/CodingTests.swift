import Foundation
import GIF
import Scene
import TestSupport
import Testing

@Suite("Pictures of a GIF")
struct CodingTests {
    @Test(
        "whatever is drawn is decoded pixel by pixel, or as the palette's nearest colour",
        arguments: some(of: Array(0..<60), each: 3))
    func everyPixel(seed: Int) throws {
        let film = Film.random(seed: seed)
        let palette = try Palette(film.census(parts: 100))
        let decoded = try decode(
            film.file(GIFCoding(palette: palette), parts: 100), width: film.width, height: film.height)
        try #require(decoded.count == film.pictures.count)
        var squaredError = 0
        for (wanted, shown) in zip(film.pictures, decoded) {
            for (pixel, color) in zip(wanted, shown) where pixel != color {
                #expect(!palette.isExact && pixel != 0 && color != 0, "\(pixel) became \(color)")
                squaredError += distance(pixel, color)
            }
        }
        // No picture keeps anything of another, or the error would be larger than the palette says.
        let pixels = film.pictures.joined().count { $0 != 0 }
        #expect(abs(Double(squaredError) - palette.meanSquaredError * Double(3 * pixels)) < 1)
    }

    @Test("parts of any length fit together, and show the same", arguments: some(of: Array(60..<100), each: 3))
    func parts(seed: Int) throws {
        let film = Film.random(seed: seed)
        let coding = GIFCoding(palette: try Palette(film.census(parts: 2)))
        // The first pictures of parts count as new, which is of account for the order of colours only.
        #expect(try Set(coding.palette.colors) == Set(Palette(film.census(parts: 100)).colors))
        let whole = try decode(film.file(coding, parts: 100), width: film.width, height: film.height)
        for length in 1...3 {
            let parts = try decode(film.file(coding, parts: length), width: film.width, height: film.height)
            #expect(parts == whole, "parts of \(length)")
        }
    }

    @Test("a dictionary that fills up again and again is decoded", arguments: [false, true])
    func fullDictionary(isNoisy: Bool) throws {
        var film = Film(width: 300, height: 200)
        var generator = SeededGenerator(seed: 5)
        for number in 0..<2 {
            film.pictures.append(
                (0..<60000).map { place in
                    // Noise, or noise above and stripes below, for which another dictionary is better.
                    let isStripe = !isNoisy && place > 30000
                    return 0xFF00_0000 | UInt32(isStripe ? (place + number) / 3 % 7 : generator.int(0...200))
                })
        }
        let palette = try Palette(film.census(parts: 9))
        #expect(palette.isExact)
        let decoded = try decode(film.file(GIFCoding(palette: palette), parts: 9), width: 300, height: 200)
        #expect(decoded == film.pictures)
    }

    @Test("what does not change is not stored: a picture like the one before has one pixel")
    func nothingChanges() throws {
        var film = Film(width: 50, height: 40)
        film.pictures = Array(repeating: (0..<2000).map { 0xFF00_0000 | UInt32($0 % 50 * 4) }, count: 6)
        film.pictures[3][1020] = 0xFFFF_0000
        let palette = try Palette(film.census(parts: 9))
        let coder = PictureCoder(width: 50, height: 40, GIFCoding(palette: palette))
        coder.begin(after: nil)
        var coded = (0..<6).compactMap { number in film.withView(number) { coder.add($0, changedIn: film.all) } }
        coded += [try #require(coder.finish(before: nil))]
        #expect(coded.map(\.box.area) == [2000, 1, 1, 1, 1, 1])
        #expect(coded[3].box == PixelRect(x: 20, y: 20, width: 1, height: 1))
        let decoded = try decode(film.file(GIFCoding(palette: palette), parts: 9), width: 50, height: 40)
        #expect(decoded == film.pictures)
    }

    @Test("loops and delays are as told, by gifsicle", arguments: [nil, 1, 3, 65535] as [Int?])
    func loops(plays: Int?) throws {
        var film = Film(width: 8, height: 8)
        film.pictures = (0..<3).map { number in (0..<64).map { 0xFF00_0000 | UInt32($0 * number) } }
        let coding = GIFCoding(palette: try Palette(film.census(parts: 9)))
        let directory = try TemporaryDirectory()
        try write(film.file(coding, parts: 9, plays: plays, delay: 7), to: directory.file("a.gif"))
        let lines = try run("gifsicle", ["--info", directory.file("a.gif")]).text
        #expect(lines.contains("3 images"))
        #expect(lines.components(separatedBy: "delay 0.07s").count == 4)
        let words = plays.map { "loop count \($0 - 1)" } ?? "loop forever"
        #expect(plays == 1 ? !lines.contains("loop") : lines.contains(words), "\(lines)")
    }

    private func distance(_ first: UInt32, _ second: UInt32) -> Int {
        [16, 8, 0].reduce(0) { sum, shift in
            let difference = Int(first >> UInt32(shift) & 0xFF) - Int(second >> UInt32(shift) & 0xFF)
            return sum + difference * difference
        }
    }
}
