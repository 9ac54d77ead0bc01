/// The language of captions, chapters and tables.
public enum Language: String, CaseIterable, Sendable {
    /// English.
    case en
    /// Simplified Chinese.
    case zh
}

/// A text in all languages of captions. A string literal is the same in all languages.
public struct LocalizedText: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The English text, which machine-readable output uses for every language.
    public let english: String
    private let chinese: String?

    /// A text in English and, if it differs, in simplified Chinese.
    public init(_ english: String, zh chinese: String? = nil) {
        self.english = english
        self.chinese = chinese
    }

    /// A text that is the same in all languages.
    public init(stringLiteral value: String) { self.init(value) }

    /// Returns the text in a language.
    public func text(in language: Language) -> String { language == .zh ? chinese ?? english : english }
}
