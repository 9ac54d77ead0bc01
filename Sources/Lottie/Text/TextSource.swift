import Core
import Raster

/// The source of glyphs: the outlines in the file (`chars`), or otherwise the installed fonts.
final class TextSource {
    struct Font: Hashable {
        var family: String
        var style: String
    }

    /// A glyph at a font size of 100 points.
    struct FontGlyph: Sendable {
        var path: Path
        var advance: Double
    }

    /// The fonts by name.
    private var fonts: [String: Font] = [:]
    /// The glyphs in the file.
    private var embeddedGlyphs: [Font: [Character: FontGlyph]] = [:]
    /// The glyphs of installed fonts that were needed so far.
    private var installedGlyphs: [Font: [Character: FontGlyph]] = [:]
    private lazy var families = Set(TextSystem.fontFamilies())
    /// The family that replaces fonts that are not installed; empty for none.
    private let replacement: String

    init(reading root: Field) throws {
        replacement = root.context.font
        for font in root["fonts"]?["list"]?.items ?? [] {
            guard let name = font.string("fName") else { continue }
            fonts[name] = Font(family: font.string("fFamily") ?? name, style: font.string("fStyle") ?? "")
        }
        let pathBudget = WorkBudget(microseconds: LottieLimits.maxPathMicroseconds)
        for field in root["chars"]?.items ?? [] {
            guard let text = field.string("ch"), let character = text.first else { continue }
            let font = Font(family: field.string("fFamily") ?? "", style: field.string("style") ?? "")
            var path = Path()
            if let data = field["data"], data["shapes"] != nil {
                var renderer = ShapeRenderer(at: 0, in: FrameContext(rate: 1), pathBudget: pathBudget)
                path = renderer.outline(of: try ShapeGroup(reading: data, items: "shapes"))
            }
            embeddedGlyphs[font, default: [:]][character] = FontGlyph(path: path, advance: try field.number("w", or: 0))
        }
    }

    /// Returns the glyphs of a text in the font with a name in the file. A font that is not
    /// installed is recorded as unsupported. Throws `LottieError` if the fonts cannot be read.
    func glyphs(_ text: String, font name: String, at field: Field) throws -> [Character: FontGlyph] {
        var font = fonts[name] ?? Font(family: name, style: "")
        let needed = Set(text).subtracting(TextModel.lineBreaks)
        var found = embeddedGlyphs[font] ?? [:]
        let missing = needed.filter { found[$0] == nil && !$0.isWhitespace }
        guard !missing.isEmpty || found.isEmpty else { return found.filter { needed.contains($0.key) } }
        if !families.contains(font.family), !replacement.isEmpty {
            font.family = replacement
        } else if !families.contains(font.family) {
            field.reportUnsupported("the font \(quoted(font.family)) (it is not installed)")
        }
        let known = installedGlyphs[font] ?? [:]
        do {
            let new = missing.union([" "]).filter { known[$0] == nil }
            let read = try GlyphOutlines.glyphs(of: new, family: font.family, style: font.style)
            installedGlyphs[font] = known.merging(read.mapValues { FontGlyph(path: $0.path, advance: $0.advance) }) {
                $1
            }
        } catch { throw field.error("\(error)") }
        found.merge(installedGlyphs[font] ?? [:]) { embedded, _ in embedded }
        return found.filter { needed.contains($0.key) || $0.key == " " }
    }
}
