import CCairo
import Core

/// The outlines of a font's glyphs, for text whose characters are animated individually.
package enum GlyphOutlines {
    /// A glyph whose baseline starts at the origin.
    package struct Glyph: Sendable {
        /// The outline in hundredths of an em.
        package var path: Path
        /// The advance width in hundredths of an em.
        package var advance: Double
    }

    /// Units per em.
    private static let size = 100.0

    /// Returns the glyphs of characters, each shaped individually. Characters that the font lacks
    /// come from a fallback font.
    ///
    /// - Parameters:
    ///   - family: a family name as listed by `TextSystem.fontFamilies`; Pango substitutes another
    ///     if it does not exist.
    ///   - style: the rest of the font's name, such as `Bold Italic`.
    package static func glyphs(
        of characters: Set<Character>, family: String, style: String
    ) throws(RasterError) -> [Character: Glyph] {
        let pixmap = try Pixmap(width: 1, height: 1)
        guard let context = cairo_create(pixmap.surface) else {
            throw RasterError(description: "glyph outlines: out of memory", isOutOfMemory: true)
        }
        defer { cairo_destroy(context) }
        let fonts = TextSystem.newFonts
        defer { g_object_unref(fonts.map { UnsafeMutableRawPointer($0) }) }
        let textContext = pango_font_map_create_context(fonts)
        defer { g_object_unref(textContext.map { UnsafeMutableRawPointer($0) }) }
        // Otherwise advance widths are whole hundredths of an em.
        pango_context_set_round_glyph_positions(textContext, 0)
        guard let layout = pango_layout_new(textContext) else {
            throw RasterError(description: "glyph outlines: out of memory", isOutOfMemory: true)
        }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        // A comma ends the family name, whose last word could otherwise be parsed as a style.
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
        var ink = PangoRectangle()
        var logical = PangoRectangle()
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

    /// Returns the current path of a context.
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
