import Core

/// A recursive descent parser for expressions.
struct ExpressionParser {
    private enum Token: Equatable {
        case number(Double)
        case word(String)
        case text(String)
        case symbol(Character)
        case lineEnd
    }

    private var tokens: ArraySlice<Token>
    private var depth = 0

    private static let maxTokens = 400
    private static let maxDepth = 40
    private static let maxItems = 16
    /// The maximum size of the text, checked before it is split into tokens.
    private static let maxBytes = 20_000

    init(_ text: String) throws(ExpressionError) {
        guard text.utf8.count <= Self.maxBytes else {
            throw ExpressionError("has more than \(Self.maxBytes) bytes")
        }
        tokens = try Self.tokens(of: Array(text))[...]
        guard tokens.count <= Self.maxTokens else { throw ExpressionError("has more than \(Self.maxTokens) tokens") }
    }

    private static func tokens(of text: [Character]) throws(ExpressionError) -> [Token] {
        var tokens: [Token] = []
        var rest = text[...]
        while let character = rest.first, tokens.count <= maxTokens {
            if character.isNewline {
                tokens.append(.lineEnd)
                rest.removeFirst()
            } else if character.isWhitespace {
                rest.removeFirst()
            } else if rest.starts(with: "//") {
                rest = rest.drop { !$0.isNewline }
            } else if character.isASCII,
                character.isNumber || (character == "." && rest.dropFirst().first?.isNumber == true)
            {
                let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
                guard let number = Double(String(digits)) else { throw ExpressionError("has an invalid number") }
                tokens.append(.number(number))
                rest = rest.dropFirst(digits.count)
            } else if character.isLetter || character == "$" || character == "_" {
                let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "$" || $0 == "_" || $0 == "." }
                tokens.append(.word(String(word)))
                rest = rest.dropFirst(word.count)
            } else if character == "'" || character == "\"" {
                let string = rest.dropFirst().prefix { $0 != character }
                tokens.append(.text(String(string)))
                rest = rest.dropFirst(string.count + 2)
            } else if "+-*/%()[],;=".contains(character) {
                tokens.append(.symbol(character))
                rest.removeFirst()
            } else {
                throw ExpressionError("has \(quoted(String(character)))")
            }
        }
        return tokens
    }

    private mutating func take(_ symbol: Character) -> Bool {
        guard tokens.first == .symbol(symbol) else { return false }
        tokens.removeFirst()
        return true
    }

    private mutating func expect(_ symbol: Character) throws(ExpressionError) {
        guard take(symbol) else { throw ExpressionError("lacks a '\(symbol)'") }
    }

    /// Parses all statements.
    mutating func statements() throws(ExpressionError) -> [(name: String?, term: Expression.Term)] {
        var result: [(name: String?, term: Expression.Term)] = []
        while let token = tokens.first {
            if token == .symbol(";") || token == .lineEnd {
                tokens.removeFirst()
                continue
            }
            if token == .word("var") || token == .word("let") || token == .word("const") {
                tokens.removeFirst()
                // Skips declarations without a value.
                if case .word? = tokens.first, tokens.dropFirst().first != .symbol("=") {
                    tokens.removeFirst()
                    while take(",") { tokens.removeFirst(min(1, tokens.count)) }
                    continue
                }
            }
            var name: String?
            if case .word(let word)? = tokens.first, tokens.dropFirst().first == .symbol("=") {
                name = word
                tokens.removeFirst(2)
            }
            result.append((name, try sum()))
            guard tokens.isEmpty || tokens.first == .symbol(";") || tokens.first == .lineEnd else {
                throw ExpressionError("has unsupported syntax")
            }
        }
        return result
    }

    private mutating func sum() throws(ExpressionError) -> Expression.Term {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maxDepth else { throw ExpressionError("is nested deeper than \(Self.maxDepth) levels") }
        var term = try product()
        while true {
            if take("+") {
                term = .operation(.add, term, try product())
            } else if take("-") {
                term = .operation(.subtract, term, try product())
            } else {
                return term
            }
        }
    }

    private mutating func product() throws(ExpressionError) -> Expression.Term {
        var term = try unary()
        while true {
            if take("*") {
                term = .operation(.multiply, term, try unary())
            } else if take("/") {
                term = .operation(.divide, term, try unary())
            } else if take("%") {
                term = .operation(.modulo, term, try unary())
            } else {
                return term
            }
        }
    }

    private mutating func unary() throws(ExpressionError) -> Expression.Term {
        var isNegative = false
        while true {
            if take("-") { isNegative.toggle() } else if !take("+") { break }
        }
        var term = try primary()
        while take("[") {
            term = .element(term, try sum())
            try expect("]")
        }
        return isNegative ? .negative(term) : term
    }

    private mutating func primary() throws(ExpressionError) -> Expression.Term {
        guard let token = tokens.popFirst() else { throw ExpressionError("is incomplete") }
        switch token {
        case .number(let number): return .number(number)
        case .symbol("("):
            let term = try sum()
            try expect(")")
            return term
        case .symbol("["): return .list(try arguments(until: "]"))
        case .word(let word):
            guard take("(") else { return word == "Math.PI" ? .number(.pi) : .variable(word) }
            return try call(word)
        default: throw ExpressionError("has unsupported syntax")
        }
    }

    private mutating func arguments(until end: Character) throws(ExpressionError) -> [Expression.Term] {
        var terms: [Expression.Term] = []
        if take(end) { return terms }
        repeat { terms.append(try sum()) } while take(",")
        guard terms.count <= Self.maxItems else {
            throw ExpressionError("has an array of more than \(Self.maxItems) items")
        }
        try expect(end)
        return terms
    }

    /// Parses the rest of a function call after the opening parenthesis.
    private mutating func call(_ name: String) throws(ExpressionError) -> Expression.Term {
        if let loopExpression = try loop(name) { return .loop(loopExpression) }
        let terms = try arguments(until: ")")
        let operators: [String: Expression.Operator] = [
            "$bm_sum": .add, "$bm_add": .add, "add": .add, "sum": .add, "$bm_sub": .subtract, "sub": .subtract,
            "$bm_mul": .multiply, "mul": .multiply, "$bm_div": .divide, "div": .divide, "$bm_mod": .modulo,
            "mod": .modulo,
        ]
        if let kind = operators[name], terms.count == 2 { return .operation(kind, terms[0], terms[1]) }
        if name == "$bm_neg", terms.count == 1 { return .negative(terms[0]) }
        return .function(name, terms)
    }

    /// Parses the arguments of `loopIn`, `loopOut`, `loopInDuration` and `loopOutDuration`. Returns
    /// nil for any other function.
    private mutating func loop(_ name: String) throws(ExpressionError) -> LoopExpression? {
        // A loop of another property has a different prefix and is not supported.
        let prefix = "thisProperty."
        let name = name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
        guard ["loopIn", "loopOut", "loopInDuration", "loopOutDuration"].contains(name) else { return nil }
        let isDuration = name.hasSuffix("Duration")
        var loopExpression = LoopExpression(
            kind: .cycle, isIn: name.hasPrefix("loopIn"), extent: isDuration ? .seconds(0) : .keyframes(0))
        if case .text(let text)? = tokens.first {
            tokens.removeFirst()
            let kind = LoopExpression.Kind(rawValue: text.lowercased().replacing("-", with: ""))
            guard let kind else { throw ExpressionError("has the unknown loop type \(quoted(text))") }
            loopExpression.kind = kind
            if take(","), case .number(let number)? = tokens.popFirst() {
                guard number >= 0, number < 1e6 else {
                    throw ExpressionError("loops over more than a million keyframes or seconds")
                }
                loopExpression.extent = isDuration ? .seconds(number) : .keyframes(Int(number))
            }
        }
        try expect(")")
        return loopExpression
    }
}
