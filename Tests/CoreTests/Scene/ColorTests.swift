import Core
import TestSupport
import Testing

@Suite struct ColorTests {
    @Test(arguments: [
        ("#f00", 255, 0, 0), ("#40a83b", 64, 168, 59), ("#FFF", 255, 255, 255), ("#1a2B3c", 26, 43, 60),
        ("red", 255, 0, 0), ("Tomato", 255, 99, 71), ("REBECCAPURPLE", 102, 51, 153), ("gray", 128, 128, 128),
        ("grey", 128, 128, 128), ("green", 0, 128, 0), ("lime", 0, 255, 0), ("transparent", 0, 0, 0),
        ("aliceblue", 240, 248, 255), ("yellowgreen", 154, 205, 50), ("lightgoldenrodyellow", 250, 250, 210),
        ("darkslategrey", 47, 79, 79), ("orange", 255, 165, 0), ("hotpink", 255, 105, 180),
    ])
    func parsesCSSColours(text: String, red: Int, green: Int, blue: Int) throws {
        let color = try #require(Color(css: text))
        #expect(color == Color(red, green, blue, alpha: text == "transparent" ? 0 : 1))
    }

    @Test func hexDigitsMayIncludeAlpha() {
        #expect(Color(css: "#1234") == Color(0x11, 0x22, 0x33, alpha: 68.0 / 255))
        #expect(Color(css: "#11223380") == Color(0x11, 0x22, 0x33, alpha: 128.0 / 255))
        #expect(Color(css: "#112233ff") == Color(0x11, 0x22, 0x33))
        #expect(Color(css: "#1230")?.alpha == 0)
    }

    @Test(arguments: [
        "", "#", "#1", "#12", "#12345", "#1234567", "#123456789", "#ggg", "#12 ", " red", "red ", "reddish", "f00",
        "40a83b", "rgb(1,2,3)", "#１２３", "#-12", "##123", "none", "currentcolor", "#12345x", "red\n", "blac\u{212A}",
    ])
    func rejectsOtherTexts(text: String) {
        #expect(Color(css: text) == nil)
    }

    @Test func hexDigitsRoundTrip() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            let opaque = Color(generator.int(0...255), generator.int(0...255), generator.int(0...255))
            #expect(Color(css: opaque.hexString) == opaque)
            #expect(opaque.hexString.count == 7)
            let clear = opaque.opacity(Double(generator.int(0...254)) / 255)
            #expect(Color(css: clear.hexString) == clear)
            #expect(clear.hexString.count == 9)
        }
        #expect(Color(1, 10, 16).hexString == "#010a10")
    }

    @Test func opacityChangesOnlyAlpha() {
        #expect(Color.white.opacity(0.25) == Color(red: 1, green: 1, blue: 1, alpha: 0.25))
        #expect(Color.black == Color(red: 0, green: 0, blue: 0, alpha: 1))
    }
}

@Suite struct BitmapTests {
    @Test func bitmapsNeedTheirExactNumberOfBytes() throws {
        #expect(Bitmap(width: 0, height: 1, pixels: []) == nil)
        #expect(Bitmap(width: 1, height: 0, pixels: []) == nil)
        #expect(Bitmap(width: -1, height: -1, pixels: [1, 2, 3, 4]) == nil)
        #expect(Bitmap(width: 2, height: 1, pixels: Array(repeating: 0, count: 7)) == nil)
        #expect(Bitmap(width: 2, height: 1, pixels: Array(repeating: 0, count: 9)) == nil)
        let bitmap = try #require(Bitmap(width: 2, height: 1, pixels: [1, 2, 3, 4, 5, 6, 7, 8]))
        #expect(bitmap.width == 2 && bitmap.height == 1 && bitmap.pixels == [1, 2, 3, 4, 5, 6, 7, 8])
    }

    @Test func equalityIsPixelForPixel() {
        let pixels: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        let wide = Bitmap(width: 2, height: 1, pixels: pixels)
        #expect(wide == Bitmap(width: 2, height: 1, pixels: pixels))
        #expect(wide != Bitmap(width: 1, height: 2, pixels: pixels))
        #expect(wide != Bitmap(width: 2, height: 1, pixels: [1, 2, 3, 4, 5, 6, 7, 9]))
    }
}
