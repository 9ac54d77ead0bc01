import Core

/// A token of an expression's source text.
struct ExpressionToken: Equatable, Sendable {
    enum Kind: Equatable, Sendable {
        case number(Double)
        /// An identifier or a keyword.
        case word(String)
        case string(String)
        case symbol(String)
        case end
    }

    var kind: Kind
    /// True if a line ends before the token, which can end a statement.
    var isAfterLineBreak: Bool
}

/// A lexer that splits the source text of an expression into tokens.
struct ExpressionLexer {
    private let bytes: [UInt8]
    private var position = 0

    /// The maximum size of the text in bytes. The longest published expressions have about 6,000.
    private static let maxBytes = 50_000
    /// The maximum number of tokens.
    private static let maxTokens = 10_000

    /// The operators and punctuators, the longest first.
    private static let symbols: [[UInt8]] = [
        ">>>=", "===", "!==", ">>>", "**=", "<<=", ">>=", "...", "=>", "==", "!=", "<=", ">=", "&&", "||", "??",
        "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "**", "<<", ">>", "{", "}", "(", ")", "[", "]",
        ";", ",", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", "?", ":", "=", ".",
    ].map { Array($0.utf8) }

    /// Returns the tokens of a text, with `end` as the last one.
    static func tokens(of text: String) throws -> [ExpressionToken] {
        guard text.utf8.count <= maxBytes else {
            throw ExpressionError("has more than the maximum of \(maxBytes) bytes")
        }
        var lexer = ExpressionLexer(bytes: Array(text.utf8))
        var tokens: [ExpressionToken] = []
        while tokens.last?.kind != .end { try lexer.addToken(to: &tokens) }
        return tokens
    }

    /// Appends the next token, or the tokens of a template literal.
    private mutating func addToken(to tokens: inout [ExpressionToken]) throws {
        let isAfterLineBreak = try skipSpace()
        if byte() == UInt8(ascii: "`"), position < bytes.count {
            tokens.append(ExpressionToken(kind: .symbol("("), isAfterLineBreak: isAfterLineBreak))
            try addTemplate(to: &tokens)
        } else {
            tokens.append(ExpressionToken(kind: try next(), isAfterLineBreak: isAfterLineBreak))
        }
        guard tokens.count <= Self.maxTokens else {
            throw ExpressionError("has more than the maximum of \(Self.maxTokens) tokens")
        }
    }

    // MARK: Template literals

    /// The number of template literals around the position.
    private var templateDepth = 0
    /// The maximum nesting of template literals, which are read recursively.
    private static let maxTemplateDepth = 20

    /// Appends the tokens of a template literal after its opening parenthesis: the sum of its texts
    /// and terms, as `("a" + (b) + "c")` for "a${b}c".
    private mutating func addTemplate(to tokens: inout [ExpressionToken]) throws {
        templateDepth += 1
        defer { templateDepth -= 1 }
        guard templateDepth <= Self.maxTemplateDepth else {
            throw ExpressionError("has templates nested deeper than the maximum of \(Self.maxTemplateDepth) levels")
        }
        func add(_ kinds: ExpressionToken.Kind...) {
            tokens += kinds.map { ExpressionToken(kind: $0, isAfterLineBreak: false) }
        }
        position += 1
        var text: [UInt8] = []
        while position < bytes.count, byte() != UInt8(ascii: "`") {
            if byte() == UInt8(ascii: "\\") {
                position += 1
                try text.append(contentsOf: escape())
            } else if byte() == UInt8(ascii: "$"), byte(1) == UInt8(ascii: "{") {
                position += 2
                add(.string(String(decoding: text, as: UTF8.self)), .symbol("+"), .symbol("("))
                text = []
                try addTerm(to: &tokens)
                add(.symbol(")"), .symbol("+"))
            } else {
                // A carriage return, alone or before a line feed, stands for a line feed.
                if starts(with: Array("\r\n".utf8)) { position += 1 }
                text.append(byte() == UInt8(ascii: "\r") ? UInt8(ascii: "\n") : byte())
                position += 1
            }
        }
        guard position < bytes.count else { throw ExpressionError("has a template without an end") }
        position += 1
        add(.string(String(decoding: text, as: UTF8.self)), .symbol(")"))
    }

