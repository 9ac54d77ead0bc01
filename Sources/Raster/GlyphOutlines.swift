import CCairo
import Scene

/// The outlines of a font's characters, for texts whose letters go ways of their own.
public enum GlyphOutlines {
    /// A character on its baseline, which begins at the origin.
    public struct Glyph: Sendable {
        /// Its outline, in units of which the font's em has 100.
        public var path: Path
        /// How far the next one stands behind it, in these units.
        public var advance: Double
    }

    /// Units of the em.
    private static let size = 100.0

    /// The characters of a font, each shaped by itself. Those that the font lacks come from another.
    ///
    /// - Parameters:
    ///   - family: a family's name, as `TextSystem.fontFamilies` lists it; Pango takes another if there is none of that name.
    ///   - style: what else the font is called, such as `Bold Italic`.
    public static func glyphs(
        of characters: Set<Character>, family: String, style: String
    ) throws(RasterError) -> [Character: Glyph] {
        let pixmap = try Pixmap(width: 1, height: 1)
        guard let context = cairo_create(pixmap.surface) else {
            throw RasterError(description: "no memory for letters", isMemoryShort: true)
        }
        defer { cairo_destroy(context) }
        let fonts = TextSystem.newFonts
        defer { g_object_unref(fonts.map { UnsafeMutableRawPointer($0) }) }
        let textContext = pango_font_map_create_context(fonts)
        defer { g_object_unref(textContext.map { UnsafeMutableRawPointer($0) }) }
        guard let layout = pango_layout_new(textContext) else {
            throw RasterError(description: "no memory for letters", isMemoryShort: true)
        }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        // A comma ends the family, whose last word could be taken for a style otherwise.
        let description = pango_font_description_from_string("\(family), \(style)")
        defer { pango_font_description_free(description) }
        pango_font_description_set_absolute_size(description, size * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, description)
        let options = cairo_font_options_create()
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        pango_cairo_context_set_font_options(textContext, options)
        cairo_font_options_destroy(options)
        var glyphs: [Character: Glyph] = [:]
        for character in characters { glyphs[character] = glyph(of: character, layout, context) }
        return glyphs
    }

    private static func glyph(
        of character: Character, _ layout: OpaquePointer, _ context: OpaquePointer
    ) -> Glyph {
        pango_layout_set_text(layout, String(character), -1)
        var (ink, logical) = (PangoRectangle(), PangoRectangle())
        pango_layout_get_extents(layout, &ink, &logical)
        cairo_new_path(context)
        cairo_move_to(context, 0, 0)
        guard let line = pango_layout_get_line_readonly(layout, 0) else {
            return Glyph(path: Path(), advance: 0)
        }
        pango_cairo_layout_line_path(context, line)
        defer { cairo_new_path(context) }
        return Glyph(path: path(of: context), advance: Double(logical.width) / Double(PANGO_SCALE))
    }

    /// The path that a context has.
    private static func path(of context: OpaquePointer) -> Path {
        var result = Path()
        guard let path = cairo_copy_path(context) else { return result }
        defer { cairo_path_destroy(path) }
        let data = UnsafeBufferPointer(start: path.pointee.data, count: Int(path.pointee.num_data))
        func point(_ index: Int) -> Point { Point(data[index].point.x, data[index].point.y) }
        var index = 0
        while index < data.count {
            let header = data[index].header
            switch header.type {
            case CAIRO_PATH_MOVE_TO: result.move(to: point(index + 1))
            case CAIRO_PATH_LINE_TO: result.addLine(to: point(index + 1))
            case CAIRO_PATH_CURVE_TO:
                result.addCurve(to: point(index + 3), control1: point(index + 1), control2: point(index + 2))
            default: result.close()
            }
            index += max(1, Int(header.length))
        }
        return result
    }
}
