import Annotations
import Documents
import Loaders
import Platform
import Raster
import Scene

/// Colours, letters and their measures, the same throughout a lesson.
struct LessonStyle: Sendable {
    let theme: AnnotationTheme
    let language: Language
    let gauge: TextGauge

    /// Font sizes in points, of a picture whose shorter side is 360: none is below a thirtieth of that.
    static let (title, caption, heading, small) = (26.0, 15.0, 13.5, 12.0)

    /// The height of a line of letters, with room for the fonts of all languages.
    static func lineHeight(_ fontSize: Double) -> Double { (fontSize * 1.5).rounded(.up) }

    /// A word of the program's own in the lesson's language.
    func word(_ text: LocalizedText) -> String { text.text(in: language) }

    /// How wide a line of text is, in points.
    func width(_ string: String, _ size: Double, bold: Bool = false, family: Text.Family = .sansSerif) -> Double {
        gauge.extent(of: text(string, size, bold: bold, family: family)).width
    }

    private func text(_ string: String, _ size: Double, bold: Bool, family: Text.Family) -> Text {
        Text(
            string, frame: Rect(size: Size(0, 0)), fontSize: size, color: .black, bold: bold, family: family)
    }

    /// A line of text whose middle is at a height, from a left edge on, or up to a right edge, or around a middle.
    func line(
        _ string: String, at x: Double, middle y: Double, size: Double, color: Color,
        alignment: Text.Alignment = .left, bold: Bool = false, family: Text.Family = .sansSerif
    ) -> Node {
        let extent = gauge.extent(of: text(string, size, bold: bold, family: family))
        // A point more than it takes, so that nothing is cut off by rounding.
        let width = extent.width.rounded(.up) + 2
        let left = alignment == .left ? x : alignment == .right ? x - width : x - width / 2
        let frame = Rect(x: left, y: y - extent.height / 2, width: width, height: extent.height)
        return .text(
            Text(
                string, frame: frame, fontSize: size, color: color, alignment: alignment, bold: bold, family: family))
    }

    /// Throws if no font has one of the text's letters.
    func checkLetters(of located: Located) throws(DocumentError) {
        guard let letter = gauge.missingLetter(in: text(located.text, Self.small, bold: false, family: .sansSerif))
        else {
            return
        }
        let scalars = letter.unicodeScalars.map { "U+" + String($0.value, radix: 16, uppercase: true) }
        throw DocumentError(
            at: located.location, "no font has a letter of the text",
            expected: "letters that fonts here have, or another font installed",
            found: "\(quoted(String(letter))) (\(scalars.joined(separator: " ")))")
    }
}