    /// Appends the tokens of a term up to the brace that closes it, and skips the brace.
    private mutating func addTerm(to tokens: inout [ExpressionToken]) throws {
        var depth = 0
        while true {
            _ = try skipSpace()
            if depth == 0, byte() == UInt8(ascii: "}"), position < bytes.count {
                position += 1
                return
            }
            try addToken(to: &tokens)
            switch tokens.last?.kind {
            case .symbol("{"): depth += 1
            case .symbol("}"): depth -= 1
            case .end: throw ExpressionError("has a template without an end")
            default: break
            }
        }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private func byte(_ offset: Int = 0) -> UInt8 {
        position + offset < bytes.count ? bytes[position + offset] : 0
    }

    private func starts(with symbol: [UInt8]) -> Bool { bytes[position...].starts(with: symbol) }

    /// ECMAScript's spaces beyond ASCII: Unicode's space separators and the byte order mark.
    private static let wideSpaces: [[UInt8]] =
        ([0xA0, 0x1680, 0x202F, 0x205F, 0x3000, 0xFEFF] as [UInt32] + (0x2000...0x200A))
        .compactMap { Unicode.Scalar($0).map { Array(String($0).utf8) } }

    /// True at a line feed, a carriage return, or the separators U+2028 and U+2029.
    private var isAtLineBreak: Bool {
        byte() == UInt8(ascii: "\n") || byte() == UInt8(ascii: "\r")
            || byte() == 0xE2 && byte(1) == 0x80 && byte(2) | 1 == 0xA9
    }

    /// The number of bytes of the space or line break at the position; 0 for anything else.
    private var spaceLength: Int {
        if isAtLineBreak { return byte() < 0x80 ? 1 : 3 }
        switch byte() {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), 0x0B, 0x0C: return 1
        case 0..<0x80: return 0
        default: return Self.wideSpaces.first { starts(with: $0) }?.count ?? 0
        }
    }

