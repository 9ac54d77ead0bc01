import Core

extension ExpressionParser {
    /// Parses a term, including the comma operator.
    mutating func term() throws -> ExpressionTerm {
        var term = try assignment()
        while take(",") { term = .sequence(term, try assignment()) }
        return term
    }

    private static let compound: [String: ExpressionBinary] = [
        "+=": .add, "-=": .subtract, "*=": .multiply, "/=": .divide, "%=": .modulo, "**=": .power, "&=": .bitAnd,
        "|=": .bitOr, "^=": .bitXor, "<<=": .shiftLeft, ">>=": .shiftRight,
    ]

    /// Parses a term without the comma operator.
    mutating func assignment() throws -> ExpressionTerm {
        try nested { parser in
            if let arrow = try parser.arrowFunction() { return arrow }
            let target = try parser.conditional()
            guard case .symbol(let symbol) = parser.token.kind else { return target }
            let compound = Self.compound[symbol]
            guard symbol == "=" || compound != nil else { return target }
            guard target.isAssignable else { throw parser.unexpected() }
            parser.advance()
            return .assign(target.unmarked, compound, try parser.assignment())
        }
    }

    /// Parses `name => body` or `(names) => body`; returns nil for anything else.
    private mutating func arrowFunction() throws -> ExpressionTerm? {
        let start = mark
        var names: [String] = []
        if case .word(let name) = token.kind, isSymbolAfterNext("=>") {
            names = [name]
            advance()
        } else if take("(") {
            while case .word(let name) = token.kind {
                names.append(name)
                advance()
                if !take(",") { break }
            }
            if !take(")") || !isNext("=>") {
                rewind(to: start)
                return nil
            }
        } else {
            return nil
        }
        try expect("=>")
        let parameters = names.map { (name: $0, defaultValue: ExpressionTerm?.none) }
        let function = try functionBody(name: nil, parameters: parameters) { parser in
            parser.isNext("{") ? try parser.block() : [.return(try parser.assignment())]
        }
        return .function(function)
    }

    private mutating func conditional() throws -> ExpressionTerm {
        let condition = try logical()
        guard take("?") else { return condition }
        let then = try assignment()
        try expect(":")
        return .conditional(condition, then, try assignment())
    }

    /// Parses `||` and `??`.
    private mutating func logical() throws -> ExpressionTerm {
        var term = try conjunction()
        while true {
            if take("||") {
                term = .or(term, try conjunction())
            } else if take("??") {
                term = .coalesce(term, try conjunction())
            } else {
                return term
            }
        }
    }

    private mutating func conjunction() throws -> ExpressionTerm {
        var term = try binary(minPrecedence: 1)
        while take("&&") { term = .and(term, try binary(minPrecedence: 1)) }
        return term
    }

    private var nextOperator: ExpressionBinary? {
        switch token.kind {
        case .symbol(let symbol): ExpressionBinary(rawValue: symbol)
        case .word(let word) where word == "instanceof" || word == "in": ExpressionBinary(rawValue: word)
        default: nil
        }
    }

    /// Parses binary operators from a precedence on, by precedence climbing.
    private mutating func binary(minPrecedence: Int) throws -> ExpressionTerm {
        var term = try unary()
        while let next = nextOperator, next.precedence >= minPrecedence {
            advance()
            // `**` alone groups from the right.
            let right = try nested { parser in
                try parser.binary(minPrecedence: next == .power ? next.precedence : next.precedence + 1)
            }
            term = .binary(next, term, right)
        }
        return term
    }

    private static let unaries: [String: ExpressionUnary] = ["+": .plus, "-": .minus, "!": .not, "~": .bitNot]

