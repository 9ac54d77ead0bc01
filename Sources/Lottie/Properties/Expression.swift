import Platform

/// A property's expression: the small part of After Effects' JavaScript that loading animations use. Arithmetic with `time`,
/// `value`, numbers and lists, variables, some of Math, and loopIn and loopOut of all kinds.
struct Expression: Sendable {
    /// A part of an expression.
    indirect enum Term: Sendable {
        case number(Double)
        case variable(String)
        case list([Term])
        case element(Term, Term)
        case negative(Term)
        case operation(Operator, Term, Term)
        case function(String, [Term])
        case loop(Looping)
    }

    enum Operator: Sendable { case add, subtract, multiply, divide, modulo }

    /// Names are given values in order; the last value is the expression's.
    private let statements: [(name: String?, term: Term)]

    /// Reads an expression. Throws `ExpressionError` for what is not understood.
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

    /// The loop that it is, if it is nothing else.
    var looping: Looping? {
        guard statements.count == 1, case .loop(let looping) = statements[0].term else { return nil }
        return looping
    }

    /// What a property is at a frame of its layer.
    func value<Value: Animatable>(of property: Property<Value>, at frame: Double, rate: Double) -> Value {
        // The usual case needs no numbers at all, and so does for paths and colours, too.
        if statements.count == 1, case .loop(let looping) = statements[0].term {
            return looping.value(of: property, at: frame, rate: rate)
        }
        let value = property.keyframed(at: frame)
        var variables = ["time": [frame / rate], "value": value.components]
        var result = value.components
        for (name, term) in statements {
            result = term.components(variables) { looping in
                looping.value(of: property, at: frame, rate: rate).components
            }
            if let name { variables[name] = result }
        }
        let count = value.components.count
        if result.count == 1, count > 1 { result = Array(repeating: result[0], count: count) }
        guard result.count >= count, result.allSatisfy(\.isFinite) else { return value }
        return Value(components: Array(result.prefix(count))) ?? value
    }
}

/// What is not understood of an expression.
struct ExpressionError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension Expression.Term {
    /// Throws for a name without a value and a function that is not there.
    func check(known: Set<String>) throws(ExpressionError) {
        switch self {
        case .number, .loop: break
        case .variable(let name):
            guard known.contains(name) else {
                throw ExpressionError("uses '\(name.prefix(40))'")
            }
        case .list(let terms): for term in terms { try term.check(known: known) }
        case .negative(let term): try term.check(known: known)
        case .element(let a, let b), .operation(_, let a, let b):
            try a.check(known: known)
            try b.check(known: known)
        case .function(let name, let terms):
            guard let arity = Self.functions[name]?.arity, arity == terms.count else {
                throw ExpressionError("uses '\(name.prefix(40))'")
            }
            for term in terms { try term.check(known: known) }
        }
    }

    /// The value as a list of numbers, where names have values.
    func components(_ variables: [String: [Double]], _ loop: (Looping) -> [Double]) -> [Double] {
        switch self {
        case .number(let number): return [number]
        case .variable(let name): return variables[name] ?? [0]
        case .list(let terms): return terms.map { $0.components(variables, loop).first ?? 0 }
        case .negative(let term): return term.components(variables, loop).map { -$0 }
        case .element(let list, let index):
            let (list, index) = (list.components(variables, loop), index.components(variables, loop).first ?? 0)
            guard index >= 0, index < Double(list.count) else { return [0] }
            return [list[Int(index)]]
        case .operation(let kind, let a, let b):
            return kind.apply(a.components(variables, loop), b.components(variables, loop))
        case .function(let name, let terms):
            let arguments = terms.map { $0.components(variables, loop).first ?? 0 }
            return [Self.functions[name]?.apply(arguments) ?? 0]
        case .loop(let looping): return loop(looping)
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
    /// Lists are added and subtracted by components; a number multiplies and divides each.
    func apply(_ a: [Double], _ b: [Double]) -> [Double] {
        let count = max(a.count, b.count)
        return (0..<count).map { index in
            let isSum = self == .add || self == .subtract
            // A sum leaves alone what the shorter list does not have, as After Effects does it.
            // A path has no numbers at all.
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
