/// A token of a line of code.
struct CodeToken: Sendable, Hashable {
    /// The kind of a token, which determines its colour.
    enum Kind: Sendable, CaseIterable {
        case plain, keyword, type, string, number, comment, directive
    }

    var text: String
    var kind: Kind
}

/// A lexer of Swift and Objective-C for syntax highlighting. It uses no grammar, so it works for
/// excerpts as well as for whole files.
struct CodeLexer {
    private let language: CodeLanguage
    private let keywords: Set<String>
    /// The state at the start of the next line.
    private var state = State.code
    /// The last character of code that is not whitespace.
    private var previous: Character?

    private enum State: Equatable {
        case code
        /// Inside block comments; the value is the nesting depth.
        case comment(Int)
        /// Inside a multiline string literal; the value is the number of `#` in its delimiter.
        case multilineString(Int)
    }

    init(_ language: CodeLanguage) {
        self.language = language
        keywords = language.keywords
    }

    /// Returns the tokens of consecutive lines. The concatenated tokens of a line equal the line.
    static func tokens(of lines: [String], _ language: CodeLanguage) -> [[CodeToken]] {
        var lexer = CodeLexer(language)
        return lines.map { lexer.tokens(of: $0) }
    }

    private mutating func tokens(of line: String) -> [CodeToken] {
        guard language != .plain else { return line.isEmpty ? [] : [CodeToken(text: line, kind: .plain)] }
        var tokens: [CodeToken] = []
        var rest = Substring(line)
        func add(_ text: Substring, _ kind: CodeToken.Kind) {
            guard !text.isEmpty else { return }
            // Merges consecutive plain tokens.
            if kind == .plain, let last = tokens.last, last.kind == .plain {
                tokens[tokens.count - 1].text += text
            } else {
                tokens.append(CodeToken(text: String(text), kind: kind))
            }
        }
        while !rest.isEmpty {
            let (length, kind) = next(in: rest, isLineStart: tokens.allSatisfy { $0.text.allSatisfy(\.isWhitespace) })
            add(rest.prefix(length), kind)
            if kind != .comment, let last = rest.prefix(length).last(where: { !$0.isWhitespace }) { previous = last }
            rest = rest.dropFirst(length)
        }
        return tokens
    }

    /// Returns the length of the next token in characters, at least 1, and its kind.
    private mutating func next(in rest: Substring, isLineStart: Bool) -> (Int, CodeToken.Kind) {
        switch state {
        case .comment: return (comment(in: rest), .comment)
        case .multilineString(let signs): return (multilineString(in: rest, signs, from: 0), .string)
        case .code: break
        }
        if rest.hasPrefix("//") { return (rest.count, .comment) }
        if rest.hasPrefix("/*") {
            state = .comment(0)
            return (comment(in: rest), .comment)
        }
        if let length = text(in: rest) { return (length, .string) }
        guard let first = rest.first else { return (1, .plain) }
        if first == "#", isLineStart || language == .swift {
            return (1 + rest.dropFirst().prefix { $0.isLetter }.count, .directive)
        }
        if first == "@" {
            let word = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            return (1 + word.count, word.isEmpty ? .plain : language == .objectiveC ? .keyword : .directive)
        }
        if first.isASCII, first.isNumber { return (number(in: rest), .number) }
        if first == ".", rest.dropFirst().first.map({ $0.isLetter }) ?? false {
            let member = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            // A word after a point is a member, even if it is a keyword. In Swift `self` and `init`
            // remain keywords there.
            return (["self", "init"].contains(member) ? 1 : 1 + member.count, .plain)
        }
        if first == "`", let end = rest.dropFirst().firstIndex(of: "`") {
            return (rest.distance(from: rest.startIndex, to: end) + 1, .plain)
        }
        guard first.isLetter || first == "_" || first == "$" else { return (1, .plain) }
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
        if isName(word, before: rest.dropFirst(word.count)) { return (word.count, .plain) }
        return (word.count, kind(of: String(word)))
    }

    /// Returns true if a keyword is used as a name.
    private func isName(_ word: Substring, before rest: Substring) -> Bool {
        guard language == .swift, keywords.contains(String(word)) else { return false }
        if isLabel(word, before: rest) { return true }
        // An accessor is followed by a body, or by another accessor in a protocol.
        guard ["get", "set", "didSet", "willSet"].contains(word) else { return false }
        return rest.first { $0 != " " }.map {
            !"{(}".contains($0) && !["get", "set", "async"].contains { rest.hasPrefix(" " + $0) }
        }
            ?? false
    }

    /// Returns true if a keyword is an argument label in Swift: it follows a parenthesis or comma,
    /// and is followed by a colon or by the parameter's name.
    private func isLabel(_ word: Substring, before rest: Substring) -> Bool {
        guard language == .swift, previous == "(" || previous == "," else { return false }
        if rest.first == ":" { return true }
        let next = rest.drop { $0 == " " }
        let name = next.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return Self.prepositions.contains(String(word)) && !name.isEmpty && next.dropFirst(name.count).first == ":"
    }

