import Loaders
import Motion

extension Language {
    /// What a text is written in, by its letters.
    init(ofText text: String) {
        let isChinese = text.unicodeScalars.contains { (0x3400...0x9FFF).contains($0.value) }
        self = isChinese ? .zh : .en
    }
}

/// How fast captions are read, and how much of them is shown at once.
///
/// The figures are those that broadcasters and streaming services ask of their subtitlers: English at most 17 letters a second
/// in two lines of 42, Chinese at most 9 in two lines of 16, each for 5/6...7 seconds, with two frames between them.
struct ReadingSpeed: Sendable {
    /// Letters a second.
    let lettersPerSecond: Rational
    /// Letters in a line.
    let lettersPerLine: Int

    static let shortest = Rational(5, 6)
    static let longest: Rational = 7
    /// Frames between one caption and the next.
    static let gap = 2

    init(_ language: Language) {
        switch language {
        case .en: (lettersPerSecond, lettersPerLine) = (17, 42)
        case .zh: (lettersPerSecond, lettersPerLine) = (9, 16)
        }
    }

    /// As fast as what a text is written in is read.
    init(_ text: String) { self.init(Language(ofText: text)) }

    /// How long a text takes to read, in seconds.
    func time(for text: String) -> Rational {
        max(Self.shortest, Rational(text.count { $0 != "\n" }) / lettersPerSecond)
    }
}
