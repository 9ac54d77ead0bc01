import Animations
import Core

extension Language {
    /// The language of a text: Chinese if it has a Chinese character, else English.
    init(ofText text: String) {
        let isChinese = text.unicodeScalars.contains { (0x3400...0x9FFF).contains($0.value) }
        self = isChinese ? .zh : .en
    }
}

/// The limits on the reading speed and length of captions.
///
/// The figures are the subtitling rules of broadcasters and streaming services: English has at most
/// 17 characters per second in two lines of 42, Chinese at most 9 in two lines of 16, where a Latin
/// letter, a digit or a space counts half. A caption lasts 5/6 s to 7 s, and captions are two
/// frames apart.
struct ReadingSpeed: Sendable {
    let charactersPerSecond: Rational
    let charactersPerLine: Int

    /// Minimum duration of a caption in seconds.
    static let minDuration = Rational(5, 6)
    /// Maximum duration of a caption in seconds.
    static let maxDuration: Rational = 7
    /// The number of frames between captions.
    static let gap = 2

    init(_ language: Language) {
        switch language {
        case .en:
            charactersPerSecond = 17
            charactersPerLine = 42
        case .zh:
            charactersPerSecond = 9
            charactersPerLine = 16
        }
    }

    /// The limits for the language of a text.
    init(_ text: String) { self.init(Language(ofText: text)) }

    /// Returns the time in seconds that reading a text takes.
    func time(for text: String) -> Rational { max(Self.minDuration, Self.length(of: text) / charactersPerSecond) }

    /// Returns the length of a text in characters, without line breaks. In Chinese, Latin counts
    /// half.
    static func length(of text: String) -> Rational {
        let isChinese = Language(ofText: text) == .zh
        return text.reduce(0) { sum, character in
            character == "\n" ? sum : sum + (isChinese && character.isASCII ? Rational(1, 2) : 1)
        }
    }
}
