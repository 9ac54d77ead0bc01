import Animations
import Core
import Raster
import Render

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
                let parts = try self.parts(ofLong: clause, at: text.location)
                captions += parts.dropLast()
                current = parts.last ?? ""
            }
        }
        flush()
        return captions.compactMap { lines(of: $0) }
    }

    /// Returns the captions of a clause that does not fit in one: as few as possible, of similar
    /// length. Throws `DocumentError` if a word is too long for a line.
    private func parts(ofLong clause: String, at location: SourceLocation) throws(DocumentError) -> [String] {
        let words = WordBreaks.pieces(of: clause)
        func parts(minLength: Rational) -> [String] {
            words.reduce(into: [String]()) { parts, word in
                guard let last = parts.last, ReadingSpeed.length(of: last) < minLength, lines(of: last + word) != nil
                else { return parts.append(word) }
                parts[parts.count - 1] += word
            }
        }
        if let word = words.first(where: { lines(of: $0) == nil }) {
            throw DocumentError(
                at: location, "a word is too long for a line of a caption",
                remedy: "use words of at most \(ReadingSpeed(word).charactersPerLine) characters", found: quoted(word))
        }
        let length = ReadingSpeed.length(of: clause)
        let fewest = parts(minLength: length)
        let even = parts(minLength: length / Rational(fewest.count))
        return even.count == fewest.count ? even : fewest
    }

    private static let sentenceEnds = ".!?。！？"
    private static let pauses = sentenceEnds + ";,:；，："

    /// Returns a text in one line or in two of similar width; nil if it does not fit.
    private func lines(of text: String) -> String? {
        let text = text.trimmed
        if fits(text) { return text }
        let lines = Self.twoLines(of: text) {
            measured($0)
        } fits: {
            fits($0)
        }
        return lines.map { $0.joined(separator: "\n") }
    }

    /// Returns a text in two lines of similar width that break between words; nil if they do not
    /// fit, or if one would be an orphan.
    ///
    /// - Parameter width: returns the width of a line.
    static func twoLines(of text: String, width: (String) -> Double, fits: (String) -> Bool) -> [String]? {
        let words = WordBreaks.pieces(of: text)
        var best: (lines: [String], cost: Double)?
        for split in words.indices.dropFirst() {
            let first = words[..<split].joined().trimmed
            let second = words[split...].joined().trimmed
            guard fits(first), fits(second), !isOrphan(first), !isOrphan(second) else { continue }
            // Lines of different widths are better than a break within a clause or sentence.
            let factor = clings(first) ? Self.clingingCost : first.last.map { breakCost(after: $0) } ?? 1
            let cost = max(width(first), width(second)) * factor
            if best.map({ cost < $0.cost }) ?? true { best = ([first, second], cost) }
        }
        return best?.lines
    }

    /// Returns the factor on the width of two lines for a break after a character.
    private static func breakCost(after character: Character) -> Double {
        // A number stays with the noun that follows it.
        if character.isNumber { return 1.8 }
        if sentenceEnds.contains(character) { return 0.7 }
        // Text after a colon or semicolon reads well on a new line.
        if ":;：；".contains(character) { return 0.8 }
        return (pauses + "、").contains(character) ? 1 : 1.5
    }

    /// The factor on the width of two lines if the first one ends with a word that belongs to the
    /// next one.
    private static let clingingCost = 1.9
    /// English words that belong to the word after them.
    private static let clingingWords: Set<String> = [
        "a", "an", "the", "to", "of", "in", "on", "at", "by", "for", "from", "with", "and", "or", "as", "is", "its",
    ]

    private static func clings(_ line: String) -> Bool {
        line.split(separator: " ").last.map { clingingWords.contains($0.lowercased()) } ?? false
    }

    private func fits(_ line: String) -> Bool {
        ReadingSpeed.length(of: line) <= Rational(ReadingSpeed(line).charactersPerLine) && measured(line) <= width
    }

    /// Returns true if a line is a single Chinese character, perhaps with punctuation.
    private static func isOrphan(_ line: String) -> Bool {
        Language(ofText: line) == .zh && line.count { $0.isLetter || $0.isNumber } < 2
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
