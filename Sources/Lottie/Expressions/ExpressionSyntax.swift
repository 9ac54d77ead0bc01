// The syntax tree of expressions: the part of JavaScript (ECMAScript 2018) that published After
// Effects expressions use.

/// An expression in the sense of JavaScript. ("Expression" alone means that of a property.)
indirect enum ExpressionTerm: Sendable {
    case undefined
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case name(String)
    case array([ExpressionTerm])
    case object([(key: String, value: ExpressionTerm)])
    case function(ExpressionFunction)
    case unary(ExpressionUnary, ExpressionTerm)
    case typeof(ExpressionTerm)
    /// `++` and `--`: adds `step` to the target. The value is the new one if it is a prefix.
    case update(ExpressionTerm, step: Double, isPrefix: Bool)
    case binary(ExpressionBinary, ExpressionTerm, ExpressionTerm)
    case and(ExpressionTerm, ExpressionTerm)
    case or(ExpressionTerm, ExpressionTerm)
    case coalesce(ExpressionTerm, ExpressionTerm)
    case conditional(ExpressionTerm, ExpressionTerm, ExpressionTerm)
    /// An assignment, compound if there is an operator.
    case assign(ExpressionTerm, ExpressionBinary?, ExpressionTerm)
    case member(ExpressionTerm, String)
    case element(ExpressionTerm, ExpressionTerm)
    case call(ExpressionTerm, [ExpressionTerm])
    case new(ExpressionTerm, [ExpressionTerm])
    case sequence(ExpressionTerm, ExpressionTerm)
    case chain(ExpressionChain)
}

enum ExpressionUnary: Sendable { case plus, minus, not, bitNot, void }

enum ExpressionBinary: String, Sendable {
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

/// The keyword that declares a variable. Variables of `var` belong to the function, others to the
/// block.
enum ExpressionVariable: String, Sendable {
    case `var`, `let`
    case constant = "const"
}

/// A statement.
indirect enum ExpressionStatement: Sendable {
    case empty
    case term(ExpressionTerm)
    case declare([(name: String, value: ExpressionTerm?)], ExpressionVariable)
    case block([ExpressionStatement])
    /// A function's declaration, at its position among the statements.
    case function(ExpressionFunction)
    case conditional(ExpressionTerm, ExpressionStatement, ExpressionStatement?)
    case `while`(ExpressionTerm, ExpressionStatement)
    case doWhile(ExpressionStatement, ExpressionTerm)
    case `for`(ExpressionStatement?, ExpressionTerm?, ExpressionTerm?, ExpressionStatement)
    /// `for (name of term)`, or `for (name in term)`; nil if the variable is declared elsewhere.
    case forEach(String, ExpressionVariable?, isOf: Bool, ExpressionTerm, ExpressionStatement)
    case `switch`(ExpressionTerm, [(test: ExpressionTerm?, body: [ExpressionStatement])])
    case tryCatch([ExpressionStatement], name: String?, handler: [ExpressionStatement]?, final: [ExpressionStatement]?)
    case `throw`(ExpressionTerm)
    case `return`(ExpressionTerm?)
    case `break`
    case `continue`
}

/// The code of a function, or of the whole program.
final class ExpressionFunction: Sendable {
    let name: String?
    let parameters: [(name: String, defaultValue: ExpressionTerm?)]
    let body: [ExpressionStatement]
    /// The names that `var` declares anywhere in the body. They exist from its beginning.
    let variables: [String]
    /// The functions declared in the body, which also exist from its beginning.
    let functions: [ExpressionFunction]
    /// True for a program with chains.
    let hasChains: Bool

    init(
        name: String?, parameters: [(name: String, defaultValue: ExpressionTerm?)] = [], body: [ExpressionStatement],
        variables: [String] = [], functions: [ExpressionFunction] = [], hasChains: Bool = false
    ) {
        self.name = name
        self.parameters = parameters
        self.body = body
        self.variables = variables
        self.functions = functions
        self.hasChains = hasChains
    }
}
