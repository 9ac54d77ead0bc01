/// Loops and `switch`.
extension ExpressionParser {
    mutating func loop(_ word: String) throws -> ExpressionStatement {
        advance()
        if word == "while" {
            let condition = try parenthesised()
            return .while(condition, try statement())
        }
        guard word == "do" else { return try forLoop() }
        let body = try statement()
        guard takeWord("while") else { throw unexpected("instead of 'while'") }
        let condition = try parenthesised()
        _ = take(";")
        return .doWhile(body, condition)
    }

    private mutating func forLoop() throws -> ExpressionStatement {
        try expect("(")
        if let each = try forEachHead() {
            return .forEach(each.name, each.variable, isOf: each.isOf, each.list, try statement())
        }
        var first: ExpressionStatement?
        if isWord("var") || isWord("let") || isWord("const") {
            first = try declarationWithoutEnd()
        } else if !isNext(";") {
            first = .term(try term())
        }
        try expect(";")
        let condition = isNext(";") ? nil : try term()
        try expect(";")
        let update = isNext(")") ? nil : try term()
        try expect(")")
        return .for(first, condition, update, try statement())
    }

    /// Returns the rest of `for (name of list)` or `for (name in list)`; nil for any other loop.
    private mutating func forEachHead() throws
        -> (name: String, variable: ExpressionVariable?, isOf: Bool, list: ExpressionTerm)?
    {
        let start = mark
        let variable = takeVariable()
        guard case .word(let name) = token.kind, case .word(let kind) = tokenAfterNext.kind,
            kind == "of" || kind == "in"
        else {
            rewind(to: start)
            return nil
        }
        advance()
        advance()
        if variable == .var { declare(name) }
        let list = try term()
        try expect(")")
        return (name, variable, kind == "of", list)
    }

    mutating func switchStatement() throws -> ExpressionStatement {
        advance()
        let value = try parenthesised()
        try expect("{")
        var cases: [(test: ExpressionTerm?, body: [ExpressionStatement])] = []
        while !take("}") {
            var test: ExpressionTerm?
            if takeWord("case") {
                test = try term()
            } else if !takeWord("default") {
                throw unexpected("instead of 'case'")
            }
            try expect(":")
            var body: [ExpressionStatement] = []
            while !isWord("case"), !isWord("default"), !isNext("}") { body.append(try statement()) }
            cases.append((test, body))
        }
        return .switch(value, cases)
    }
}
