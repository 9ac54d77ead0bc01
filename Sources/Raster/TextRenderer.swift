import CCairo
import Core

/// A renderer of text with Pango in the system's fonts. Not thread-safe.
final class TextRenderer {
    private let context: OpaquePointer
    /// The layout for measuring.
    private let layout: OpaquePointer
    /// The linear part of the transform that texts are shaped for.
    private var scale = cairo_matrix_t()
    /// Layouts of recently drawn texts, most of which are drawn again.
    private var layouts: [LayoutKey: OpaquePointer] = [:]

    /// The properties that determine a layout.
    private struct LayoutKey: Hashable {
        let string: String
        let fontSize: Double
        let bold: Bool
        let family: Text.Family
        let hasTabularFigures: Bool
        let alignment: Text.Alignment
        let width: Int32

        init(_ text: Text) {
            string = text.string
            fontSize = text.fontSize
            bold = text.bold
            family = text.family
            hasTabularFigures = text.hasTabularFigures
            alignment = text.alignment
            width = Int32(min(text.frame.width * Double(PANGO_SCALE), Double(Int32.max)))
        }
    }

    /// The maximum number of cached layouts.
    private static let maxLayouts = 256

    /// A renderer that draws with a Cairo context.
    ///
    /// - Parameter fonts: the font map to use, which the renderer releases. Pango's default map
    ///   belongs to the thread that requested it, so a renderer used by several threads needs its
    ///   own.
    init(_ context: OpaquePointer, fonts: UnsafeMutablePointer<PangoFontMap>?) {
        self.context = context
        let textContext = pango_font_map_create_context(fonts)
        pango_cairo_update_context(context, textContext)
        layout = pango_layout_new(textContext)
        g_object_unref(textContext.map { UnsafeMutableRawPointer($0) })
        g_object_unref(fonts.map { UnsafeMutableRawPointer($0) })
        // Without hinting a line's length scales with its size, so a text looks the same in clips
        // of all sizes.
        let options = cairo_font_options_create()
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        pango_cairo_context_set_font_options(pango_layout_get_context(layout), options)
        cairo_font_options_destroy(options)
    }

    deinit {
        removeLayouts()
        g_object_unref(UnsafeMutableRawPointer(layout))
    }

    private func removeLayouts() {
        for layout in layouts.values { g_object_unref(UnsafeMutableRawPointer(layout)) }
        layouts = [:]
    }

    /// Returns the layout of a text. It is shaped when it is first drawn, and again after a change
    /// of scale.
    private func layout(of text: Text) -> OpaquePointer {
        let key = LayoutKey(text)
        if let known = layouts[key] { return known }
        if layouts.count >= Self.maxLayouts { removeLayouts() }
        let new = pango_layout_new(pango_layout_get_context(layout))!
        prepare(text, new)
        pango_layout_set_width(new, key.width)
        pango_layout_set_ellipsize(new, PANGO_ELLIPSIZE_END)
        pango_layout_set_alignment(new, text.alignment.pango)
        layouts[key] = new
        return new
    }

    /// Draws a text from its frame's upper edge down, in the current colour. A line that is too
    /// long ends in an ellipsis.
    func show(_ text: Text) {
        let layout = layout(of: text)
        cairo_move_to(context, text.frame.x, text.frame.y)
        updateScale()
        pango_cairo_show_layout(context, layout)
    }

    /// Updates Pango's scale if it has changed. Any update makes Pango shape all texts again.
    private func updateScale() {
        var matrix = cairo_matrix_t()
        cairo_get_matrix(context, &matrix)
        guard (matrix.xx, matrix.yx, matrix.xy, matrix.yy) != (scale.xx, scale.yx, scale.xy, scale.yy) else { return }
        scale = matrix
        pango_cairo_update_context(context, pango_layout_get_context(layout))
    }

    /// Returns the size of a text in points without the limits of its frame.
    func extent(of text: Text) -> Size {
        prepare(text, layout)
        pango_layout_set_width(layout, -1)
        updateScale()
        var width: Int32 = 0
        var height: Int32 = 0
        pango_layout_get_size(layout, &width, &height)
        return Size(Double(width) / Double(PANGO_SCALE), Double(height) / Double(PANGO_SCALE))
    }

    /// Returns true if the text has a character that no font contains.
    func lacksGlyphs(for text: Text) -> Bool {
        prepare(text, layout)
        return pango_layout_get_unknown_glyphs_count(layout) > 0
    }

    private func prepare(_ text: Text, _ layout: OpaquePointer) {
        let font = pango_font_description_new()
        defer { pango_font_description_free(font) }
        pango_font_description_set_family(font, TextSystem.families(of: text.family))
        pango_font_description_set_weight(font, text.bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
        pango_font_description_set_absolute_size(font, text.fontSize * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, font)
        let attributes = text.hasTabularFigures ? pango_attr_list_new() : nil
        if let attributes { pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum=1")) }
        pango_layout_set_attributes(layout, attributes)
        pango_attr_list_unref(attributes)
        pango_layout_set_text(layout, text.string, -1)
    }
}

extension Text.Alignment {
    fileprivate var pango: PangoAlignment {
        switch self {
        case .left: PANGO_ALIGN_LEFT
        case .center: PANGO_ALIGN_CENTER
        case .right: PANGO_ALIGN_RIGHT
        }
    }
}
