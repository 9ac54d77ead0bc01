import CCairo
import Scene

/// What the text system has to offer, for a look at a machine.
public enum TextSystem {
    /// Cairo's and Pango's version.
    public static var versions: (cairo: String, pango: String) {
        (String(cString: cairo_version_string()), String(cString: pango_version_string()))
    }

    /// The room in points that a text takes if its frame does not hold it back.
    public static func extent(of text: Text) throws(RasterError) -> Size {
        let pixmap = try Pixmap(width: 1, height: 1)
        guard let context = cairo_create(pixmap.surface) else {
            throw RasterError(description: "no memory for measuring text")
        }
        defer { cairo_destroy(context) }
        return TextRenderer(context).extent(of: text)
    }

    /// The names of all font families, sorted.
    public static func fontFamilies() -> [String] {
        guard let map = pango_cairo_font_map_get_default() else { return [] }
        var families: UnsafeMutablePointer<OpaquePointer?>?
        var count: Int32 = 0
        let list: (UnsafeMutablePointer<UnsafeMutablePointer<OpaquePointer?>?>) -> Void = { pointer in
            pointer.withMemoryRebound(
                to: UnsafeMutablePointer<UnsafeMutablePointer<PangoFontFamily>?>?.self, capacity: 1
            ) {
                pango_font_map_list_families(map, $0, &count)
            }
        }
        list(&families)
        defer { g_free(families) }
        guard let families else { return [] }
        return (0..<Int(count)).compactMap { index in
            families[index].map { String(cString: pango_font_family_get_name(UnsafeMutablePointer($0))) }
        }.sorted()
    }
}
