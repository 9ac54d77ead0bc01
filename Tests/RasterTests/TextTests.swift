import Core
import Raster
import TestSupport
import Testing

@Suite struct TextTests {
    private let white = PixelGrid.Pixel(255, 255, 255)

    private func ink(_ text: Text) throws -> (area: Double, box: Rect?) {
        let pixels = try rendered([.text(text)], width: 200, height: 100)
        return (pixels.area, pixels.inked(unlike: white))
    }

    @Test(arguments: ["Loading", "phase 3: 0.72 s", "two\nlines", "a line that is far too long for its frame, jgpqy"])
    func staysInsideItsFrame(string: String) throws {
        for size in [8.0, 14, 30] {
            let frame = Rect(x: 31, y: 21, width: 120, height: 40)
            for alignment in [Text.Alignment.left, .center, .right] {
                let (area, box) = try ink(
                    Text(string, frame: frame, fontSize: size, color: .black, alignment: alignment))
                #expect(area > 10, "something is drawn")
                #expect(frame.contains(try #require(box)))
            }
        }
    }

    @Test func alignmentMovesTheLine() throws {
        let frame = Rect(x: 20, y: 20, width: 160, height: 30)
        func box(_ alignment: Text.Alignment) throws -> Rect {
            try #require(try ink(Text("Ill", frame: frame, fontSize: 20, color: .black, alignment: alignment)).box)
        }
        let left = try box(.left)
        let center = try box(.center)
        let right = try box(.right)
        #expect(left.x < 25 && abs(center.center.x - 100) < 2 && right.maxX > 175)
        #expect(left.width == right.width || abs(left.width - right.width) <= 1)
    }

    @Test func longLinesEndInAnEllipsis() throws {
        let frame = Rect(x: 10, y: 20, width: 80, height: 30)
        let short = try ink(Text("Loading animations rendered", frame: frame, fontSize: 16, color: .black))
        let box = try #require(short.box)
        #expect(box.maxX <= 90 && box.maxX > 60, "the line is cut at a character")
        #expect(box.height < 20, "it does not wrap")
    }

    @Test func boldGlyphsAreHeavier() throws {
        let frame = Rect(x: 10, y: 10, width: 180, height: 40)
        let plain = try ink(Text("Loading", frame: frame, fontSize: 24, color: .black)).area
        let bold = try ink(Text("Loading", frame: frame, fontSize: 24, color: .black, bold: true)).area
        #expect(bold > 1.15 * plain)
    }

    @Test func fontSizeIsInPoints() throws {
        let frame = Rect(x: 10, y: 10, width: 180, height: 80)
        let small = try #require(try ink(Text("H", frame: frame, fontSize: 20, color: .black)).box)
        let large = try #require(try ink(Text("H", frame: frame, fontSize: 60, color: .black)).box)
        #expect(abs(large.height - 3 * small.height) <= 4)
        #expect((0.6...0.85).contains(large.height / 60), "a capital letter is about 0.7 em high")
    }

    @Test func textHasItsColour() throws {
        let frame = Rect(x: 0, y: 0, width: 200, height: 100)
        let pixels = try rendered(
            [.text(Text("████", frame: frame, fontSize: 40, color: Color(255, 0, 0)))], width: 200, height: 100)
        let reds = (0..<200 * 100).count { pixels[$0 % 200, $0 / 200] == PixelGrid.Pixel(255, 0, 0) }
        #expect(reds > 500)
    }

    /// Needs a font with Chinese characters; missing ones would all be drawn as the same box.
    @Test(.enabled(if: hasChineseFont)) func chineseIsDrawn() throws {
        let frame = Rect(x: 10, y: 10, width: 180, height: 60)
        let grids = try ["加载", "动画", "一二"].map { string in
            let text = Text(string, frame: frame, fontSize: 40, color: .black)
            let (area, box) = try ink(text)
            #expect(area > 60)
            #expect(frame.contains(try #require(box)))
            return try rendered([.text(text)], width: 200, height: 100)
        }
        #expect(grids[0] != grids[1] && grids[1] != grids[2])
    }

    @Test func textSystemReportsVersionsAndFonts() {
        #expect(TextSystem.versions.cairo.hasPrefix("1.") && TextSystem.versions.pango.hasPrefix("1."))
        let families = TextSystem.fontFamilies()
        #expect(!families.isEmpty && families == families.sorted())
    }
}

private let hasChineseFont = TextSystem.fontFamilies().contains { family in
    ["WenQuanYi", "Noto Sans CJK", "Noto Serif CJK", "Droid Sans Fallback", "Source Han"].contains {
        family.hasPrefix($0)
    }
}
