import Core

/// A recursive descent parser for the statements of an expression.
struct ExpressionParser {
    private let tokens: [ExpressionToken]
    private var position = 0
    /// The nesting depth of statements and terms at the position.
    private var depth = 0
    /// The declarations of the function whose body is read, and of the functions around it.
    private var declarations: [Declarations] = [Declarations()]

    /// True for the program of an expression, false for a text that it evaluates.
    let marksChains: Bool
    /// The number of chains so far.
    var chainCount = 0

    private struct Declarations {
        var variables: [String] = []
        var functions: [ExpressionFunction] = []
    }

    /// The maximum nesting depth of statements and terms. The parser is recursive.
    static let maxDepth = 100

    /// Parses a program. Throws `ExpressionError` if its syntax is not supported.
    ///
    /// - Parameter marksChains: false for a text that a program evaluates. Chains are numbered
    ///   within the program of an expression.
    static func program(_ text: String, marksChains: Bool = true) throws -> ExpressionFunction {
        var parser = ExpressionParser(tokens: try ExpressionLexer.tokens(of: text), marksChains: marksChains)
        var body: [ExpressionStatement] = []
        while parser.token.kind != .end { body.append(try parser.statement()) }
        let declared = parser.declarations[0]
        return ExpressionFunction(
            name: nil, body: body, variables: declared.variables, functions: declared.functions,
            hasChains: parser.chainCount > 0)
    }

    private init(tokens: [ExpressionToken], marksChains: Bool) {
        self.tokens = tokens
        self.marksChains = marksChains
    }

    // MARK: Tokens

    var token: ExpressionToken { tokens[position] }

    func isNext(_ symbol: String) -> Bool { token.kind == .symbol(symbol) }

    func isWord(_ word: String) -> Bool { token.kind == .word(word) }

    /// The token after the next one; the end if there is none.
    var tokenAfterNext: ExpressionToken { tokens[min(position + 1, tokens.count - 1)] }

    /// Returns true if the token after the next one is a symbol.
    func isSymbolAfterNext(_ symbol: String) -> Bool { tokenAfterNext.kind == .symbol(symbol) }

    /// Records a variable of the function that is read.
    mutating func declare(_ name: String) { declarations[declarations.count - 1].variables.append(name) }

    mutating func advance() { position = min(position + 1, tokens.count - 1) }

    mutating func take(_ symbol: String) -> Bool {
        guard isNext(symbol) else { return false }
        advance()
        return true
    }

    mutating func takeWord(_ word: String) -> Bool {
        guard isWord(word) else { return false }
        advance()
        return true
    }

    mutating func expect(_ symbol: String) throws {
        guard take(symbol) else { throw unexpected("instead of '\(symbol)'") }
    }

    mutating func expectName() throws -> String {
        guard case .word(let name) = token.kind, !Self.keywords.contains(name) else { throw unexpected("as a name") }
        advance()
        return name
    }

    /// Returns an error about the next token.
    func unexpected(_ role: String = "") -> ExpressionError {
        let text: String
        switch token.kind {
        case .end: return ExpressionError("ends too early")
        case .number(let number): text = "\(number)"
        case .word(let word), .string(let word), .symbol(let word): text = quoted(word)
        }
        return ExpressionError("has \(text)\(role.isEmpty ? "" : " " + role)")
    }

    private static let keywords: Set = [
        "var", "let", "const", "if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue",
        "return", "function", "try", "catch", "finally", "throw", "new", "delete", "typeof", "void", "in", "instanceof",
        "class", "extends", "super", "import", "export", "with", "yield", "await", "async", "debugger", "null", "true",
        "false",
    ]

    /// Counts a level of nesting while `body` runs.
    mutating func nested<Result>(_ body: (inout ExpressionParser) throws -> Result) throws -> Result {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maxDepth else {
            throw ExpressionError("is nested deeper than the maximum of \(Self.maxDepth) levels")
        }
        return try body(&self)
    }

    /// Returns the position, to return to it.
    var mark: Int { position }

    mutating func rewind(to mark: Int) { position = mark }

    // MARK: Statements

    mutating func statement() throws -> ExpressionStatement {
        try nested { parser in try parser.unnestedStatement() }
    }

