import Animations
import Core
import Raster

/// A clip's title, broken into lines at the largest font size that fits.
package struct TitleText {
    let lines: [String]
    /// Font size in points.
    let fontSize: Double

    // Font sizes as fractions of the frame's shorter side, chosen by eye.
    private static let maxSize = 1.0 / 18
    private static let minSize = 1.0 / 40
    /// The font size below which a title may have more than two lines.
    private static let minTwoLineSize = 1.0 / 30
    /// The maximum number of lines of a title in such a small font.
    private static let maxLines = 4

    /// The height of a line in points.
    var lineHeight: Double { TitleText.lineHeight(fontSize) }
    private static func lineHeight(_ fontSize: Double) -> Double { (fontSize * 1.5).rounded(.up) }

    /// The height of all lines in points.
    var height: Double { Double(lines.count) * lineHeight }

    /// Throws `LoadervidError` if the title does not fit.
    ///
    /// - Parameters:
    ///   - width: the maximum width of a line in points.
    ///   - maxHeight: the maximum height of all lines in points.
    ///   - side: the frame's shorter side in points.
    init(_ title: String, width: Double, maxHeight: Double, side: Double) throws {
        let gauge: TextGauge
        do { gauge = try TextGauge() } catch { throw LoadervidError(error) }
        // Twelve steps, with a tolerance so that rounding errors do not drop the last one.
        let sizes = stride(from: Self.maxSize, through: Self.minSize - 1e-9, by: -(Self.maxSize - Self.minSize) / 12)
        for size in sizes.map({ $0 * side }) {
            func fits(_ line: String) -> Bool {
                let text = Text(line, frame: Rect(size: Size(0, 0)), fontSize: size, color: .black, bold: true)
                return gauge.extent(of: text).width.rounded(.up) + 2 <= width
            }
            let maxCount = size >= Self.minTwoLineSize * side ? 2 : Self.maxLines
            guard let lines = Self.lines(of: title, maxCount: maxCount, fits),
                Double(lines.count) * Self.lineHeight(size) <= maxHeight
            else { continue }
            self.lines = lines
            fontSize = size
            return
        }
        throw LoadervidError(
            .usage,
            "\(option: "title"): \(quoted(title)) does not fit above the canvas; use a shorter title or a wider frame",
            subjects: .options("title"))
    }

    /// Breaks a text into lines between words; nil if a word does not fit or there are more than
    /// `maxCount` lines.
    private static func lines(of text: String, maxCount: Int, _ fits: (String) -> Bool) -> [String]? {
        var lines: [String] = []
        for piece in WordBreaks.pieces(of: text) {
            if let last = lines.last, fits(last + piece) {
                lines[lines.count - 1] = last + piece
            } else {
                lines.append(String(piece.drop { $0 == " " }))
            }
        }
        return lines.count <= maxCount && lines.allSatisfy(fits) ? lines : nil
    }
}

extension TitleText {
    /// Returns a note that a title's emoji have no colours or are left out, because no font has
    /// them; nil if there is nothing to note.
    package static func emojiNote(_ title: String) -> String? {
        var seen: Set<Character> = []
        let emoji = title.filter { $0.isEmoji && seen.insert($0).inserted }
        guard !emoji.isEmpty, TextSystem.family(drawing: emoji, isColored: true) == nil else { return nil }
        let isLeftOut = DrawnText.text(emoji) != emoji
        let problem = isLeftOut ? "no installed font has all of" : "no installed font has colours for"
        return "\(problem) \(emoji); install fonts-noto-color-emoji, or name the directory "
            + "of such a font (font-dir)"
    }
}

extension Character {
    /// True for characters that are drawn in several colours by default.
    package var isEmoji: Bool { unicodeScalars.contains { $0.properties.isEmojiPresentation } }
}