    private mutating func unary() throws -> ExpressionTerm {
        switch token.kind {
        case .symbol(let symbol):
            if let kind = Self.unaries[symbol] {
                advance()
                return .unary(kind, try nested { parser in try parser.unary() })
            }
            guard symbol == "++" || symbol == "--" else { break }
            advance()
            let target = try nested { parser in try parser.unary() }
            guard target.isAssignable else { throw unexpected() }
            return .update(target.unmarked, step: symbol == "++" ? 1 : -1, isPrefix: true)
        case .word("typeof"):
            advance()
            return .typeof(try nested { parser in try parser.unary() })
        case .word("void"):
            advance()
            return .unary(.void, try nested { parser in try parser.unary() })
        default: break
        }
        let term = try postfix(try primary())
        guard !token.isAfterLineBreak, isNext("++") || isNext("--"), term.isAssignable else { return term }
        defer { advance() }
        return .update(term.unmarked, step: isNext("++") ? 1 : -1, isPrefix: false)
    }

    /// Parses member accesses and calls after a term.
    private mutating func postfix(_ first: ExpressionTerm, allowsCalls: Bool = true) throws -> ExpressionTerm {
        var term = first
        while true {
            if take(".") {
                guard case .word(let name) = token.kind else { throw unexpected("after '.'") }
                advance()
                let member = ExpressionTerm.member(term, name)
                // The member of a call is its method, not a value.
                term = allowsCalls && isNext("(") ? member : markedChain(member)
            } else if take("[") {
                term = .element(term, try self.term())
                try expect("]")
            } else if allowsCalls, take("(") {
                term = markedChain(.call(term, try arguments(until: ")")))
            } else {
                return term
            }
        }
    }

    private mutating func arguments(until end: String) throws -> [ExpressionTerm] {
        var terms: [ExpressionTerm] = []
        while !take(end) {
            terms.append(try assignment())
            guard isNext(end) || take(",") else { throw unexpected("instead of '\(end)'") }
        }
        return terms
    }

    private mutating func primary() throws -> ExpressionTerm {
        let kind = token.kind
        switch kind {
        case .number(let number):
            advance()
            return .number(number)
        case .string(let text):
            advance()
            return .string(text)
        case .word(let word): return try word == "function" || word == "new" ? construct(word) : name()
        case .symbol("("):
            advance()
            let term = try term()
            try expect(")")
            return term
        case .symbol("["):
            advance()
            return .array(try arguments(until: "]"))
        case .symbol("{"): return try objectLiteral()
        default: throw unexpected()
        }
    }

    private mutating func name() throws -> ExpressionTerm {
        let literals: [String: ExpressionTerm] = ["true": .bool(true), "false": .bool(false), "null": .null]
        if case .word(let word) = token.kind, let literal = literals[word] {
            advance()
            return literal
        }
        return .name(try expectName())
    }

    private mutating func construct(_ word: String) throws -> ExpressionTerm {
        advance()
        guard word == "new" else {
            if case .word(let name) = token.kind {
                advance()
                return .function(try functionRest(name: name))
            }
            return .function(try functionRest(name: nil))
        }
        let type = try postfix(try primary(), allowsCalls: false)
        return .new(type, take("(") ? try arguments(until: ")") : [])
    }

    private mutating func objectLiteral() throws -> ExpressionTerm {
        try expect("{")
        var members: [(key: String, value: ExpressionTerm)] = []
        while !take("}") {
            let key: String
            switch token.kind {
            case .word(let text), .string(let text): key = text
            case .number(let number): key = number.expressionText
            default: throw unexpected("as a key")
            }
            advance()
            if isNext("(") {
                members.append((key, .function(try functionRest(name: key))))
            } else {
                members.append((key, take(":") ? try assignment() : .name(key)))
            }
            guard isNext("}") || take(",") else { throw unexpected("instead of '}'") }
        }
        return .object(members)
    }
}

extension ExpressionTerm {
    fileprivate var isAssignable: Bool {
        switch self {
        case .name, .member, .element: true
        case .chain(let chain): chain.term.isAssignable
        default: false
        }
    }
}