    private mutating func unnestedStatement() throws -> ExpressionStatement {
        if take(";") { return .empty }
        if isNext("{") { return .block(try block()) }
        guard case .word(let word) = token.kind else { return try termStatement() }
        switch word {
        case "var", "const": return try declaration()
        case "let":
            if case .word = tokenAfterNext.kind { return try declaration() }
            return try termStatement()
        case "if": return try conditional()
        case "while", "do", "for": return try loop(word)
        case "switch": return try switchStatement()
        case "try": return try tryCatch()
        case "function":
            advance()
            let function = try functionRest(name: try expectName())
            declarations[declarations.count - 1].functions.append(function)
            return .function(function)
        case "return", "throw", "break", "continue": return try jump(word)
        default: return try termStatement()
        }
    }

    private mutating func termStatement() throws -> ExpressionStatement {
        let term = try term()
        try endStatement()
        return .term(term)
    }

    /// Takes the end of a statement: a semicolon, or a line break or closing brace after it.
    private mutating func endStatement() throws {
        guard !take(";") else { return }
        guard token.kind == .end || isNext("}") || token.isAfterLineBreak else { throw unexpected() }
    }

    mutating func block() throws -> [ExpressionStatement] {
        try expect("{")
        var statements: [ExpressionStatement] = []
        while !take("}") {
            guard token.kind != .end else { throw unexpected("instead of '}'") }
            statements.append(try statement())
        }
        return statements
    }

    private mutating func declaration() throws -> ExpressionStatement {
        let result = try declarationWithoutEnd()
        try endStatement()
        return result
    }

    mutating func declarationWithoutEnd() throws -> ExpressionStatement {
        let variable = takeVariable() ?? .var
        var items: [(name: String, value: ExpressionTerm?)] = []
        repeat {
            let name = try expectName()
            let value = take("=") ? try assignment() : nil
            guard value != nil || variable != .constant else {
                throw ExpressionError("declares the constant \(quoted(name)) without a value")
            }
            items.append((name, value))
            if variable == .var { declare(name) }
        } while take(",")
        return .declare(items, variable)
    }

    /// Takes the keyword of a declaration; returns nil for anything else.
    mutating func takeVariable() -> ExpressionVariable? {
        guard case .word(let word) = token.kind, let variable = ExpressionVariable(rawValue: word) else { return nil }
        advance()
        return variable
    }

    mutating func parenthesised() throws -> ExpressionTerm {
        try expect("(")
        let term = try term()
        try expect(")")
        return term
    }

    private mutating func conditional() throws -> ExpressionStatement {
        advance()
        let condition = try parenthesised()
        let then = try statement()
        let otherwise = takeWord("else") ? try statement() : nil
        return .conditional(condition, then, otherwise)
    }

    private mutating func tryCatch() throws -> ExpressionStatement {
        advance()
        let body = try block()
        var name: String?
        var handler: [ExpressionStatement]?
        if takeWord("catch") {
            if take("(") {
                name = try expectName()
                try expect(")")
            }
            handler = try block()
        }
        let final = takeWord("finally") ? try block() : nil
        guard handler != nil || final != nil else { throw unexpected("instead of 'catch'") }
        return .tryCatch(body, name: name, handler: handler, final: final)
    }

    private mutating func jump(_ word: String) throws -> ExpressionStatement {
        advance()
        let hasValue = !isNext(";") && !isNext("}") && token.kind != .end && !token.isAfterLineBreak
        let value = hasValue && (word == "return" || word == "throw") ? try term() : nil
        try endStatement()
        switch word {
        case "return": return .return(value)
        case "break": return .break
        case "continue": return .continue
        default:
            guard let value else { throw ExpressionError("throws nothing") }
            return .throw(value)
        }
    }

    // MARK: Functions

    /// Parses the parameters and the body of a function.
    mutating func functionRest(name: String?) throws -> ExpressionFunction {
        try expect("(")
        var parameters: [(name: String, defaultValue: ExpressionTerm?)] = []
        while !take(")") {
            let parameter = try expectName()
            parameters.append((parameter, take("=") ? try assignment() : nil))
            guard isNext(")") || take(",") else { throw unexpected("instead of ')'") }
        }
        return try functionBody(name: name, parameters: parameters) { parser in try parser.block() }
    }

    mutating func functionBody(
        name: String?, parameters: [(name: String, defaultValue: ExpressionTerm?)],
        read: (inout ExpressionParser) throws -> [ExpressionStatement]
    ) throws -> ExpressionFunction {
        declarations.append(Declarations())
        let body = try nested(read)
        let declared = declarations.removeLast()
        return ExpressionFunction(
            name: name, parameters: parameters, body: body, variables: declared.variables,
            functions: declared.functions)
    }
}
