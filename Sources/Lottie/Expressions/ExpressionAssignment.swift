import Core

/// The target of an assignment. Its terms are evaluated once, before the assigned value.
enum ExpressionTarget {
    case name(String)
    case member(ExpressionValue, String)
    case element(ExpressionValue, ExpressionValue)
}

/// Assignments to variables, members and elements.
extension ExpressionInterpreter {
    func target(_ term: ExpressionTerm, in scope: ExpressionScope) throws -> ExpressionTarget {
        switch term {
        case .name(let name): return .name(name)
        case .member(let term, let name): return .member(try evaluate(term, in: scope), name)
        case .element(let term, let index):
            let container = try evaluate(term, in: scope)
            return .element(container, try plain(evaluate(index, in: scope)))
        default: throw EvaluationError("assigns to a value")
        }
    }

    func value(of target: ExpressionTarget, in scope: ExpressionScope) throws -> ExpressionValue {
        switch target {
        case .name(let name): try value(name, in: scope)
        case .member(let container, let name): try member(container, name)
        case .element(let container, let index): try element(container, index)
        }
    }

    func assign(_ value: ExpressionValue, to target: ExpressionTarget, in scope: ExpressionScope) throws {
        switch target {
        case .name(let name): try scope.assign(name, value)
        case .member(let container, let name): try set(container, name, to: value)
        case .element(let container, let index):
            guard case .array(let array) = container, let position = Self.position(index) else {
                return try set(container, text(of: index), to: value)
            }
            if position >= array.items.count { try setLength(position + 1, of: array) }
            array.items[position] = try plain(value)
        }
    }

    private func set(_ container: ExpressionValue, _ name: String, to value: ExpressionValue) throws {
        switch container {
        case .object(let object): object.set(name, to: value)
        case .array(let array) where name == "length":
            guard let length = Self.position(value) else { throw EvaluationError("sets an invalid length") }
            try setLength(length, of: array)
        default: throw EvaluationError("assigns to \(quoted(name.singleLine(atMost: 40))), which cannot be assigned")
        }
    }

    private func setLength(_ length: Int, of array: ExpressionArray) throws {
        let missing = length - array.items.count
        guard missing > 0 else { return array.items.removeLast(-missing) }
        try charge(missing)
        array.items.append(contentsOf: Array(repeating: .undefined, count: missing))
    }
}
