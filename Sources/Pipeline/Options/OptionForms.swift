import Annotations
import Loaders
import Media
import Motion
import Scene

// The ways in which most options read and write their values.
extension ClipOption {
    /// A value in words of its own, such as a number.
    init<Value: Sendable>(
        _ key: String, _ group: Group, _ value: RequestValue<Value>, _ label: String, standard: String? = nil,
        _ summary: String, set: @escaping @Sendable (inout RenderRequest, Value) -> Void,
        get: @escaping @Sendable (RenderRequest) -> String?
    ) {
        let read = value.read
        let form = value.mayHaveSign ? Form.number(expected: value.expected) : .text(expected: value.expected)
        self.init(key, group, form, value: label, standard: standard, summary) { text, request in
            guard let value = read(text) else { return false }
            set(&request, value)
            return true
        } write: {
            get($0)
        }
    }

    /// A value that is a field's own.
    init<Value: ExactlyWritten>(
        _ key: String, _ group: Group, _ value: RequestValue<Value>, _ label: String, standard: String? = nil,
        _ summary: String, _ field: WritableKeyPath<RenderRequest, Value> & Sendable
    ) {
        self.init(key, group, value, label, standard: standard, summary) {
            $0[keyPath: field] = $1
        } get: {
            $0[keyPath: field].exactText
        }
    }

    /// A value that is a field's own and may be left out.
    init<Value: ExactlyWritten>(
        _ key: String, _ group: Group, _ value: RequestValue<Value>, _ label: String, standard: String? = nil,
        _ summary: String, _ field: WritableKeyPath<RenderRequest, Value?> & Sendable
    ) {
        self.init(key, group, value, label, standard: standard, summary) {
            $0[keyPath: field] = $1
        } get: {
            $0[keyPath: field]?.exactText
        }
    }

    /// Something that is so or not.
    init(
        flag key: String, _ group: Group, _ summary: String,
        _ field: WritableKeyPath<RenderRequest, Bool> & Sendable
    ) {
        self.init(key, group, .flag, standard: nil, summary) { text, request in
            guard ["true", "false"].contains(text) else { return false }
            request[keyPath: field] = text == "true"
            return true
        } write: {
            $0[keyPath: field] ? "true" : nil
        }
    }

    /// One of the words of a type.
    init<Word: RawRepresentable & CaseIterable & Sendable>(
        words key: String, _ group: Group, standard: String? = nil, _ summary: String,
        _ field: WritableKeyPath<RenderRequest, Word> & Sendable
    ) where Word.RawValue == String {
        self.init(key, group, .word(Word.allCases.map(\.rawValue)), standard: standard, summary) { text, request in
            guard let word = Word(rawValue: text) else { return false }
            request[keyPath: field] = word
            return true
        } write: {
            $0[keyPath: field].rawValue
        }
    }

    /// One of the words of a type, or none.
    init<Word: RawRepresentable & CaseIterable & Sendable>(
        words key: String, _ group: Group, standard: String, _ summary: String,
        _ field: WritableKeyPath<RenderRequest, Word?> & Sendable
    ) where Word.RawValue == String {
        self.init(key, group, .word(Word.allCases.map(\.rawValue)), standard: standard, summary) { text, request in
            request[keyPath: field] = Word(rawValue: text)
            return request[keyPath: field] != nil
        } write: {
            $0[keyPath: field]?.rawValue
        }
    }

    /// One of two words, the first of which stands for true.
    init(
        either key: String, _ group: Group, _ words: (String, String), standard: String, _ summary: String,
        _ field: WritableKeyPath<RenderRequest, Bool> & Sendable
    ) {
        let other = words.0 == standard ? words.1 : words.0
        self.init(key, group, .word([standard, other]), standard: standard, summary) { text, request in
            guard [words.0, words.1].contains(text) else { return false }
            request[keyPath: field] = text == words.0
            return true
        } write: {
            $0[keyPath: field] ? words.0 : words.1
        }
    }

    /// Text for an encoder, of which files of one clip may have different ones.
    init(
        encoder key: String, _ form: Form, _ label: String, standard: String, _ summary: String,
        _ field: WritableKeyPath<RenderRequest, String?> & Sendable
    ) {
        self.init(key, .encoding, form, value: label, standard: standard, summary) { text, request in
            // No codec, quality, speed or format that FFmpeg knows is written with anything else.
            guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else {
                return false
            }
            request[keyPath: field] = text
            return true
        } write: {
            $0[keyPath: field]
        }
        outputsMayDiffer = true
    }
}

extension RequestValue where Value == Int {
    /// A whole number within limits.
    static func whole(_ range: ClosedRange<Int>) -> Self {
        Self(expected: "a whole number in \(range.lowerBound)...\(range.upperBound)", mayHaveSign: true) { text in
            // Digits only: Swift would also read +1.
            guard text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
            return Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

// MARK: Values as texts that say all

/// What has a text that says all of it, as options are written.
protocol ExactlyWritten: Sendable {
    var exactText: String { get }
}

extension FrameRate: ExactlyWritten {
    var exactText: String { framesPerSecond.exactText }
}

extension PictureShape: ExactlyWritten {
    var exactText: String { text }
}

extension Rational: ExactlyWritten {
    var exactText: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}

extension Color: ExactlyWritten {
    /// As CSS has it where that says all, else its components.
    var exactText: String {
        Color(css: hexString) == self ? hexString : [red, green, blue, alpha].map { "\($0)" }.joined(separator: " ")
    }
}

extension ModelTime: ExactlyWritten {
    var exactText: String {
        switch self {
        case .seconds(let seconds): seconds.exactText
        case .phase(let index, let fraction): "phase:\(index)+\(fraction.exactText)"
        }
    }
}
