import CCairo
import Scene

/// Text through Pango, in the system's sans-serif fonts. Not for use from two threads at once.
final class TextRenderer {
    private let context: OpaquePointer
    /// For measuring.
    private let layout: OpaquePointer
    /// How long points are in pixels, in which directions, as texts are shaped for.
    private var scale = cairo_matrix_t()
    /// Texts that were shown, shaped and broken into lines: most are shown again.
    private var shaped: [Shaped: OpaquePointer] = [:]

    /// What decides how a text is shaped.
    private struct Shaped: Hashable {
        let string: String
        let fontSize: Double
        let bold: Bool
        let family: Text.Family
        let alignment: Text.Alignment
        let width: Int32

        init(_ text: Text) {
            (string, fontSize, bold, family) = (text.string, text.fontSize, text.bold, text.family)
            alignment = text.alignment
            width = Int32(min(text.frame.width * Double(PANGO_SCALE), Double(Int32.max)))
        }
    }

    /// How many texts are kept.
    private static let mostShaped = 256

    /// A renderer that draws by a Cairo context.
    ///
    /// - Parameter fonts: what fonts it takes, which it releases. Pango's default belongs to the thread that asked for it;
    ///   who goes from thread to thread needs fonts of its own.
    init(_ context: OpaquePointer, fonts: UnsafeMutablePointer<PangoFontMap>?) {
        self.context = context
        let textContext = pango_font_map_create_context(fonts)
        pango_cairo_update_context(context, textContext)
        layout = pango_layout_new(textContext)
        g_object_unref(textContext.map { UnsafeMutableRawPointer($0) })
        g_object_unref(fonts.map { UnsafeMutableRawPointer($0) })
        // Without hinting a line is as long at every scale, so that a text looks the same in small and large clips.
        let options = cairo_font_options_create()
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        pango_cairo_context_set_font_options(pango_layout_get_context(layout), options)
        cairo_font_options_destroy(options)
    }

    deinit {
        forgetShaped()
        g_object_unref(UnsafeMutableRawPointer(layout))
    }

    private func forgetShaped() {
        for layout in shaped.values { g_object_unref(UnsafeMutableRawPointer(layout)) }
        shaped = [:]
    }

    /// A text's layout, which shapes it when it is first shown, and again where a point has another length in pixels.
    private func layout(of text: Text) -> OpaquePointer {
        let key = Shaped(text)
        if let known = shaped[key] { return known }
        if shaped.count >= Self.mostShaped { forgetShaped() }
        let new = pango_layout_new(pango_layout_get_context(layout))!
        prepare(text, new)
        pango_layout_set_width(new, key.width)
        pango_layout_set_ellipsize(new, PANGO_ELLIPSIZE_END)
        pango_layout_set_alignment(new, text.alignment.pango)
        shaped[key] = new
        return new
    }

    /// Shows a text from its frame's upper edge on, in the current colour; a line that is too long ends in an ellipsis.
    func show(_ text: Text) {
        let layout = layout(of: text)
        cairo_move_to(context, text.frame.x, text.frame.y)
        updateScale()
        pango_cairo_show_layout(context, layout)
    }

    /// Tells Pango how long points are, if that has changed: whatever it is told makes it shape all texts anew.
    private func updateScale() {
        var matrix = cairo_matrix_t()
        cairo_get_matrix(context, &matrix)
        guard (matrix.xx, matrix.yx, matrix.xy, matrix.yy) != (scale.xx, scale.yx, scale.xy, scale.yy) else { return }
        scale = matrix
        pango_cairo_update_context(context, pango_layout_get_context(layout))
    }

    /// The room in points that a text takes if no frame holds it back.
    func extent(of text: Text) -> Size {
        prepare(text, layout)
        pango_layout_set_width(layout, -1)
        updateScale()
        var (width, height): (Int32, Int32) = (0, 0)
        pango_layout_get_size(layout, &width, &height)
        return Size(Double(width) / Double(PANGO_SCALE), Double(height) / Double(PANGO_SCALE))
    }

    /// Whether there is a letter that no font has.
    func lacksGlyphs(for text: Text) -> Bool {
        prepare(text, layout)
        return pango_layout_get_unknown_glyphs_count(layout) > 0
    }

    private func prepare(_ text: Text, _ layout: OpaquePointer) {
        let font = pango_font_description_new()
        defer { pango_font_description_free(font) }
        pango_font_description_set_family(font, text.family == .monospaced ? "monospace" : "sans")
        pango_font_description_set_weight(font, text.bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
        pango_font_description_set_absolute_size(font, text.fontSize * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, font)
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
