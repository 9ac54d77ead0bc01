import CWordBreaks
import Core

/// The positions between words at which a line of text can break.
package enum WordBreaks {
    /// Returns the parts of a text between which a line can break, each with its leading space.
    ///
    /// Latin breaks at spaces, Chinese between the words of ICU's dictionary. A number stays with
    /// the Chinese words beside it, closing punctuation with the text before it.
    package static func pieces(of string: String) -> [String] {
        let words = string.contains(where: \.isWide) ? dictionaryWords(of: string) : string.map { String($0) }
        var parts: [Part] = []
        var space = ""
        for word in words {
            guard word.contains(where: { $0 != " " }) else {
                space += word
                continue
            }
            let next = Part(
                text: space + word, isSingleCharacters: word.count == 1 && word.allSatisfy(\.isWordIdeograph))
            space = ""
            if let last = parts.last, last.mustStay(with: next) {
                parts[parts.count - 1].text += next.text
                parts[parts.count - 1].isSingleCharacters = last.isSingleCharacters && next.isSingleCharacters
            } else {
                parts.append(next)
            }
        }
        return parts.map(\.text) + (space.isEmpty ? [] : [space])
    }

    /// A part of a text that stays on one line.
    private struct Part {
        var text: String
        /// True if it consists of Chinese words of a single character.
        var isSingleCharacters: Bool

        /// Returns true if a line must not break between this part and the next one.
        func mustStay(with next: Part) -> Bool {
            guard let end = text.last, let start = next.text.first(where: { $0 != " " }) else { return false }
            // Closing punctuation stays with the part before it, unless a space separates them.
            if (closing.contains(start) && next.text.first == start) || opening.contains(end) { return true }
            if isDigit(end, beside: start) || isDigit(start, beside: end) { return true }
            guard next.text.first == start else { return false }
            if particles.contains(next.text) || !end.isWide && !start.isWide { return true }
            return isSingleCharacters && next.isSingleCharacters && text.count < maxCompound
        }
    }

    private static let opening = "（《“‘「『"
    private static let closing = "，。、：；！？）》”’」』"
    /// Words that belong to the word before them.
    private static let particles: Set = ["的", "地", "得", "了", "着", "过", "们", "吗", "呢", "吧"]
    /// The maximum length of a part made of single characters, in characters. The dictionary lacks
    /// many compounds, such as the one for a small ball.
    private static let maxCompound = 6

    /// Returns true if the first character is a digit and the second one is Chinese.
    private static func isDigit(_ digit: Character, beside other: Character) -> Bool {
        digit.isNumber && digit.isASCII && other.isWordIdeograph
    }

    /// Splits a text into the words of ICU's dictionary and the text between them, or into
    /// characters if ICU has no dictionary.
    private static func dictionaryWords(of string: String) -> [String] {
        let units = Array(string.utf16)
        let ends = [Int32](unsafeUninitializedCapacity: units.count) { ends, count in
            count = Int(lv_word_ends(units, Int32(units.count), ends.baseAddress))
        }
        guard !ends.isEmpty else { return string.map { String($0) } }
        return zip([0] + ends, ends).map { start, end in
            String(decoding: units[Int(start)..<Int(end)], as: UTF16.self)
        }
    }
}

extension Character {
    /// True from U+2E80 on: CJK scripts, their punctuation, and emoji. Curly quotes lie below.
    package var isWide: Bool {
        // CJK scripts start at U+2E80 (CJK Radicals Supplement).
        unicodeScalars.contains { $0.value >= 0x2E80 }
    }

    /// True for ideographs that form words.
    fileprivate var isWordIdeograph: Bool {
        unicodeScalars.contains { $0.properties.isIdeographic }
    }
}
