import Loaders
import Motion

/// An expression over facts of a loader: `phase[2].duration * 2`, `red.x at phase:2 == 90`.
struct FactExpression: Sendable {
    indirect enum Tree: Sendable {
        case value(FactValue)
        case reference(FactReference)
        case operation(FactOperator, Tree, Tree)
    }

    /// As it was written.
    let text: String
    private let tree: Tree

    /// The longest expression, in letters.
    static let mostLetters = 200

    /// Reads an expression.
    init(_ text: String) throws(FactProblem) {
        guard text.count <= Self.mostLetters else {
            throw FactProblem(
                what: "a fact is too long", expected: "at most \(Self.mostLetters) letters", found: "\(text.count)")
        }
        self.text = text
        var parser = FactParser(text)
        tree = try parser.expression()
    }

    /// What it comes to. Of a comparison: 1 if it holds, else 0.
    func value(in facts: Facts) throws(FactProblem) -> FactValue { try value(of: tree, facts) }

    /// Nil if the expression is a comparison that holds, else what it compares, for a message.
    func failure(in facts: Facts) throws(FactProblem) -> String? {
        guard case .operation(let sign, let left, let right) = tree, FactOperator.levels[0].contains(sign) else {
            throw FactProblem(what: "a check compares nothing", expected: "such as phases == 6", found: text)
        }
        let (a, b) = (try value(of: left, facts), try value(of: right, facts))
        return try compared(sign, a, b) ? nil : "\(a.text(in: .en)) \(sign.rawValue) \(b.text(in: .en))"
    }

    private func value(of tree: Tree, _ facts: Facts) throws(FactProblem) -> FactValue {
        switch tree {
        case .value(let value): return value
        case .reference(let reference): return try facts.value(of: reference)
        case .operation(let sign, let left, let right):
            let (a, b) = (try value(of: left, facts), try value(of: right, facts))
            if FactOperator.levels[0].contains(sign) { return .exact(try compared(sign, a, b) ? 1 : 0) }
            guard let result = sign.result(a, b), result.isFinite else {
                throw FactProblem(
                    what: "a fact cannot be computed", expected: "numbers, and no division by 0", found: text)
            }
            return result
        }
    }

    private func compared(_ sign: FactOperator, _ a: FactValue, _ b: FactValue) throws(FactProblem) -> Bool {
        guard let holds = sign.holds(a, b) else {
            throw FactProblem(
                what: "two values cannot be compared", expected: "two numbers, or two words with == or !=", found: text)
        }
        return holds
    }
}

/// What a fact is about.
struct FactReference: Sendable {
    /// The first word: `phases`, `period`, `phase`, an object, a point of the construction or a parameter. Spaces of a name
    /// are written as `_`.
    let name: String
    /// A number in brackets behind it.
    var index: Int?
    /// A word behind a point.
    var property: String?
    /// A time behind `at`.
    var time: ModelTime?
}

/// Reads expressions by recursive descent.
struct FactParser {
    private var rest: Substring
    private let text: String
    private var depth = 0
    private static let mostDepth = 16

    init(_ text: String) { (self.text, rest) = (text, Substring(text)) }

    /// The whole text.
    mutating func expression() throws(FactProblem) -> FactExpression.Tree {
        let tree = try level(0)
        skipSpace()
        guard rest.isEmpty else { throw problem("an operator or the end") }
        return tree
    }

    private func problem(_ expected: String) -> FactProblem {
        FactProblem(what: "a fact is not of its form", expected: expected, found: rest.isEmpty ? text : String(rest))
    }

    private mutating func skipSpace() { rest = rest.drop { $0 == " " } }

    private mutating func take(_ word: String) -> Bool {
        skipSpace()
        guard rest.hasPrefix(word) else { return false }
        rest = rest.dropFirst(word.count)
        return true
    }

    private mutating func level(_ number: Int) throws(FactProblem) -> FactExpression.Tree {
        guard number < FactOperator.levels.count else { return try factor() }
        var left = try level(number + 1)
        var count = 0
        while let sign = FactOperator.levels[number].first(where: { take($0.rawValue) }) {
            count += 1
            // Comparisons do not chain.
            guard number > 0 || count == 1 else { throw problem("one comparison") }
            left = .operation(sign, left, try level(number + 1))
        }
        return left
    }

    private mutating func factor() throws(FactProblem) -> FactExpression.Tree {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.mostDepth else { throw problem("fewer parentheses") }
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

    private mutating func word() -> String? {
        skipSpace()
        let word = rest.prefix { $0.isLetter || $0 == "_" || $0.isNumber }
        rest = rest.dropFirst(word.count)
        return word.isEmpty ? nil : String(word)
    }

    private mutating func reference() throws(FactProblem) -> FactReference {
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
        let time = rest.prefix { $0.isASCII && ($0.isNumber || $0.isLetter || ".:/+".contains($0)) }
        guard let parsed = ModelTime(text: String(time)) else { throw problem("a time such as 1.5 or phase:2+1/2") }
        rest = rest.dropFirst(time.count)
        reference.time = parsed
        return reference
    }
}
