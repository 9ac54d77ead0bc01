import CCairo
import Core

/// The installed text libraries and fonts.
package enum TextSystem {
    /// The versions of Cairo and Pango.
    package static var versions: (cairo: String, pango: String) {
        (String(cString: cairo_version_string()), String(cString: pango_version_string()))
    }

    /// Silences the logs of Pango's libraries, which write to standard error. Accessed before the
    /// first use of Pango. GLib has a single log writer per process, so a program that uses these
    /// libraries has none of its own.
    static let silenceLogs: Void = g_log_set_writer_func({ _, _, _, _ in G_LOG_WRITER_HANDLED }, nil, nil)

    /// A new font map for any thread. The caller must release it.
    static var newFonts: UnsafeMutablePointer<PangoFontMap>? {
        _ = silenceLogs
        return pango_cairo_font_map_new()
    }

    /// Pango's default font map, which belongs to the calling thread.
    static var defaultFonts: UnsafeMutablePointer<PangoFontMap>? {
        _ = silenceLogs
        return pango_cairo_font_map_get_default()
    }

    // MARK: Families

    /// The sans-serif families for Latin, the preferred first: the first two are drawn for screens,
    /// and Debian installs the third with Pango.
    private static let latinFamilies = ["Inter", "Noto Sans", "DejaVu Sans"]
    /// The families for Chinese, the preferred first.
    private static let chineseFamilies = ["Noto Sans CJK SC", "WenQuanYi Micro Hei"]

    /// The families for text without another one, as Pango's list. Found at the first use of text,
    /// after the fonts of `addFonts`.
    private static let sansSerif: String = {
        let installed = Set(fontFamilies())
        let chosen = [latinFamilies, chineseFamilies].compactMap { $0.first(where: installed.contains) }
        return (chosen + ["sans"]).joined(separator: ",")
    }()

    /// Returns Pango's list of families, the preferred one first.
    static func families(of family: Text.Family) -> String {
        switch family {
        case .sansSerif: sansSerif
        case .monospaced: "monospace"
        case .named(let name): name + "," + sansSerif
        }
    }

    /// Makes the fonts in a directory and its subdirectories available to the process, before text
    /// is drawn. Returns false if the directory does not exist or cannot be read.
    package static func addFonts(in directory: String) -> Bool {
        // Fontconfig accepts a missing directory.
        guard let opened = opendir(directory) else { return false }
        closedir(opened)
        return FcConfigAppFontAddDir(nil, directory) != 0
    }

    /// Returns the family that draws all characters of a sample; nil if none does.
    ///
    /// - Parameter isColored: true if the family must have glyphs with colours, as for emoji.
    package static func family(drawing sample: String, isColored: Bool = false) -> String? {
        let fonts = newFonts
        defer { g_object_unref(fonts.map { UnsafeMutableRawPointer($0) }) }
        guard let context = pango_font_map_create_context(fonts) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(context)) }
        guard let layout = pango_layout_new(context) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
        let description = pango_font_description_new()
        defer { pango_font_description_free(description) }
        pango_font_description_set_family(description, families(of: .sansSerif))
        pango_layout_set_font_description(layout, description)
        pango_layout_set_text(layout, sample, -1)
        guard pango_layout_get_unknown_glyphs_count(layout) == 0,
            let line = pango_layout_get_line_readonly(layout, 0), let runs = line.pointee.runs,
            let run = runs.pointee.data?.assumingMemoryBound(to: PangoGlyphItem.self),
            let font = run.pointee.item.pointee.analysis.font
        else { return nil }
        let face = hb_font_get_face(pango_font_get_hb_font(font))
        guard !isColored || hb_ot_color_has_png(face) != 0 || hb_ot_color_has_layers(face) != 0 else { return nil }
        let own = pango_font_describe(font)
        defer { pango_font_description_free(own) }
        return pango_font_description_get_family(own).map { String(cString: $0) }
    }

    /// Returns the family of the font that Pango selects for a list of families and a style; nil if
    /// no fonts are installed.
    package static func family(of families: String, style: String) -> String? {
        let fonts = newFonts
        defer { g_object_unref(fonts.map { UnsafeMutableRawPointer($0) }) }
        guard let context = pango_font_map_create_context(fonts) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(context)) }
        let description = pango_font_description_from_string("\(families), \(style)")
        defer { pango_font_description_free(description) }
        guard let font = pango_font_map_load_font(fonts, context, description) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(font)) }
        let own = pango_font_describe(font)
        defer { pango_font_description_free(own) }
        return pango_font_description_get_family(own).map { String(cString: $0) }
    }

    /// Returns the names and file contents of the fonts that Pango selects for the characters of
    /// `sample` in the given families, without duplicates.
    package static func fonts(
        showing sample: String, in families: [Text.Family]
    ) -> [(name: String, contents: [UInt8])] {
        guard let context = pango_font_map_create_context(defaultFonts) else { return [] }
        defer { g_object_unref(UnsafeMutableRawPointer(context)) }
        let layout = pango_layout_new(context)
        defer { g_object_unref(layout.map { UnsafeMutableRawPointer($0) }) }
        var fonts: [String: [UInt8]] = [:]
        for (family, weight) in families.flatMap({ [($0, PANGO_WEIGHT_NORMAL), ($0, PANGO_WEIGHT_BOLD)] }) {
            let description = pango_font_description_new()
            defer { pango_font_description_free(description) }
            pango_font_description_set_family(description, self.families(of: family))
            pango_font_description_set_weight(description, weight)
            pango_layout_set_font_description(layout, description)
            pango_layout_set_text(layout, sample, -1)
            let runs = pango_layout_get_iter(layout)
            defer { pango_layout_iter_free(runs) }
            repeat {
                guard let run = pango_layout_iter_get_run_readonly(runs),
                    let font = run.pointee.item.pointee.analysis.font
                else { continue }
                let (name, contents) = file(of: font)
                fonts[name] = contents
            } while pango_layout_iter_next_run(runs) != 0
        }
        return fonts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private static func file(of font: UnsafeMutablePointer<PangoFont>) -> (name: String, contents: [UInt8]) {
        let description = pango_font_describe(font)
        defer { pango_font_description_free(description) }
        let name = pango_font_description_to_string(description)
        defer { g_free(name) }
        let blob = hb_face_reference_blob(hb_font_get_face(pango_font_get_hb_font(font)))
        defer { hb_blob_destroy(blob) }
        var length: UInt32 = 0
        let start = hb_blob_get_data(blob, &length)
        return (
            name.map { String(cString: $0) } ?? "",
            Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(length)))
        )
    }

    /// Returns the sorted names of all font families.
    package static func fontFamilies() -> [String] {
        // Pango's default map may not know fonts that were added later.
        guard let map = newFonts else { return [] }
        defer { g_object_unref(UnsafeMutableRawPointer(map)) }
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
