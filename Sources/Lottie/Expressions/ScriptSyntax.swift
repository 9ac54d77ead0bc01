// The syntax tree of expressions: the part of JavaScript (ECMAScript 2018) that published After
// Effects expressions use.

/// An expression in the sense of JavaScript. ("Expression" alone means that of a property.)
indirect enum ScriptTerm: Sendable {
    case undefined
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case name(String)
    case array([ScriptTerm])
    case object([(key: String, value: ScriptTerm)])
    case function(ScriptFunction)
    case unary(ScriptUnary, ScriptTerm)
    case typeof(ScriptTerm)
    /// `++` and `--`: adds `step` to the target. The value is the new one if it is a prefix.
    case update(ScriptTerm, step: Double, isPrefix: Bool)
    case binary(ScriptBinary, ScriptTerm, ScriptTerm)
    case and(ScriptTerm, ScriptTerm)
    case or(ScriptTerm, ScriptTerm)
    case coalesce(ScriptTerm, ScriptTerm)
    case conditional(ScriptTerm, ScriptTerm, ScriptTerm)
    /// An assignment, compound if there is an operator.
    case assign(ScriptTerm, ScriptBinary?, ScriptTerm)
    case member(ScriptTerm, String)
    case element(ScriptTerm, ScriptTerm)
    case call(ScriptTerm, [ScriptTerm])
    case new(ScriptTerm, [ScriptTerm])
    case sequence(ScriptTerm, ScriptTerm)
    case chain(ScriptChain)
}

enum ScriptUnary: Sendable { case plus, minus, not, bitNot, void }

enum ScriptBinary: String, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case modulo = "%"
    case power = "**"
    case equal = "=="
    case notEqual = "!="
    case identical = "==="
    case notIdentical = "!=="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case bitAnd = "&"
    case bitOr = "|"
    case bitXor = "^"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case unsignedShiftRight = ">>>"
    case instanceof
    case `in`

    /// The precedence; operators of a higher one bind more tightly.
    var precedence: Int {
        switch self {
        case .bitOr: 1
        case .bitXor: 2
        case .bitAnd: 3
        case .equal, .notEqual, .identical, .notIdentical: 4
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .instanceof, .in: 5
        case .shiftLeft, .shiftRight, .unsignedShiftRight: 6
        case .add, .subtract: 7
        case .multiply, .divide, .modulo: 8
        case .power: 9
        }
    }
}

/// A statement.
indirect enum ScriptStatement: Sendable {
    case empty
    case term(ScriptTerm)
    /// `var` (if not lexical), or `let` and `const`.
    case declare([(name: String, value: ScriptTerm?)], isLexical: Bool)
    case block([ScriptStatement])
    /// The place of a function's declaration.
    case function(ScriptFunction)
    case conditional(ScriptTerm, ScriptStatement, ScriptStatement?)
    case `while`(ScriptTerm, ScriptStatement)
    case doWhile(ScriptStatement, ScriptTerm)
    case `for`(ScriptStatement?, ScriptTerm?, ScriptTerm?, ScriptStatement)
    /// `for (name of term)`, or `for (name in term)`. Lexical variables are those of `let` and
    /// `const`.
    case forEach((name: String, isLexical: Bool), isOf: Bool, ScriptTerm, ScriptStatement)
    case `switch`(ScriptTerm, [(test: ScriptTerm?, body: [ScriptStatement])])
    case tryCatch([ScriptStatement], name: String?, handler: [ScriptStatement]?, final: [ScriptStatement]?)
    case `throw`(ScriptTerm)
    case `return`(ScriptTerm?)
    case `break`
    case `continue`
}

/// The code of a function, or of the whole program.
final class ScriptFunction: Sendable {
    let name: String?
    let parameters: [(name: String, defaultValue: ScriptTerm?)]
    let body: [ScriptStatement]
    /// The names that `var` declares anywhere in the body. They exist from its beginning.
    let variables: [String]
    /// The functions declared in the body, which also exist from its beginning.
    let functions: [ScriptFunction]
    /// True for a program with chains.
    let hasChains: Bool

    init(
        name: String?, parameters: [(name: String, defaultValue: ScriptTerm?)] = [], body: [ScriptStatement],
        variables: [String] = [], functions: [ScriptFunction] = [], hasChains: Bool = false
    ) {
        self.name = name
        self.parameters = parameters
        self.body = body
        self.variables = variables
        self.functions = functions
        self.hasChains = hasChains
    }
}
