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
    /// A glyph in the file. Its outline is made when a text uses it.
    private struct EmbeddedGlyph {
        var shapes: ShapeGroup?
        var advance: Double
        let field: Field
    }

    /// The glyphs in the file.
    private var embeddedGlyphs: [Font: [Character: EmbeddedGlyph]] = [:]
    /// The outlines of the glyphs in the file that were needed so far.
    private var outlines: [Font: [Character: FontGlyph]] = [:]
    /// The work for these outlines, in the units of `StaticCost`.
    private var outlineCost = 0
    /// The state of these outlines. Glyphs have no expressions.
    private let context = FrameContext(rate: 1)
    /// The glyphs of installed fonts that were needed so far.
    private var installedGlyphs: [Font: [Character: FontGlyph]] = [:]
    private lazy var families = Set(TextSystem.fontFamilies())
    /// The family that replaces fonts that are not installed; empty for none.
    private let replacement: String

    /// The distance from the top of a text box to the first baseline, in percent of the font size,
    /// by the name of the font.
    private(set) var ascents: [String: Double] = [:]

    init(reading root: Field) throws {
        replacement = root.context.font
        for font in root["fonts"]?["list"]?.items ?? [] {
            guard let name = font.string("fName") else { continue }
            ascents[name] = try font["ascent"]?.number()
            fonts[name] = Font(family: font.string("fFamily") ?? name, style: font.string("fStyle") ?? "")
        }
        // Older files have the control points of glyphs themselves, as lottie-web knows.
        root.context.hasAbsoluteTangents =
            root.context.isConverted || root.context.version.isOlder(than: [4, 7, 99])
        defer { root.context.hasAbsoluteTangents = false }
        for field in root["chars"]?.items ?? [] {
            guard let text = field.string("ch"), let character = text.first else { continue }
            let font = Font(family: field.string("fFamily") ?? "", style: field.string("style") ?? "")
            var shapes: ShapeGroup?
            if let data = field["data"], data["shapes"] != nil {
                shapes = try ShapeGroup(reading: data, items: "shapes")
            }
            embeddedGlyphs[font, default: [:]][character] = EmbeddedGlyph(
                shapes: shapes, advance: try field.number("w", or: 0), field: field)
        }
    }

    /// Returns the outline of a glyph in the file. Throws `LottieError` if the outlines that texts
    /// use are too complex.
    private func outline(of character: Character, _ glyph: EmbeddedGlyph, font: Font) throws -> FontGlyph {
        if let known = outlines[font]?[character] { return known }
        var path = Path()
        if let shapes = glyph.shapes {
            outlineCost += StaticCost.cost(of: shapes)
            var renderer = ShapeRenderer(at: 0, in: context)
            if outlineCost <= LottieLimits.maxGlyphWork { path = renderer.outline(of: shapes) }
            guard outlineCost <= LottieLimits.maxGlyphWork, !context.pathBudget.isExhausted else {
                throw glyph.field.error("the glyphs of the texts have too many points, or merge too many paths")
            }
        }
        let made = FontGlyph(path: path, advance: glyph.advance)
        outlines[font, default: [:]][character] = made
        return made
    }

    /// Returns the glyphs of a text in the font with a name in the file, or in one that replaces
    /// it. Throws `LottieError` if the fonts cannot be read.
    ///
    /// - Parameters:
    ///   - others: characters that the text can have at other times, for which the file need not
    ///     have glyphs.
    ///   - hasSmallCapitals: true to draw small letters as capitals of a smaller size.
    func glyphs(
        _ text: String, and others: String, font name: String, hasSmallCapitals: Bool, at field: Field
    ) throws -> [Character: FontGlyph] {
        guard hasSmallCapitals else { return try glyphs(text, and: others, font: name, at: field) }
        var glyphs = try glyphs(text.uppercased(), and: others.uppercased(), font: name, at: field)
        for character in Set(text + others) where character.isLowercase {
            // Some small letters have several capitals, such as the German sharp s.
            var word = FontGlyph(path: Path(), advance: 0)
            for capital in character.uppercased() {
                guard let glyph = glyphs[capital] else { continue }
                let move = AffineTransform.scale(Self.smallCapitalSize).then(.translation(Point(word.advance, 0)))
                for contour in BezierContour.all(of: glyph.path) {
                    contour.transformed(by: move).add(to: &word.path)
                }
                word.advance += glyph.advance * Self.smallCapitalSize
            }
            glyphs[character] = word
        }
        return glyphs
    }

    /// The size of small capitals as a part of the font size, as After Effects draws them.
    private static let smallCapitalSize = 0.7

    private func glyphs(
        _ text: String, and others: String, font name: String, at field: Field
    ) throws -> [Character: FontGlyph] {
        var font = fonts[name] ?? Font(family: name, style: "")
        let stated = Set(text).subtracting(TextModel.lineBreaks)
        let needed = stated.union(others).subtracting(TextModel.lineBreaks)
        if let embedded = embeddedGlyphs[font] {
            let missing = stated.filter { embedded[$0] == nil && !$0.isWhitespace }
            if !missing.isEmpty {
                let list = missing.sorted().map { quoted(String($0)) }.joined(separator: ", ")
                field.note(
                    "the file has no glyphs of the font \(quoted(font.family)) for \(list), and they are not drawn")
            }
            var used: [Character: FontGlyph] = [:]
            for (character, glyph) in embedded.sorted(by: { $0.key < $1.key }) where needed.contains(character) {
                used[character] = try outline(of: character, glyph, font: font)
            }
            return used
        }
        if text.unicodeScalars.contains(where: \.isRightToLeft) {
            // Characters are placed one by one, from left to right and without joining them.
            field.reportUnsupported("text from right to left without glyphs in the file (chars)")
        }
        // A computed text may not have such characters; a comment of its expression may.
        let drawable = needed.filter { stated.contains($0) || !$0.unicodeScalars.contains(where: \.isRightToLeft) }
        if !families.contains(font.family) { font = substitute(for: font, at: field) }
        let known = installedGlyphs[font] ?? [:]
        do {
            let new = drawable.filter { !$0.isWhitespace }.union([" "]).filter { known[$0] == nil }
            let read = try GlyphOutlines.glyphs(of: new, family: font.family, style: font.style)
            installedGlyphs[font] = known.merging(read.mapValues { FontGlyph(path: $0.path, advance: $0.advance) }) {
                $1
            }
        } catch { throw field.error("\(error)") }
        return (installedGlyphs[font] ?? [:]).filter { drawable.contains($0.key) || $0.key == " " }
    }

    /// Returns the font for text whose own font is not installed: the family that the user chose,
    /// else a similar one, which is noted. If fonts must not be replaced, the missing font is
    /// recorded as unsupported.
    private func substitute(for font: Font, at field: Field) -> Font {
        guard replacement.isEmpty else { return Font(family: replacement, style: font.style) }
        guard !field.context.hasStrictFonts else {
            field.reportUnsupported("the font \(quoted(font.family)) (it is not installed)")
            return font
        }
        let substitute = FontSubstitute(for: font)
        let name = font.style.isEmpty ? font.family : "\(font.family) \(font.style)"
        let drawn = substitute.family.map { [$0, substitute.style].filter { !$0.isEmpty }.joined(separator: " ") }
        field.context.note(
            "the font \(quoted(name)) is not installed, "
                + (drawn.map { "so its text is drawn in \($0); install it, or set font or font-dir" }
                    ?? "and no other font is; install one, or set font-dir"))
        return Font(family: substitute.families, style: substitute.style)
    }
}

extension Unicode.Scalar {
    /// True for the blocks of Unicode that are reserved for scripts from right to left, such as
    /// Hebrew and Arabic.
    fileprivate var isRightToLeft: Bool {
        switch value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