    /// The keywords that are common as argument labels.
    private static let prepositions: Set = ["in", "for", "as", "is", "where", "while"]

    private func kind(of word: String) -> CodeToken.Kind {
        if keywords.contains(word) { return .keyword }
        let isType = word.first.map { $0.isUppercase } ?? false
        // Words in capitals only are constants.
        return isType && word.contains { $0.isLowercase } ? .type : .plain
    }

    private func number(in rest: Substring) -> Int {
        if rest.hasPrefix("0x") { return 2 + rest.dropFirst(2).prefix { $0.isHexDigit || $0 == "_" }.count }
        var length = rest.prefix { $0.isASCII && $0.isNumber || $0 == "_" }.count
        let after = rest.dropFirst(length)
        if after.first == ".", let digit = after.dropFirst().first, digit.isASCII, digit.isNumber {
            length += 1 + after.dropFirst().prefix { $0.isASCII && $0.isNumber || $0 == "_" }.count
        } else if language == .objectiveC, after.first == "." {
            length += 1
        }
        var tail = rest.dropFirst(length)
        if tail.first == "e" || tail.first == "E" {
            let sign = tail.dropFirst().first.map { $0 == "-" || $0 == "+" } ?? false
            let digits = tail.dropFirst(sign ? 2 : 1).prefix { $0.isASCII && $0.isNumber }
            if !digits.isEmpty {
                length += 1 + (sign ? 1 : 0) + digits.count
                tail = rest.dropFirst(length)
            }
        }
        if language == .objectiveC { length += tail.prefix { "fFlLuU".contains($0) }.count }
        return length
    }

    /// Returns the length of the string literal that begins here; nil if none does.
    private mutating func text(in rest: Substring) -> Int? {
        let isObjectiveC = language == .objectiveC
        let signs = isObjectiveC ? 0 : rest.prefix { $0 == "#" }.count
        let lead = isObjectiveC && rest.first == "@" ? 1 : signs
        let opening = rest.dropFirst(lead)
        if isObjectiveC, opening.first == "'", lead == 0 { return quoted(in: rest, from: 1, quote: "'", 0) }
        guard opening.first == "\"" else { return nil }
        if !isObjectiveC, opening.hasPrefix("\"\"\"") {
            state = .multilineString(signs)
            return multilineString(in: rest, signs, from: lead + 3)
        }
        return quoted(in: rest, from: lead + 1, quote: "\"", signs)
    }

    /// Returns the length of a literal up to its closing quotation mark or the end of the line.
    private func quoted(in rest: Substring, from start: Int, quote: Character, _ signs: Int) -> Int {
        var length = start
        var characters = rest.dropFirst(start)
        let end = String(quote) + String(repeating: "#", count: signs)
        while let character = characters.first {
            if characters.hasPrefix(end) { return length + end.count }
            let isEscape = character == "\\" && signs == 0
            let step = isEscape ? characters.hasPrefix("\\(") ? interpolation(in: characters) : 2 : 1
            length += step
            characters = characters.dropFirst(step)
        }
        return min(length, rest.count)
    }

    /// Returns the length of an interpolation in a string literal, including literals inside it.
    private func interpolation(in rest: Substring) -> Int {
        var length = 2
        var depth = 1
        var characters = rest.dropFirst(2)
        while let character = characters.first, depth > 0 {
            depth += character == "(" ? 1 : character == ")" ? -1 : 0
            let step = character == "\"" ? quoted(in: characters, from: 1, quote: "\"", 0) : 1
            length += step
            characters = characters.dropFirst(step)
        }
        return length
    }

    private mutating func multilineString(in rest: Substring, _ signs: Int, from start: Int) -> Int {
        let end = "\"\"\"" + String(repeating: "#", count: signs)
        var length = start
        var characters = rest.dropFirst(start)
        while let character = characters.first {
            if characters.hasPrefix(end) {
                state = .code
                return length + end.count
            }
            let isEscape = character == "\\" && signs == 0
            length += isEscape ? 2 : 1
            characters = characters.dropFirst(isEscape ? 2 : 1)
        }
        return min(length, rest.count)
    }

    /// Returns the length of the rest of a block comment in this line. Comments nest in Swift.
    private mutating func comment(in rest: Substring) -> Int {
        guard case .comment(var depth) = state else { return 0 }
        var length = 0
        var characters = rest
        while !characters.isEmpty {
            if characters.hasPrefix("/*"), language == .swift || depth == 0 {
                depth += 1
                length += 2
                characters = characters.dropFirst(2)
            } else if characters.hasPrefix("*/") {
                depth -= 1
                length += 2
                characters = characters.dropFirst(2)
                if depth <= 0 {
                    state = .code
                    return length
                }
            } else {
                length += 1
                characters = characters.dropFirst()
            }
        }
        state = .comment(depth)
        return length
    }
}
