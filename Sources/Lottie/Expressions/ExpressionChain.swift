import Core

/// A term that names a part of the animation: members and calls that begin at a name such as
/// `thisComp` and have only literals and other chains as arguments, for example
/// `thisComp.layer('Box').transform.position`.
struct ExpressionChain: Sendable {
    /// The number of the chain in its program.
    let number: Int
    let term: ExpressionTerm
    /// The names at the beginning of the chain and of those in its arguments. If a variable has one
    /// of them, the chain is a term like any other.
    let names: [String]
}

/// A cache of the values of an expression's chains that are the same at every frame. Chains that
/// read the time or a property's value are evaluated each time.
final class ExpressionChainValues: Sendable {
    /// A value without references to a program.
    enum Value: Sendable {
        case reference(ExpressionReference)
        case number(Double)
        case string(String)
        case bool(Bool)

        /// Returns nil for a value that belongs to a program, such as an array.
        init?(_ value: ExpressionValue) {
            switch value {
            case .reference(let reference): self = .reference(reference)
            case .number(let number): self = .number(number)
            case .string(let text): self = .string(text)
            case .bool(let flag): self = .bool(flag)
            case .undefined, .null, .array, .object, .function, .builtin, .path: return nil
            }
        }

        var scriptValue: ExpressionValue {
            switch self {
            case .reference(let reference): .reference(reference)
            case .number(let number): .number(number)
            case .string(let text): .string(text)
            case .bool(let flag): .bool(flag)
            }
        }
    }

    enum Entry: Sendable {
        /// The value differs between frames or cannot be stored.
        case varying
        /// A value with the steps and the levels of nesting that its evaluation takes.
        case constant(Value, steps: Int, height: Int)
    }

    private let entries = Locked<[Int: Entry]>([:])

    subscript(number: Int) -> Entry? {
        get { entries.withLock { $0[number] } }
        set { entries.withLock { $0[number] = newValue } }
    }
}

extension ExpressionInterpreter {
    /// Returns the value of a chain. It takes as many steps and levels of nesting from the limits
    /// as if it were evaluated, so the outcome does not depend on which values are cached.
    func evaluate(_ chain: ExpressionChain, in scope: ExpressionScope) throws -> ExpressionValue {
        guard let cache = expression.chainValues, chain.names.allSatisfy({ !scope.has($0) }) else {
            return try evaluate(chain.term, in: scope)
        }
        switch cache[chain.number] {
        case .constant(let value, let steps, let height)?:
            // Beyond a limit, the evaluation finds out which one it is.
            guard countIfAllowed(steps: steps, height: height) else { break }
            return value.scriptValue
        case .varying?: break
        case nil: return try evaluate(chain, in: scope, storingIn: cache)
        }
        return try evaluate(chain.term, in: scope)
    }

    private func evaluate(
        _ chain: ExpressionChain, in scope: ExpressionScope, storingIn cache: ExpressionChainValues
    ) throws -> ExpressionValue {
        let outer = hasReadState
        hasReadState = false
        defer { hasReadState = hasReadState || outer }
        let stepsBefore = steps
        let (value, height) = try context.measuringHeight { try evaluate(chain.term, in: scope) }
        guard context.model.reserveChainValue() else { return value }
        if !hasReadState, let constant = ExpressionChainValues.Value(value) {
            cache[chain.number] = .constant(constant, steps: steps - stepsBefore, height: height)
        } else {
            cache[chain.number] = .varying
        }
        return value
    }
}

extension ExpressionParser {
    /// The names at which chains begin, which are parts of the animation unless a variable has the
    /// same name.
    private static let roots: Set = ["thisComp", "thisLayer", "thisProperty", "transform", "$bm_transform", "parent"]
    /// The functions whose calls begin chains.
    private static let rootFunctions: Set = ["comp", "effect", "content", "mask"]

    /// Returns a member or a call, marked if it is a chain.
    mutating func markedChain(_ term: ExpressionTerm) -> ExpressionTerm {
        guard marksChains, let names = Self.chainNames(of: term) else { return term }
        chainCount += 1
        return .chain(ExpressionChain(number: chainCount, term: term, names: Array(Set(names)).sorted()))
    }

    /// Returns the names at the beginning of a chain; nil for any other term.
    private static func chainNames(of term: ExpressionTerm) -> [String]? {
        switch term {
        case .member(let inner, _): beginning(inner)
        case .call(.name(let name), let arguments) where rootFunctions.contains(name):
            names(of: arguments).map { [name] + $0 }
        case .call(.member(let inner, _), let arguments), .call(let inner, let arguments):
            beginning(inner).flatMap { first in names(of: arguments).map { first + $0 } }
        default: nil
        }
    }

    private static func beginning(_ term: ExpressionTerm) -> [String]? {
        switch term {
        case .name(let name): roots.contains(name) ? [name] : nil
        case .chain(let chain): chain.names
        default: nil
        }
    }

    /// Returns the names in the arguments of a chain; nil if one can change.
    private static func names(of arguments: [ExpressionTerm]) -> [String]? {
        var names: [String] = []
        for argument in arguments {
            switch argument {
            case .number, .string: break
            case .chain(let chain): names += chain.names
            default: return nil
            }
        }
        return names
    }
}

extension ExpressionTerm {
    /// The term without the mark of a chain.
    var unmarked: ExpressionTerm { if case .chain(let chain) = self { chain.term } else { self } }
}
