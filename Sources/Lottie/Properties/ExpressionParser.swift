/// Reads expressions by recursive descent.
struct ExpressionParser {
    private enum Token: Equatable {
        case number(Double)
        case word(String)
        case text(String)
        case sign(Character)
        case lineEnd
    }

    private var tokens: ArraySlice<Token>
    private var depth = 0

    private static let mostTokens = 400
    private static let mostDepth = 40
    private static let mostItems = 16
    /// What is longer is not even cut into words.
    private static let mostBytes = 20_000

    init(_ text: String) throws(ExpressionError) {
        guard text.utf8.count <= Self.mostBytes else {
            throw ExpressionError("is of more than \(Self.mostBytes) bytes")
        }
        tokens = try Self.tokens(of: Array(text))[...]
        guard tokens.count <= Self.mostTokens else { throw ExpressionError("has more than \(Self.mostTokens) words") }
    }

    private static func tokens(of text: [Character]) throws(ExpressionError) -> [Token] {
        var tokens: [Token] = []
        var rest = text[...]
        while let letter = rest.first, tokens.count <= mostTokens {
            if letter.isNewline {
                tokens.append(.lineEnd)
                rest.removeFirst()
            } else if letter.isWhitespace {
                rest.removeFirst()
            } else if rest.starts(with: "//") {
                rest = rest.drop { !$0.isNewline }
            } else if letter.isASCII, letter.isNumber || (letter == "." && rest.dropFirst().first?.isNumber == true) {
                let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
                guard let number = Double(String(digits)) else { throw ExpressionError("has a bad number") }
                tokens.append(.number(number))
                rest = rest.dropFirst(digits.count)
            } else if letter.isLetter || letter == "$" || letter == "_" {
                let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "$" || $0 == "_" || $0 == "." }
                tokens.append(.word(String(word)))
                rest = rest.dropFirst(word.count)
            } else if letter == "'" || letter == "\"" {
                let string = rest.dropFirst().prefix { $0 != letter }
                tokens.append(.text(String(string)))
                rest = rest.dropFirst(string.count + 2)
            } else if "+-*/%()[],;=".contains(letter) {
                tokens.append(.sign(letter))
                rest.removeFirst()
            } else {
                throw ExpressionError("has '\(letter)'")
            }
        }
        return tokens
    }

    private mutating func take(_ sign: Character) -> Bool {
        guard tokens.first == .sign(sign) else { return false }
        tokens.removeFirst()
        return true
    }

    private mutating func expect(_ sign: Character) throws(ExpressionError) {
        guard take(sign) else { throw ExpressionError("has no '\(sign)' where one is expected") }
    }

    /// All statements.
    mutating func statements() throws(ExpressionError) -> [(name: String?, term: Expression.Term)] {
        var result: [(name: String?, term: Expression.Term)] = []
        while let token = tokens.first {
            if token == .sign(";") || token == .lineEnd {
                tokens.removeFirst()
                continue
            }
            if token == .word("var") || token == .word("let") || token == .word("const") {
                tokens.removeFirst()
                // A name alone is declared and given no value.
                if case .word? = tokens.first, tokens.dropFirst().first != .sign("=") {
                    tokens.removeFirst()
                    while take(",") { tokens.removeFirst(min(1, tokens.count)) }
                    continue
                }
            }
            var name: String?
            if case .word(let word)? = tokens.first, tokens.dropFirst().first == .sign("=") {
                name = word
                tokens.removeFirst(2)
            }
            result.append((name, try sum()))
            guard tokens.isEmpty || tokens.first == .sign(";") || tokens.first == .lineEnd else {
                throw ExpressionError("is more than can be read")
            }
        }
        return result
    }

    private mutating func sum() throws(ExpressionError) -> Expression.Term {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.mostDepth else { throw ExpressionError("is nested too deep") }
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
        guard let token = tokens.popFirst() else { throw ExpressionError("ends too early") }
        switch token {
        case .number(let number): return .number(number)
        case .sign("("):
            let term = try sum()
            try expect(")")
            return term
        case .sign("["): return .list(try arguments(until: "]"))
        case .word(let word):
            guard take("(") else { return word == "Math.PI" ? .number(.pi) : .variable(word) }
            return try call(word)
        default: throw ExpressionError("is not understood")
        }
    }

    private mutating func arguments(until end: Character) throws(ExpressionError) -> [Expression.Term] {
        var terms: [Expression.Term] = []
        if take(end) { return terms }
        repeat { terms.append(try sum()) } while take(",")
        guard terms.count <= Self.mostItems else { throw ExpressionError("has a list of more than \(Self.mostItems)") }
        try expect(end)
        return terms
    }

    /// A function's call, behind the opening bracket.
    private mutating func call(_ name: String) throws(ExpressionError) -> Expression.Term {
        if let looping = try loop(name) { return .loop(looping) }
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

    /// loopIn, loopOut, loopInDuration and loopOutDuration with their arguments.
    private mutating func loop(_ name: String) throws(ExpressionError) -> Looping? {
        // Of another property it would be another's loop.
        let own = "thisProperty."
        let name = name.hasPrefix(own) ? String(name.dropFirst(own.count)) : name
        guard ["loopIn", "loopOut", "loopInDuration", "loopOutDuration"].contains(name) else { return nil }
        let isDuration = name.hasSuffix("Duration")
        var looping = Looping(
            kind: .cycle, isIn: name.hasPrefix("loopIn"), extent: isDuration ? .seconds(0) : .keyframes(0))
        if case .text(let text)? = tokens.first {
            tokens.removeFirst()
            let kind = Looping.Kind(rawValue: text.lowercased().replacing("-", with: ""))
            guard let kind else { throw ExpressionError("loops by '\(text.prefix(20))', which is not known") }
            looping.kind = kind
            if take(","), case .number(let number)? = tokens.popFirst() {
                guard number >= 0, number < 1e6 else { throw ExpressionError("loops over too much") }
                looping.extent = isDuration ? .seconds(number) : .keyframes(Int(number))
            }
        }
        try expect(")")
        return looping
    }
}
