import Core
import Raster
import TestSupport
import Testing

@testable import Lottie

/// Fonts that are installed, and fonts that replace others.
@Suite struct FontTests {
    @Test func installedFontsReplaceMissingGlyphs() throws {
        let families = TextSystem.fontFamilies().sorted()
        let family = try #require(families.first { $0.contains("DejaVu Sans") } ?? families.first)
        let bitmap = try draw(textAnimation("HI", ["s": 40], at: ["p": [10, 70]], family: family))
        #expect(bitmap.area > 100)
        // The glyphs are on the baseline.
        let rows = (0..<100).filter { y in (0..<100).contains { bitmap.ink($0, y) > 0.5 } }
        let (top, bottom) = (try #require(rows.min()), try #require(rows.max()))
        #expect(bottom <= 70 && top > 30)
    }

    /// The advance widths of a font are not whole hundredths of its size.
    @Test func advanceWidthsAreExact() throws {
        let letters = Set("abcdefghijklmnopqrstuvwxyz")
        let glyphs = try GlyphOutlines.glyphs(of: letters, family: "sans-serif", style: "")
        #expect(glyphs.values.contains { $0.advance != $0.advance.rounded() })
    }

    @Test func missingFontsAreReplacedAndNotedOnce() throws {
        let json = textAnimation("HI", family: "No Such Font")
        let layers = JSON.array([layer(5, ["p": [10, 60]], ["t": textMember(of: json)])] + textLayers(of: json))
        let fixture = try LottieFixture(json.with(["layers": layers]))
        #expect(fixture.animation.unsupported.isEmpty)
        #expect(try fixture.render().area > 50)
        let family = try #require(TextSystem.family(of: "sans-serif", style: ""))
        #expect(
            fixture.loader.notes == [
                "the font 'No Such Font Regular' is not installed, so its text is drawn in \(family); "
                    + "install it, or set font or font-dir"
            ])
    }

    @Test func strictFontsAreReported() throws {
        let animation = try Animation(
            textAnimation("HI", family: "No Such Font"), files: AssetFiles(folder: nil), subframes: .auto,
            hasStrictFonts: true)
        #expect(
            animation.unsupported.map(\.description) == [
                "layers[0].t.d.k[0].s: the font 'No Such Font' (it is not installed)"
            ])
    }

    @Test func textFromRightToLeftIsReported() throws {
        for text in ["\u{5E9}\u{5DC}\u{5D5}\u{5DD} 1", "a \u{645}\u{631}\u{62D}"] {
            #expect(
                try unsupportedFeatures(textAnimation(text, family: "DejaVu Sans")) == [
                    "layers[0].t.d.k[0].s: text from right to left without glyphs in the file (chars)"
                ])
        }
    }

    private func textLayers(of json: JSON) -> [JSON] {
        guard case .object(let members) = json, case .array(let layers)? = members["layers"] else { return [] }
        return layers
    }

    private func textMember(of json: JSON) -> JSON {
        guard case .object(let members)? = textLayers(of: json).first else { return .null }
        return members["t"] ?? .null
    }

    @Test(arguments: [
        ("Helvetica Neue", "Regular", "Helvetica Neue,sans-serif", ""),
        ("Century Gothic", "Bold Italic", "Century Gothic,sans-serif", "Bold Italic"),
        ("TimesNewRomanPS-BoldItalicMT", "", "TimesNewRomanPS-BoldItalicMT,serif", "Bold Italic"),
        ("Roboto Slab", "ExtraBold", "Roboto Slab,serif", "Ultra-Bold"),
        ("SourceCodePro", "Semi Bold", "SourceCodePro,monospace", "Semi-Bold"),
        ("Comic Sans MS", "Light", "Comic Sans MS,cursive", "Light"),
        ("Gotham", "Ultra", "Gotham,sans-serif", "Ultra-Bold"), ("Futura", "Demi", "Futura,sans-serif", "Semi-Bold"),
        ("Arial Black", "Regular", "Arial Black,sans-serif", "Black"),
        ("Highlight", "65 Medium", "Highlight,sans-serif", "Medium"),
    ])
    func substitutesHaveTheClassAndWeight(family: String, style: String, families: String, words: String) {
        let substitute = FontSubstitute(for: TextSource.Font(family: family, style: style))
        #expect(substitute.families == families && substitute.style == words)
    }
}
