import PathOperations
import Raster
import Scene

/// Where texts get their letters from: outlines in the file, or else the machine's fonts.
final class TextSource {
    struct Font: Hashable {
        var family: String
        var style: String
    }

    /// A letter at a size of 100.
    struct Letter: Sendable {
        var path: Path
        var advance: Double
    }

    private var fonts: [String: Font] = [:]
    private var letters: [Font: [Character: Letter]] = [:]
    /// Those of the machine's fonts that were needed.
    private var glyphs: [Font: [Character: Letter]] = [:]
    private lazy var families = Set(TextSystem.fontFamilies())

    init(reading root: Field) throws {
        for font in root["fonts"]?["list"]?.items ?? [] {
            guard let name = font.string("fName") else { continue }
            fonts[name] = Font(family: font.string("fFamily") ?? name, style: font.string("fStyle") ?? "")
        }
        let effort = PathEffort(microseconds: LottieLimits.mostEffort)
        for field in root["chars"]?.items ?? [] {
            guard let text = field.string("ch"), let character = text.first else { continue }
            let font = Font(family: field.string("fFamily") ?? "", style: field.string("style") ?? "")
            var path = Path()
            if let data = field["data"], data["shapes"] != nil {
                var picture = ShapePicture(at: 0, rate: 1, effort: effort)
                path = picture.outline(of: try ShapeGroup(reading: data, items: "shapes"))
            }
            letters[font, default: [:]][character] = Letter(path: path, advance: try field.number("w", or: 0))
        }
    }

    /// The letters of a text in a font by its name in the file. Says what is not there.
    func letters(_ text: String, font name: String, at field: Field) throws -> [Character: Letter] {
        let font = fonts[name] ?? Font(family: name, style: "")
        let needed = Set(text).subtracting(TextModel.breaks)
        var found = letters[font] ?? [:]
        let missing = needed.filter { found[$0] == nil && !$0.isWhitespace }
        guard !missing.isEmpty || found.isEmpty else { return found.filter { needed.contains($0.key) } }
        if !families.contains(font.family) {
            field.refuse("the font '\(font.family.prefix(60))', which is not installed,")
        }
        let known = glyphs[font] ?? [:]
        do {
            let new = missing.union([" "]).filter { known[$0] == nil }
            let read = try GlyphOutlines.glyphs(of: new, family: font.family, style: font.style)
            glyphs[font] = known.merging(read.mapValues { Letter(path: $0.path, advance: $0.advance) }) { $1 }
        } catch { throw field.error("\(error)") }
        found.merge(glyphs[font] ?? [:]) { own, _ in own }
        return found.filter { needed.contains($0.key) || $0.key == " " }
    }
}
