import Animations
import Core
import Raster

/// Texts as the installed fonts can draw them.
package enum DrawnText {
    /// The maximum number of texts whose characters are remembered.
    private static let maxKnown = 1024
    private static let gauge = try? TextGauge()
    private static let known = Locked<[String: String]>([:])

    /// Returns a text without the characters that no installed font has. They would be drawn as
    /// boxes with their codes.
    package static func text(_ string: String) -> String {
        // All fonts have these, and most texts have no others.
        if string.utf8.allSatisfy({ $0 < 0x80 }) { return string }
        if let found = known.withLock({ $0[string] }) { return found }
        let drawable = filtered(string)
        known.withLock { texts in
            if texts.count >= maxKnown { texts = [:] }
            texts[string] = drawable
        }
        return drawable
    }

    /// Returns a line of code with a square instead of each character that no installed font has,
    /// so that the characters after it keep their columns.
    package static func code(_ line: String) -> String {
        guard text(line) != line else { return line }
        return String(line.map { $0.isWhitespace || text(String($0)) == String($0) ? $0 : "\u{25A1}" })
    }

    private static func filtered(_ string: String) -> String {
        guard let gauge else { return string }
        func isDrawn(_ string: String) -> Bool {
            gauge.missingCharacter(in: Text(string, frame: Rect(size: Size(0, 0)), fontSize: 12, color: .black)) == nil
        }
        if isDrawn(string) { return string }
        let lines = string.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            // A removed character leaves one space between words.
            line.filter { isDrawn(String($0)) }.split(separator: " ").joined(separator: " ")
        }
        return lines.joined(separator: "\n")
    }
}
