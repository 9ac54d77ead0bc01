import Annotations
import Documents
import Loaders
import Platform
import Scene

/// Breaks what is said into captions of at most two lines, at the ends of sentences and clauses where it can.
struct CaptionText {
    let style: LessonStyle
    /// How wide a line may be, in points.
    let width: Double

    /// The captions of a text, each of one or two lines. Throws if a word alone is too long for a line.
    func captions(of text: Located) throws(DocumentError) -> [String] {
        var captions: [String] = []
        var current = ""
        func flush() {
            if !current.isEmpty { captions.append(current) }
            current = ""
        }
        for sentence in CaptionText.parts(of: text.text, endingWith: CaptionText.sentenceEnds) {
            // A sentence that has room alone is not begun where only a part of it has.
            if lines(of: current + sentence) == nil, lines(of: sentence) != nil { flush() }
            for clause in CaptionText.parts(of: sentence, endingWith: CaptionText.pauses) {
                if lines(of: current + clause) == nil { flush() }
                guard lines(of: current + clause) == nil else {
                    current += clause
                    continue
                }
                // A clause that has no room alone is cut between its words.
                for word in CaptionText.words(of: clause) {
                    if lines(of: current + word) == nil { flush() }
                    guard lines(of: current + word) != nil else {
                        throw DocumentError(
                            at: text.location, "a word is too long for a line of a caption",
                            expected: "at most \(ReadingSpeed(word).lettersPerLine) letters", found: quoted(word))
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

    /// The text in one line or in two of nearly the same length; nil if it has no room.
    private func lines(of text: String) -> String? {
        let text = text.trimmed
        if fits(text) { return text }
        let words = CaptionText.words(of: text)
        var best: (lines: String, width: Double)?
        for split in words.indices.dropFirst() {
            let (first, second) = (words[..<split].joined().trimmed, words[split...].joined().trimmed)
            guard fits(first), fits(second) else { continue }
            // Better two lines of different length than a break where nobody pauses, or within a sentence.
            let pause = first.last.map { CaptionText.breakCost(after: $0) } ?? 1
            let widest = max(measured(first), measured(second)) * pause
            if best.map({ widest < $0.width }) ?? true { best = (first + "\n" + second, widest) }
        }
        return best?.lines
    }

    private static func breakCost(after letter: Character) -> Double {
        // A number stays with what it counts.
        if letter.isNumber { return 1.8 }
        return sentenceEnds.contains(letter) ? 0.7 : (pauses + "、").contains(letter) ? 1 : 1.5
    }

    private func fits(_ line: String) -> Bool {
        line.count <= ReadingSpeed(line).lettersPerLine && measured(line) <= width
    }

    private func measured(_ line: String) -> Double { style.width(line, LessonStyle.caption) }

    /// A text in parts that end with some marks, where these are pauses.
    private static func parts(of text: String, endingWith marks: String) -> [String] {
        var (parts, current) = ([String](), "")
        let letters = Array(text)
        for (index, letter) in letters.enumerated() {
            current.append(letter)
            let next = index + 1 < letters.count ? letters[index + 1] : " "
            // A point within a number, or a word such as e.g., is no pause.
            let pauses = marks.contains(letter) && (!letter.isASCII || next == " ")
            // What closes belongs to what it closes.
            if pauses, !"”’」』）)\"".contains(next) {
                parts.append(current)
                current = ""
            }
        }
        return current.isEmpty ? parts : parts + [current]
    }

    /// The parts between which a line may break.
    static func words(of text: String) -> [String] { TextExtent.pieces(of: text) }
}

extension String {
    /// Without spaces at its ends.
    fileprivate var trimmed: String {
        var rest = Substring(self)
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
