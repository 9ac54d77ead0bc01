import Render
import Core
import Animations

/// The division of a text into captions of at most two lines, preferably after sentences and
/// clauses.
struct CaptionBreaker {
    let style: LessonStyle
    /// Maximum width of a line in points.
    let width: Double

    /// Returns the captions of a text, each of one or two lines. Throws `DocumentError` if a word
    /// is too long for a line.
    func captions(of text: SpannedText) throws(DocumentError) -> [String] {
        var captions: [String] = []
        var current = ""
        func flush() {
            if !current.isEmpty { captions.append(current) }
            current = ""
        }
        for sentence in CaptionBreaker.parts(of: text.text, endingWith: CaptionBreaker.sentenceEnds) {
            // A sentence that fits in a caption of its own is not split.
            if lines(of: current + sentence) == nil, lines(of: sentence) != nil { flush() }
            for clause in CaptionBreaker.parts(of: sentence, endingWith: CaptionBreaker.pauses) {
                if lines(of: current + clause) == nil { flush() }
                guard lines(of: current + clause) == nil else {
                    current += clause
                    continue
                }
                // A clause that does not fit in a caption is split between words.
                for word in CaptionBreaker.words(of: clause) {
                    if lines(of: current + word) == nil { flush() }
                    guard lines(of: current + word) != nil else {
                        throw DocumentError(
                            at: text.location, "a word is too long for a line of a caption",
                            expected: "at most \(ReadingSpeed(word).charactersPerLine) characters", found: quoted(word))
                    }
                    current += word
                }
            }
        }
        flush()
        return captions.compactMap { lines(of: $0) }
    }

    private static let sentenceEnds = ".!?。！？"
    private static let pauses = sentenceEnds + ";,:；，："

    /// Returns a text in one line or in two of similar width; nil if it does not fit.
    private func lines(of text: String) -> String? {
        let text = text.trimmed
        if fits(text) { return text }
        let words = CaptionBreaker.words(of: text)
        var best: (lines: String, cost: Double)?
        for split in words.indices.dropFirst() {
            let first = words[..<split].joined().trimmed
            let second = words[split...].joined().trimmed
            guard fits(first), fits(second) else { continue }
            // Lines of different widths are better than a break within a clause or sentence.
            let factor = first.last.map { CaptionBreaker.breakCost(after: $0) } ?? 1
            let cost = max(measured(first), measured(second)) * factor
            if best.map({ cost < $0.cost }) ?? true { best = (first + "\n" + second, cost) }
        }
        return best?.lines
    }

    /// Returns the factor on the width of two lines for a break after a character.
    private static func breakCost(after character: Character) -> Double {
        // A number stays with the noun that follows it.
        if character.isNumber { return 1.8 }
        return sentenceEnds.contains(character) ? 0.7 : (pauses + "、").contains(character) ? 1 : 1.5
    }

    private func fits(_ line: String) -> Bool {
        line.count <= ReadingSpeed(line).charactersPerLine && measured(line) <= width
    }

    private func measured(_ line: String) -> Double { style.width(line, LessonStyle.caption) }

    /// Splits a text after punctuation marks.
    private static func parts(of text: String, endingWith marks: String) -> [String] {
        var parts: [String] = []
        var current = ""
        let characters = Array(text)
        for (index, character) in characters.enumerated() {
            current.append(character)
            let next = index + 1 < characters.count ? characters[index + 1] : " "
            // Points in numbers and in words such as e.g. are not punctuation.
            let isPause = marks.contains(character) && (!character.isASCII || next == " ")
            // Closing quotation marks and parentheses stay with the text before them.
            if isPause, !"”’」』）)\"".contains(next) {
                parts.append(current)
                current = ""
            }
        }
        return current.isEmpty ? parts : parts + [current]
    }

    /// Returns the parts of a text between which a line may break.
    static func words(of text: String) -> [String] { TextExtent.pieces(of: text) }
}

extension String {
    /// The string without leading and trailing spaces.
    fileprivate var trimmed: String {
        var rest = Substring(self)
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
