import Animations
import Core
import Raster
import Render

/// The colours and text styles of a lesson.
struct LessonStyle: Sendable {
    let theme: AnnotationTheme
    let language: Language
    let gauge: TextGauge
    /// The font family of texts; nil for the default.
    let font: String?
    /// The name of the frame's shape, for messages.
    let layout: String

    // Font sizes in points of a frame whose shorter side is 360. None is below a thirtieth of that
    // side, so that text stays legible in small players.
    static let title = 26.0
    static let caption = 15.0
    static let heading = 13.5
    static let small = 12.0

    /// Returns the height of a line in points. The factor 1.5 suffices for the fonts of all
    /// languages.
    static func lineHeight(_ fontSize: Double) -> Double { (fontSize * 1.5).rounded(.up) }

    /// Returns a label in the lesson's language.
    func word(_ text: LocalizedText) -> String { text.text(in: language) }

    /// Returns the width of a line of text in points.
    func width(_ string: String, _ size: Double, bold: Bool = false, family: Text.Family = .sansSerif) -> Double {
        gauge.extent(of: text(string, size, bold: bold, family: family)).width
    }

    private func text(_ string: String, _ size: Double, bold: Bool, family: Text.Family) -> Text {
        let own = family == .sansSerif ? font.map { .named($0) } ?? family : family
        let string = family == .sansSerif ? DrawnText.text(string) : DrawnText.code(string)
        return Text(string, frame: Rect(size: Size(0, 0)), fontSize: size, color: .black, bold: bold, family: own)
    }

    /// Returns a line of text.
    ///
    /// - Parameters:
    ///   - x: the left edge, right edge or centre, depending on the alignment.
    ///   - y: the vertical centre.
    ///   - isNumber: true for times and coordinates, whose digits have the same width.
    func line(
        _ string: String, at x: Double, middle y: Double, size: Double, color: Color,
        alignment: Text.Alignment = .left, bold: Bool = false, family: Text.Family = .sansSerif,
        isNumber: Bool = false
    ) -> Node {
        var text = text(string, size, bold: bold, family: family)
        text.hasTabularFigures = isNumber
        let extent = gauge.extent(of: text)
        // The frame is at least two points wider than the text, so that rounding does not clip it.
        let width = extent.width.rounded(.up) + 2
        let left = alignment == .left ? x : alignment == .right ? x - width : x - width / 2
        text.frame = Rect(x: left, y: y - extent.height / 2, width: width, height: extent.height)
        text.color = color
        text.alignment = alignment
        return .text(text)
    }

    /// Throws `DocumentError` if no installed font has a glyph for a character of a text, except
    /// for emoji, which get a note. They are drawn without colours, or left out if no font has
    /// them.
    func checkGlyphs(of located: SpannedText) throws(DocumentError) {
        var sample = text("", Self.small, bold: false, family: .sansSerif)
        sample.string = located.text.filter { !$0.isEmoji }
        guard let character = gauge.missingCharacter(in: sample) else { return }
        let scalars = character.unicodeScalars.map { "U+" + String($0.value, radix: 16, uppercase: true) }
        throw DocumentError(
            at: located.location, "no installed font has a character of the text",
            remedy: "remove it, or install a font that has it",
            found: "\(quoted(String(character))) (\(scalars.joined(separator: " ")))")
    }
}
