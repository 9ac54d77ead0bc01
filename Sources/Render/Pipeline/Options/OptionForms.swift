import Animations
import Core
import Media

// Initializers for the common kinds of options.
extension ClipOption {
    /// An option with a parsed value, such as a number.
    init<Value: Sendable>(
        _ key: String, _ group: Group, _ value: RequestValue<Value>, _ label: String, defaultValue: String? = nil,
        _ summary: String, set: @escaping @Sendable (inout RenderRequest, Value) -> Void,
        get: @escaping @Sendable (RenderRequest) -> String?
    ) {
        let read = value.read
        let valueKind = value.mayHaveSign ? ValueKind.number(expected: value.expected) : .text(expected: value.expected)
        self.init(key, group, valueKind, value: label, defaultValue: defaultValue, summary) { text, request in
            guard let value = read(text) else { return false }
            set(&request, value)
            return true
        } format: {
            get($0)
        }
        problem = value.problem
        wholeRange = value.wholeRange
        textPattern = value.textPattern
    }

    /// An option whose value is a property of the request.
    init<Value: ExactTextConvertible>(
        _ key: String, _ group: Group, _ value: RequestValue<Value>, _ label: String, defaultValue: String? = nil,
        _ summary: String, _ field: WritableKeyPath<RenderRequest, Value> & Sendable
    ) {
        self.init(key, group, value, label, defaultValue: defaultValue, summary) {
            $0[keyPath: field] = $1
        } get: {
            $0[keyPath: field].exactText
        }
    }

    /// An option whose value is an optional property of the request.
    init<Value: ExactTextConvertible>(
        _ key: String, _ group: Group, _ value: RequestValue<Value>, _ label: String, defaultValue: String? = nil,
        _ summary: String, _ field: WritableKeyPath<RenderRequest, Value?> & Sendable
    ) {
        self.init(key, group, value, label, defaultValue: defaultValue, summary) {
            $0[keyPath: field] = $1
        } get: {
            $0[keyPath: field]?.exactText
        }
    }

    /// An option that is a flag.
    init(
        flag key: String, _ group: Group, _ summary: String,
        _ field: WritableKeyPath<RenderRequest, Bool> & Sendable
    ) {
        self.init(key, group, .flag, defaultValue: nil, summary) { text, request in
            guard ["true", "false"].contains(text) else { return false }
            request[keyPath: field] = text == "true"
            return true
        } format: {
            $0[keyPath: field] ? "true" : nil
        }
    }

    /// An option whose value is a case of an enumeration.
    init<Word: RawRepresentable & CaseIterable & Sendable>(
        words key: String, _ group: Group, defaultValue: String? = nil, _ summary: String,
        _ field: WritableKeyPath<RenderRequest, Word> & Sendable
    ) where Word.RawValue == String {
        let words = Word.allCases.map(\.rawValue)
        self.init(key, group, .word(words), defaultValue: defaultValue, summary) { text, request in
            guard let word = Word(rawValue: text) else { return false }
            request[keyPath: field] = word
            return true
        } format: {
            $0[keyPath: field].rawValue
        }
    }

    /// An option whose value is a case of an enumeration, or nil.
    init<Word: RawRepresentable & CaseIterable & Sendable>(
        words key: String, _ group: Group, defaultValue: String, _ summary: String,
        _ field: WritableKeyPath<RenderRequest, Word?> & Sendable
    ) where Word.RawValue == String {
        let words = Word.allCases.map(\.rawValue)
        self.init(key, group, .word(words), defaultValue: defaultValue, summary) { text, request in
            request[keyPath: field] = Word(rawValue: text)
            return request[keyPath: field] != nil
        } format: {
            $0[keyPath: field]?.rawValue
        }
    }

    /// An option for a Boolean property with a word for each value, the one for true first.
    init(
        either key: String, _ group: Group, _ words: (String, String), defaultValue: String, _ summary: String,
        _ field: WritableKeyPath<RenderRequest, Bool> & Sendable
    ) {
        let other = words.0 == defaultValue ? words.1 : words.0
        self.init(key, group, .word([defaultValue, other]), defaultValue: defaultValue, summary) { text, request in
            guard [words.0, words.1].contains(text) else { return false }
            request[keyPath: field] = text == words.0
            return true
        } format: {
            $0[keyPath: field] ? words.0 : words.1
        }
    }

    /// An option for the encoder, which may differ between the outputs of a clip.
    init(
        encoder key: String, _ valueKind: ValueKind, _ label: String, defaultValue: String, _ summary: String,
        _ field: WritableKeyPath<RenderRequest, String?> & Sendable
    ) {
        self.init(key, .encoding, valueKind, value: label, defaultValue: defaultValue, summary) { text, request in
            // FFmpeg's names of codecs, presets and formats consist of printable ASCII.
            guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else {
                return false
            }
            request[keyPath: field] = text
            return true
        } format: {
            $0[keyPath: field]
        }
        outputsMayDiffer = true
    }
}

extension RequestValue where Value == Int {
    /// Returns a whole number in a range.
    static func whole(_ range: ClosedRange<Int>) -> Self {
        let expected = "a whole number in \(range.lowerBound)...\(range.upperBound)"
        var value = Self(expected: expected, mayHaveSign: true) { text in
            // Digits only, because `Int` would also accept +1.
            guard text.hasOnlyASCIIDigits else { return nil }
            return Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
        value.wholeRange = range
        return value
    }
}

// MARK: Exact texts

/// A value with a text from which it can be parsed exactly.
protocol ExactTextConvertible: Sendable {
    /// The text that options use.
    var exactText: String { get }
}

extension FrameRate: ExactTextConvertible {
    var exactText: String { framesPerSecond.exactText }
}

extension FrameShape: ExactTextConvertible {
    var exactText: String { text }
}

extension Rational: ExactTextConvertible {
    /// A whole number or a fraction, such as `2` or `1/3`.
    package var exactText: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}

extension Color: ExactTextConvertible {
    /// The CSS hex colour if it is exact, otherwise the components.
    var exactText: String {
        Color(css: hexString) == self ? hexString : [red, green, blue, alpha].map { "\($0)" }.joined(separator: " ")
    }
}

extension ModelTime: ExactTextConvertible {
    var exactText: String {
        switch self {
        case .seconds(let seconds): seconds.exactText
        case .period(let fraction): "\((fraction * 100).exactText)%"
        case .phase(let index, let fraction): "phase:\(index)+\(fraction.exactText)"
        }
    }
}
