/// Conservative estimates of text sizes, from the advances of a wide font, without the characters
/// that no installed font has.
package enum TextExtent {
    /// Returns the width of the widest line in points.
    package static func width(_ string: String, fontSize: Double, bold: Bool = false) -> Double {
        let lines = DrawnText.text(string).split(separator: "\n", omittingEmptySubsequences: false)
        let ems = lines.map { $0.unicodeScalars.reduce(0) { $0 + width(of: $1) } }.max() ?? 0
        return ems * fontSize * (bold ? 1.12 : 1) + 2
    }

    /// Returns the height of a line in points, with room for the tallest fallback font.
    package static func height(fontSize: Double) -> Double { (fontSize * 1.5).rounded(.up) }

    /// Returns the advance of a character in ems.
    private static func width(of character: Unicode.Scalar) -> Double {
        switch character {
        case "i", "j", "l", "|", "'": 0.3
        case "f", "r", "t", ".", ",", ":", ";", " ", "(", ")", "[", "]", "/", "-", "I": 0.42
        case "m", "w", "M", "W", "%", "@", "—", "…": 1
        case "→", "↔", "−", "+", "=": 0.86
        case "A"..."Z": 0.78
        case "\u{0}"..."\u{2E7F}": 0.65
        default: 1.02
        }
    }
}
