/// A piece of a line of code.
struct CodeToken: Sendable, Hashable {
    /// What a piece is, as far as colours tell.
    enum Kind: Sendable, CaseIterable {
        case plain, keyword, type, string, number, comment, directive
    }

    var text: String
    var kind: Kind
}

/// Tells words, texts, numbers and comments of Swift and Objective-C apart, as far as highlighting needs: it goes by letters
/// alone and knows no grammar, so that excerpts are as good as whole files.
struct CodeLexer {
    private let language: CodeLanguage
    private let keywords: Set<String>
    /// What a line begins within.
    private var state = State.code
    /// The last letter of code that is no space.
    private var previous: Character?

    private enum State: Equatable {
        case code
        /// Within comments, so many levels deep.
        case comment(Int)
        /// Within a text of several lines that so many number signs delimit.
        case longText(Int)
    }

    init(_ language: CodeLanguage) { (self.language, keywords) = (language, language.keywords) }

    /// The tokens of lines that follow each other. Put together they are the lines again.
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
            // Spaces and signs of a kind belong together.
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

    /// How many letters the next token has, at least one, and what it is.
    private mutating func next(in rest: Substring, isLineStart: Bool) -> (Int, CodeToken.Kind) {
        switch state {
        case .comment: return (comment(in: rest), .comment)
        case .longText(let signs): return (longText(in: rest, signs, from: 0), .string)
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
            // What follows a point is a member, whatever it is called, but for two words that Swift keeps even there.
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

    /// Whether a keyword is but a name where it stands.
    private func isName(_ word: Substring, before rest: Substring) -> Bool {
        guard language == .swift, keywords.contains(String(word)) else { return false }
        if isLabel(word, before: rest) { return true }
        // Accessors have a body, or are listed in a protocol.
        guard ["get", "set", "didSet", "willSet"].contains(word) else { return false }
        return rest.first { $0 != " " }.map {
            !"{(}".contains($0) && !["get", "set", "async"].contains { rest.hasPrefix(" " + $0) }
        }
            ?? false
    }

    /// Whether a keyword is the label of an argument in Swift: it follows a parenthesis or a comma, and a colon follows it, or
    /// the name that the parameter has within.
    private func isLabel(_ word: Substring, before rest: Substring) -> Bool {
        guard language == .swift, previous == "(" || previous == "," else { return false }
        if rest.first == ":" { return true }
        let next = rest.drop { $0 == " " }
        let name = next.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return Self.prepositions.contains(String(word)) && !name.isEmpty && next.dropFirst(name.count).first == ":"
    }

    /// Keywords that are prepositions, which labels often are.
    private static let prepositions: Set = ["in", "for", "as", "is", "where", "while"]

    private func kind(of word: String) -> CodeToken.Kind {
        if keywords.contains(word) { return .keyword }
        let isType = word.first.map { $0.isUppercase } ?? false
        // Constants are all capitals.
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

    /// The length of a text that begins here, or nil if none does.
    private mutating func text(in rest: Substring) -> Int? {
        let isObjectiveC = language == .objectiveC
        let signs = isObjectiveC ? 0 : rest.prefix { $0 == "#" }.count
        let lead = isObjectiveC && rest.first == "@" ? 1 : signs
        let opening = rest.dropFirst(lead)
        if isObjectiveC, opening.first == "'", lead == 0 { return quoted(in: rest, from: 1, quote: "'", 0) }
        guard opening.first == "\"" else { return nil }
        if !isObjectiveC, opening.hasPrefix("\"\"\"") {
            state = .longText(signs)
            return longText(in: rest, signs, from: lead + 3)
        }
        return quoted(in: rest, from: lead + 1, quote: "\"", signs)
    }

    /// The length of a text up to its closing quotation mark, or the line's end.
    private func quoted(in rest: Substring, from start: Int, quote: Character, _ signs: Int) -> Int {
        var (length, letters) = (start, rest.dropFirst(start))
        let end = String(quote) + String(repeating: "#", count: signs)
        while let letter = letters.first {
            if letters.hasPrefix(end) { return length + end.count }
            let isEscape = letter == "\\" && signs == 0
            let step = isEscape ? letters.hasPrefix("\\(") ? interpolation(in: letters) : 2 : 1
            length += step
            letters = letters.dropFirst(step)
        }
        return min(length, rest.count)
    }

    /// The length of what stands between parentheses within a text, texts of its own included.
    private func interpolation(in rest: Substring) -> Int {
        var (length, depth, letters) = (2, 1, rest.dropFirst(2))
        while let letter = letters.first, depth > 0 {
            depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
            let step = letter == "\"" ? quoted(in: letters, from: 1, quote: "\"", 0) : 1
            length += step
            letters = letters.dropFirst(step)
        }
        return length
    }

    private mutating func longText(in rest: Substring, _ signs: Int, from start: Int) -> Int {
        let end = "\"\"\"" + String(repeating: "#", count: signs)
        var (length, letters) = (start, rest.dropFirst(start))
        while let letter = letters.first {
            if letters.hasPrefix(end) {
                state = .code
                return length + end.count
            }
            let isEscape = letter == "\\" && signs == 0
            length += isEscape ? 2 : 1
            letters = letters.dropFirst(isEscape ? 2 : 1)
        }
        return min(length, rest.count)
    }

    /// The length of a comment, or of what is left of it, in this line. Swift's nest.
    private mutating func comment(in rest: Substring) -> Int {
        guard case .comment(var depth) = state else { return 0 }
        var (length, letters) = (0, rest)
        while !letters.isEmpty {
            if letters.hasPrefix("/*"), language == .swift || depth == 0 {
                depth += 1
                (length, letters) = (length + 2, letters.dropFirst(2))
            } else if letters.hasPrefix("*/") {
                depth -= 1
                (length, letters) = (length + 2, letters.dropFirst(2))
                if depth <= 0 {
                    state = .code
                    return length
                }
            } else {
                (length, letters) = (length + 1, letters.dropFirst())
            }
        }
        state = .comment(depth)
        return length
    }
}