    /// Skips spaces and comments. Returns true if they contain a line break.
    private mutating func skipSpace() throws -> Bool {
        var hasLineBreak = false
        while position < bytes.count {
            if starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) {
                while position < bytes.count, !isAtLineBreak { position += 1 }
            } else if starts(with: [UInt8(ascii: "/"), UInt8(ascii: "*")]) {
                hasLineBreak = try skipBlockComment() || hasLineBreak
            } else {
                guard spaceLength > 0 else { return hasLineBreak }
                hasLineBreak = hasLineBreak || isAtLineBreak
                position += spaceLength
            }
        }
        return hasLineBreak
    }

    private mutating func skipBlockComment() throws -> Bool {
        var hasLineBreak = false
        position += 2
        while position + 1 < bytes.count {
            if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
                position += 2
                return hasLineBreak
            }
            hasLineBreak = hasLineBreak || isAtLineBreak
            position += 1
        }
        throw ExpressionError("has a comment without an end")
    }

    private mutating func next() throws -> ExpressionToken.Kind {
        guard position < bytes.count else { return .end }
        let first = byte()
        if first.isASCIIDigit || (first == UInt8(ascii: ".") && byte(1).isASCIIDigit) { return try number() }
        if isInWord {
            let start = position
            while isInWord || byte().isASCIIDigit { position += 1 }
            return .word(String(decoding: bytes[start..<position], as: UTF8.self))
        }
        if first == UInt8(ascii: "'") || first == UInt8(ascii: "\"") { return .string(try string(until: first)) }
        guard let symbol = Self.symbols.first(where: { starts(with: $0) }) else {
            let character = String(decoding: bytes[position...], as: UTF8.self).prefix(1)
            throw ExpressionError("has \(quoted(String(character)))")
        }
        position += symbol.count
        return .symbol(String(decoding: symbol, as: UTF8.self))
    }

    /// True at an ASCII letter, `$`, `_`, and any byte of another character except spaces.
    private var isInWord: Bool {
        let byte = byte()
        if byte >= 0x80 { return spaceLength == 0 }
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || byte == UInt8(ascii: "$") || byte == UInt8(ascii: "_")
    }

    private mutating func number() throws -> ExpressionToken.Kind {
        let start = position
        if byte() == UInt8(ascii: "0"), byte(1) | 0x20 == UInt8(ascii: "x") {
            position += 2
            while byte().isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte() | 0x20) {
                position += 1
            }
            let digits = String(decoding: bytes[(start + 2)..<position], as: UTF8.self)
            guard let number = UInt64(digits, radix: 16) else { throw ExpressionError("has an invalid number") }
            return .number(Double(number))
        }
        while byte().isASCIIDigit { position += 1 }
        if byte() == UInt8(ascii: ".") {
            position += 1
            while byte().isASCIIDigit { position += 1 }
        }
        if byte() | 0x20 == UInt8(ascii: "e") {
            let hasSign = byte(1) == UInt8(ascii: "+") || byte(1) == UInt8(ascii: "-")
            if byte(hasSign ? 2 : 1).isASCIIDigit {
                position += hasSign ? 2 : 1
                while byte().isASCIIDigit { position += 1 }
            }
        }
        var text = String(decoding: bytes[start..<position], as: UTF8.self)
        if text.hasPrefix(".") { text = "0" + text }
        text.replace(".e", with: ".0e")
        if text.hasSuffix(".") { text += "0" }
        guard let number = Double(text), !isInWord, byte() != UInt8(ascii: ".") || byte(1) > 0x39 else {
            throw ExpressionError("has an invalid number")
        }
        return .number(number)
    }

    private mutating func string(until quote: UInt8) throws -> String {
        var text: [UInt8] = []
        position += 1
        while position < bytes.count, byte() != quote {
            guard byte() == UInt8(ascii: "\\") else {
                guard byte() != UInt8(ascii: "\n"), byte() != UInt8(ascii: "\r") else { break }
                text.append(byte())
                position += 1
                continue
            }
            position += 1
            try text.append(contentsOf: escape())
        }
        guard byte() == quote else { throw ExpressionError("has a string without an end") }
        position += 1
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of an escape sequence, with the position after the backslash. A line break
    /// after the backslash continues the line.
    private mutating func escape() throws -> [UInt8] {
        if isAtLineBreak {
            position += starts(with: Array("\r\n".utf8)) ? 2 : spaceLength
            return []
        }
        let kind = byte()
        position += 1
        switch kind {
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "v"): return [0x0B]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "0"): return [0]
        case UInt8(ascii: "x"): return Array("\(Unicode.Scalar(try hex(2)) ?? "\u{FFFD}")".utf8)
        case UInt8(ascii: "u"):
            var units = [UInt16(try hex(4))]
            // The second half of a character outside of the Basic Multilingual Plane.
            if (0xD800..<0xDC00).contains(units[0]), byte() == UInt8(ascii: "\\"), byte(1) == UInt8(ascii: "u") {
                position += 2
                units.append(UInt16(try hex(4)))
            }
            return Array(String(codeUnits: units).utf8)
        default: return [kind]
        }
    }

    private mutating func hex(_ count: Int) throws -> UInt32 {
        let end = min(position + count, bytes.count)
        let digits = String(decoding: bytes[position..<end], as: UTF8.self)
        guard digits.utf8.count == count, let number = UInt32(digits, radix: 16) else {
            throw ExpressionError("has an invalid escape sequence")
        }
        position = end
        return number
    }
}
