import Animations
import Core

/// An expression over facts of a loader: `phase[2].duration * 2`, `red.x at phase:2 == 90`.
struct FactExpression: Sendable {
    indirect enum Tree: Sendable {
        case value(FactValue)
        case reference(FactReference)
        case operation(FactOperator, Tree, Tree)
    }

    /// The source text.
    let text: String
    private let tree: Tree

    /// Maximum length of an expression in characters.
    static let maxCharacters = 200

    /// Parses an expression. Throws `ValueProblem` if it is malformed.
    init(_ text: String) throws(ValueProblem) {
        guard text.count <= Self.maxCharacters else {
            throw ValueProblem(
                problem: "a fact has \(text.count) characters", remedy: "use at most \(Self.maxCharacters)")
        }
        self.text = text
        var parser = FactParser(text)
        tree = try parser.expression()
    }

    /// Returns the value of the expression. The value of a comparison is 1 if it holds, else 0.
    func value(in facts: TemplateContext) throws(ValueProblem) -> FactValue { try value(of: tree, facts) }

    /// Returns nil if the expression is a comparison that holds, else the compared values for a
    /// message. Throws `ValueProblem` if it is not a comparison.
    func failure(in facts: TemplateContext) throws(ValueProblem) -> String? {
        guard case .operation(let operation, let left, let right) = tree,
            FactOperator.levels[0].contains(operation)
        else {
            throw ValueProblem(problem: "a check is not a comparison", remedy: "write it like phases == 6", found: text)
        }
        let a = try value(of: left, facts)
        let b = try value(of: right, facts)
        return try compared(operation, a, b) ? nil : "\(a.text(in: .en)) \(operation.rawValue) \(b.text(in: .en))"
    }

    private func value(of tree: Tree, _ facts: TemplateContext) throws(ValueProblem) -> FactValue {
        switch tree {
        case .value(let value): return value
        case .reference(let reference): return try facts.value(of: reference)
        case .operation(let operation, let left, let right):
            let a = try value(of: left, facts)
            let b = try value(of: right, facts)
            if FactOperator.levels[0].contains(operation) { return .exact(try compared(operation, a, b) ? 1 : 0) }
            guard let result = operation.result(a, b), result.isFinite else {
                throw ValueProblem(
                    problem: "a fact cannot be computed", remedy: "use numbers, and do not divide by 0", found: text)
            }
            return result
        }
    }

    private func compared(_ operation: FactOperator, _ a: FactValue, _ b: FactValue) throws(ValueProblem) -> Bool {
        guard let holds = operation.holds(a, b) else {
            throw ValueProblem(
                problem: "two values cannot be compared", remedy: "use two numbers, or two words with == or !=",
                found: text)
        }
        return holds
    }
}

/// A reference to a fact: `name`, `name[index]`, `name.property` or `name.property at time`.
struct FactReference: Sendable {
    /// The first word: `phases`, `period`, `phase`, an object, a point of the construction or a
    /// parameter. Spaces in a name are written as `_`.
    let name: String
    var index: Int?
    var property: String?
    var time: ModelTime?
}

/// A recursive descent parser of expressions.
struct FactParser {
    private var rest: Substring
    private let text: String
    private var depth = 0
    /// The maximum depth of nesting. The parser is recursive.
    private static let maxDepth = 16

    init(_ text: String) {
        self.text = text
        rest = Substring(text)
    }

    /// Parses the whole text.
    mutating func expression() throws(ValueProblem) -> FactExpression.Tree {
        let tree = try level(0)
        skipSpace()
        guard rest.isEmpty else { throw problem("an operator such as == or +") }
        return tree
    }

    private func problem(_ form: String) -> ValueProblem {
        ValueProblem(problem: "a fact is malformed", remedy: "write \(form)", found: rest.isEmpty ? text : String(rest))
    }

    private mutating func skipSpace() { rest = rest.drop { $0 == " " } }

    /// Consumes a word after spaces; returns false if another text follows.
    private mutating func take(_ word: String) -> Bool {
        skipSpace()
        guard rest.hasPrefix(word) else { return false }
        rest = rest.dropFirst(word.count)
        return true
    }

    /// Parses operators of a precedence level and above.
    private mutating func level(_ number: Int) throws(ValueProblem) -> FactExpression.Tree {
        guard number < FactOperator.levels.count else { return try factor() }
        var left = try level(number + 1)
        var count = 0
        while let operation = FactOperator.levels[number].first(where: { take($0.rawValue) }) {
            count += 1
            // Comparisons do not chain.
            guard number > 0 || count == 1 else { throw problem("one comparison") }
            left = .operation(operation, left, try level(number + 1))
        }
        return left
    }

    private mutating func factor() throws(ValueProblem) -> FactExpression.Tree {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maxDepth else { throw problem("fewer parentheses") }
        if take("(") {
            let inner = try level(0)
            guard take(")") else { throw problem("a closing parenthesis") }
            return inner
        }
        if take("-") || take("−") { return .operation(.minus, .value(.exact(0)), try factor()) }
        if take("\"") {
            let word = rest.prefix { $0 != "\"" }
            rest = rest.dropFirst(word.count)
            guard take("\"") else { throw problem("a closing quotation mark") }
            return .value(.text(LocalizedText(String(word))))
        }
        skipSpace()
        let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        if !digits.isEmpty {
            guard let number = Rational(text: digits) else { throw problem("a number such as 2 or 0.25") }
            rest = rest.dropFirst(digits.count)
            return .value(.exact(number))
        }
        return .reference(try reference())
    }

    /// Returns true if names of facts may have this character.
    static func isPartOfWord(_ character: Character) -> Bool {
        character.isLetter || character == "_" || character.isNumber
    }

    private mutating func word() -> String? {
        skipSpace()
        let word = rest.prefix(while: FactParser.isPartOfWord)
        rest = rest.dropFirst(word.count)
        return word.isEmpty ? nil : String(word)
    }

    private mutating func reference() throws(ValueProblem) -> FactReference {
        guard let name = word() else { throw problem("a fact such as period, phase.duration or red.x") }
        var reference = FactReference(name: name)
        if take("[") {
            guard let index = word().flatMap({ Int($0) }), take("]") else { throw problem("a number and ]") }
            reference.index = index
        }
        if take(".") {
            guard let property = word() else { throw problem("a property such as x or duration") }
            reference.property = property
        }
        let before = rest
        guard word() == "at" else {
            rest = before
            return reference
        }
        skipSpace()
        let time = rest.prefix { $0.isASCII && ($0.isNumber || $0.isLetter || ".:/+%".contains($0)) }
        guard let parsed = ModelTime(text: String(time)) else {
            throw problem("a time such as 1.5, 50% or phase:2+1/2")
        }
        rest = rest.dropFirst(time.count)
        reference.time = parsed
        return reference
    }
}
