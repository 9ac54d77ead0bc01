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
    private var speed: ReadingSpeed { ReadingSpeed(style.language) }

    /// The captions of a text, each of one or two lines. Throws if a word alone is too long for a line.
    func captions(of text: Located) throws(DocumentError) -> [String] {
        var captions: [String] = []
        var current = ""
        for clause in CaptionText.clauses(of: text.text) {
            let joined = current.isEmpty ? clause : current + clause
            if lines(of: joined) != nil {
                current = joined
                continue
            }
            if !current.isEmpty { captions.append(current) }
            current = ""
            // A clause that has no room alone is cut between its words.
            for word in CaptionText.words(of: clause) {
                let longer = current + word
                if lines(of: longer) != nil {
                    current = longer
                } else {
                    guard !current.isEmpty, lines(of: word) != nil else {
                        throw DocumentError(
                            at: text.location, "a word is too long for a line of a caption",
                            expected: "at most \(speed.lettersPerLine) letters", found: quoted(word))
                    }
                    captions.append(current)
                    current = word
                }
            }
        }
        if !current.isEmpty { captions.append(current) }
        return captions.compactMap { lines(of: $0) }
    }

    /// The text in one line or in two of nearly the same length; nil if it has no room.
    private func lines(of text: String) -> String? {
        let text = text.trimmed
        if fits(text) { return text }
        let words = CaptionText.words(of: text)
        var best: (lines: String, width: Double)?
        for split in words.indices.dropFirst() {
            let (first, second) = (words[..<split].joined().trimmed, words[split...].joined().trimmed)
            guard fits(first), fits(second) else { continue }
            // Better two lines of different length than a break where nobody pauses.
            let pauses = first.last.map { ".!?;,:。！？；，：、".contains($0) } ?? false
            // A number stays with what it counts.
            let counts = first.last?.isNumber ?? false
            let widest = max(measured(first), measured(second)) * (pauses ? 1 : counts ? 1.7 : 1.35)
            if best.map({ widest < $0.width }) ?? true { best = (first + "\n" + second, widest) }
        }
        return best?.lines
    }

    private func fits(_ line: String) -> Bool {
        line.count <= speed.lettersPerLine && measured(line) <= width
    }

    private func measured(_ line: String) -> Double { style.width(line, LessonStyle.caption) }

    /// A text in parts that end where one pauses.
    private static func clauses(of text: String) -> [String] {
        var (clauses, current) = ([String](), "")
        let letters = Array(text)
        for (index, letter) in letters.enumerated() {
            current.append(letter)
            let next = index + 1 < letters.count ? letters[index + 1] : " "
            // A point within a number, or a word such as e.g., is no pause.
            let pauses = "。！？；，：".contains(letter) || ".!?;,:".contains(letter) && next == " "
            // What closes belongs to what it closes.
            if pauses, !"”’」』）)\"".contains(next) {
                clauses.append(current)
                current = ""
            }
        }
        return current.isEmpty ? clauses : clauses + [current]
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
