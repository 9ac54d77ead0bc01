import Core

/// A property's expression, in the small part of After Effects' JavaScript that loading animations
/// use: arithmetic with `time`, `value`, numbers and arrays, variables, some functions of `Math`,
/// and the loop functions.
struct Expression: Sendable {
    /// A node of the syntax tree.
    indirect enum Term: Sendable {
        case number(Double)
        case variable(String)
        case list([Term])
        case element(Term, Term)
        case negative(Term)
        case operation(Operator, Term, Term)
        case function(String, [Term])
        case loop(LoopExpression)
    }

    enum Operator: Sendable { case add, subtract, multiply, divide, modulo }

    /// The statements in order, with the variable that each assigns. The value of the last one is
    /// the value of the expression.
    private let statements: [(name: String?, term: Term)]

    /// Parses an expression. Throws `ExpressionError` if it uses anything unsupported.
    init(parsing text: String) throws(ExpressionError) {
        var parser = try ExpressionParser(text)
        statements = try parser.statements()
        guard !statements.isEmpty else { throw ExpressionError("is empty") }
        var known: Set<String> = ["time", "value"]
        for (name, term) in statements {
            try term.check(known: known)
            if let name { known.insert(name) }
        }
    }

    /// The loop, if the expression consists of a single call of a loop function.
    var loopExpression: LoopExpression? {
        guard statements.count == 1, case .loop(let loopExpression) = statements[0].term else { return nil }
        return loopExpression
    }

    /// Returns the value of a property at a frame of the layer's composition.
    func value<Value: Animatable>(of property: Property<Value>, at frame: Double, rate: Double) -> Value {
        // A single loop, the usual case, works on values as a whole, and so for paths too.
        if statements.count == 1, case .loop(let loopExpression) = statements[0].term {
            return loopExpression.value(of: property, at: frame, rate: rate)
        }
        let value = property.keyframed(at: frame)
        var variables = ["time": [frame / rate], "value": value.components]
        var result = value.components
        for (name, term) in statements {
            result = term.components(variables) { loopExpression in
                loopExpression.value(of: property, at: frame, rate: rate).components
            }
            if let name { variables[name] = result }
        }
        let count = value.components.count
        if result.count == 1, count > 1 { result = Array(repeating: result[0], count: count) }
        guard result.count >= count, result.allSatisfy(\.isFinite) else { return value }
        return Value(components: Array(result.prefix(count))) ?? value
    }
}

/// The reason why an expression is not supported: a predicate such as `uses 'wiggle'`.
struct ExpressionError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension Expression.Term {
    /// Throws `ExpressionError` for an undefined variable or an unsupported function.
    func check(known: Set<String>) throws(ExpressionError) {
        switch self {
        case .number, .loop: break
        case .variable(let name):
            guard known.contains(name) else {
                throw ExpressionError("uses \(quoted(name))")
            }
        case .list(let terms): for term in terms { try term.check(known: known) }
        case .negative(let term): try term.check(known: known)
        case .element(let a, let b), .operation(_, let a, let b):
            try a.check(known: known)
            try b.check(known: known)
        case .function(let name, let terms):
            guard let arity = Self.functions[name]?.arity, arity == terms.count else {
                throw ExpressionError("uses \(quoted(name))")
            }
            for term in terms { try term.check(known: known) }
        }
    }

    /// Returns the value as an array of numbers.
    ///
    /// - Parameters:
    ///   - variables: The values of the variables by name.
    ///   - loop: Returns the value of a loop.
    func components(_ variables: [String: [Double]], _ loop: (LoopExpression) -> [Double]) -> [Double] {
        switch self {
        case .number(let number): return [number]
        case .variable(let name): return variables[name] ?? [0]
        case .list(let terms): return terms.map { $0.components(variables, loop).first ?? 0 }
        case .negative(let term): return term.components(variables, loop).map { -$0 }
        case .element(let list, let index):
            let list = list.components(variables, loop)
            let index = index.components(variables, loop).first ?? 0
            guard index >= 0, index < Double(list.count) else { return [0] }
            return [list[Int(index)]]
        case .operation(let kind, let a, let b):
            return kind.apply(a.components(variables, loop), b.components(variables, loop))
        case .function(let name, let terms):
            let arguments = terms.map { $0.components(variables, loop).first ?? 0 }
            return [Self.functions[name]?.apply(arguments) ?? 0]
        case .loop(let loopExpression): return loop(loopExpression)
        }
    }

    private struct Function: Sendable {
        let arity: Int
        let apply: @Sendable ([Double]) -> Double
    }

    private static let functions: [String: Function] = [
        "Math.sin": Function(arity: 1) { sin($0[0]) }, "Math.cos": Function(arity: 1) { cos($0[0]) },
        "Math.tan": Function(arity: 1) { tan($0[0]) }, "Math.abs": Function(arity: 1) { abs($0[0]) },
        "Math.floor": Function(arity: 1) { $0[0].rounded(.down) },
        "Math.ceil": Function(arity: 1) { $0[0].rounded(.up) },
        "Math.round": Function(arity: 1) { ($0[0] + 0.5).rounded(.down) },
        "Math.sqrt": Function(arity: 1) { $0[0].squareRoot() },
        "Math.exp": Function(arity: 1) { exp($0[0]) }, "Math.pow": Function(arity: 2) { pow($0[0], $0[1]) },
        "Math.min": Function(arity: 2) { min($0[0], $0[1]) }, "Math.max": Function(arity: 2) { max($0[0], $0[1]) },
        "degreesToRadians": Function(arity: 1) { $0[0] * .pi / 180 },
        "radiansToDegrees": Function(arity: 1) { $0[0] * 180 / .pi },
        "clamp": Function(arity: 3) { min(max($0[0], min($0[1], $0[2])), max($0[1], $0[2])) },
    ]
}

extension Expression.Operator {
    /// Returns the result for two arrays, component by component. In products a shorter array
    /// repeats its first component, so that a number multiplies each component of the other.
    func apply(_ a: [Double], _ b: [Double]) -> [Double] {
        let count = max(a.count, b.count)
        return (0..<count).map { index in
            let isSum = self == .add || self == .subtract
            // A sum keeps the components that the shorter array does not have, as in After
            // Effects. The array of a path is empty.
            let x = index < a.count ? a[index] : isSum ? 0 : a.first ?? 0
            let y = index < b.count ? b[index] : isSum ? 0 : b.first ?? 0
            switch self {
            case .add: return x + y
            case .subtract: return x - y
            case .multiply: return x * y
            case .divide: return x / y
            case .modulo: return x.truncatingRemainder(dividingBy: y)
            }
        }
    }
}
