import Core

/// The evaluation of terms.
extension ExpressionInterpreter {
    /// Returns the value of a term. Throws `EvaluationError` if it has none.
    func evaluate(_ term: ExpressionTerm, in scope: ExpressionScope) throws -> ExpressionValue {
        if case .chain(let chain) = term { return try evaluate(chain, in: scope) }
        try charge()
        switch term {
        case .number(let number): return .number(number)
        case .string(let text): return .string(text)
        case .bool(let flag): return .bool(flag)
        case .undefined: return .undefined
        case .null: return .null
        case .name(let name): return try value(name, in: scope)
        default: return try context.nested { try evaluateNested(term, in: scope) }
        }
    }

    private func evaluateNested(_ term: ExpressionTerm, in scope: ExpressionScope) throws -> ExpressionValue {
        switch term {
        case .array(let items): return try array(items.map { try evaluate($0, in: scope) })
        case .object(let members): return try objectLiteral(members, in: scope)
        case .function(let function):
            guard let name = function.name else { return .function(function, scope) }
            // A function knows its own name.
            let own = self.scope(in: scope)
            own.declare(name, .function(function, own))
            return .function(function, own)
        case .unary(let kind, let operand): return try apply(kind, try evaluate(operand, in: scope))
        case .typeof(let operand): return try typeName(of: operand, in: scope)
        case .update(let target, let step, let isPrefix):
            let target = try self.target(target, in: scope)
            let old = try plain(value(of: target, in: scope)).number
            try assign(.number(old + step), to: target, in: scope)
            return .number(isPrefix ? old + step : old)
        case .binary(let kind, let left, let right):
            return try apply(kind, try evaluate(left, in: scope), try evaluate(right, in: scope))
        case .and(let left, let right):
            let value = try plain(evaluate(left, in: scope))
            return value.isTrue ? try evaluate(right, in: scope) : value
        case .or(let left, let right):
            let value = try plain(evaluate(left, in: scope))
            return value.isTrue ? value : try evaluate(right, in: scope)
        case .coalesce(let left, let right):
            let value = try evaluate(left, in: scope)
            switch value {
            case .undefined, .null: return try evaluate(right, in: scope)
            default: return value
            }
        case .conditional(let condition, let then, let otherwise):
            return try evaluate(try plain(evaluate(condition, in: scope)).isTrue ? then : otherwise, in: scope)
        case .assign(let target, let kind, let term):
            let target = try self.target(target, in: scope)
            let old = try kind.map { _ in try self.value(of: target, in: scope) }
            var value = try evaluate(term, in: scope)
            if let kind, let old { value = try apply(kind, old, value) }
            try assign(value, to: target, in: scope)
            return value
        case .member(let term, let name): return try member(try evaluate(term, in: scope), name)
        case .element(let term, let index):
            return try element(try evaluate(term, in: scope), try plain(evaluate(index, in: scope)))
        case .call(let callee, let arguments):
            return try call(callee, arguments, in: scope)
        case .new(let type, let arguments):
            return try construct(type, try arguments.map { try evaluate($0, in: scope) }, in: scope)
        case .sequence(let first, let second):
            _ = try evaluate(first, in: scope)
            return try evaluate(second, in: scope)
        case .undefined, .null, .bool, .number, .string, .name, .chain: return try evaluate(term, in: scope)
        }
    }

    /// Returns the value of a variable or of a global name.
    func value(_ name: String, in scope: ExpressionScope) throws -> ExpressionValue {
        if let value = scope.value(name) { return value }
        guard let value = try global(name) else { throw EvaluationError.unsupported(name) }
        return value
    }

    /// Returns a value, or if it is a property of the animation, that property's current value.
    func plain(_ value: ExpressionValue) throws -> ExpressionValue {
        guard case .reference(let reference) = value else { return value }
        return try self.value(of: reference) ?? value
    }

    private func apply(_ kind: ExpressionUnary, _ operand: ExpressionValue) throws -> ExpressionValue {
        switch kind {
        case .plus: return .number(try plain(operand).number)
        case .minus: return try negative(operand)
        case .not: return .bool(try !plain(operand).isTrue)
        case .bitNot: return .number(Double(~Self.int32(try plain(operand).number)))
        case .void: return .undefined
        }
    }

    private func typeName(of term: ExpressionTerm, in scope: ExpressionScope) throws -> ExpressionValue {
        // The type of an unknown name is "undefined", not an error.
        if case .name(let name) = term, !scope.has(name), try availableGlobal(name) == nil {
            return .string("undefined")
        }
        return .string(try plain(evaluate(term, in: scope)).typeName)
    }

    private func objectLiteral(
        _ members: [(key: String, value: ExpressionTerm)], in scope: ExpressionScope
    ) throws -> ExpressionValue {
        let result = try object([:])
        guard case .object(let object) = result else { return result }
        for (key, term) in members { object.set(key, to: try evaluate(term, in: scope)) }
        return result
    }

    /// Returns the value as an index of an array: a whole number below a million; nil for others.
    static func position(_ value: ExpressionValue) -> Int? {
        switch value {
        case .number: break
        case .string(let text) where !text.isEmpty: break
        default: return nil
        }
        guard value.number >= 0, value.number < 1e6 else { return nil }
        return Int(exactly: value.number)
    }

    // MARK: Members

    /// Returns a member of a value. A missing member is undefined in a JavaScript value, and an
    /// error in a reference.
    func member(_ value: ExpressionValue, _ name: String) throws -> ExpressionValue {
        switch value {
        case .undefined, .null:
            throw EvaluationError("reads \(quoted(name.singleLine(atMost: 40))) of \(try text(of: value))")
        // A text layer's `sourceText` is its value, which programs also read as `sourceText.value`.
        case .string where name == "value": return value
        case .string(let text):
            guard name == "length" else { return .undefined }
            if text.canHaveSurrogates { try charge(text.utf8.count / Self.bytesPerStep) }
            return .number(Double(text.codeUnitCount))
        case .array(let array): return name == "length" ? .number(Double(array.items.count)) : .undefined
        case .object(let object): return object.members[name] ?? .undefined
        case .builtin(let namespace):
            if let constant = Self.constants["\(namespace).\(name)"] { return .number(constant) }
            guard Self.builtins["\(namespace).\(name)"] != nil else {
                throw EvaluationError.unsupported("\(namespace).\(name)")
            }
            return .builtin("\(namespace).\(name)")
        case .reference(let reference): return try member(of: reference, name)
        case .bool, .number, .function, .path: return .undefined
        }
    }

    func element(_ value: ExpressionValue, _ index: ExpressionValue) throws -> ExpressionValue {
        let value = try plain(value)
        if case .array(let array) = value, let position = Self.position(index) {
            return position < array.items.count ? array.items[position] : .undefined
        }
        if case .string(let text) = value, let position = Self.position(index) {
            if let unit = text.asciiCharacter(at: position) { return .string(unit) }
            try charge(text.utf8.count / Self.bytesPerStep)
            let units = text.codeUnits
            return position < units.count ? .string(String(codeUnits: [units[position]])) : .undefined
        }
        // Index 0 of a number is the number: files use one-dimensional values like arrays.
        if case .number = value, case .number(0) = index { return value }
        return try member(value, text(of: index))
    }

    // MARK: Calls

    /// Calls a function. As in JavaScript, the function is evaluated before its arguments.
    private func call(
        _ callee: ExpressionTerm, _ arguments: [ExpressionTerm], in scope: ExpressionScope
    ) throws -> ExpressionValue {
        func values() throws -> [ExpressionValue] { try arguments.map { try evaluate($0, in: scope) } }
        // A member in parentheses may be marked.
        if case .member(let term, let name) = callee.unmarked {
            let receiver = try evaluate(term, in: scope)
            return try call(name, of: receiver, values())
        }
        if case .name(let name) = callee, !scope.has(name) {
            let values = try values()
            if name == "eval" { return try evaluate(program: values.first ?? .undefined, in: scope) }
            if let value = try callGlobal(name, values) { return value }
            return try call(try value(name, in: scope), values)
        }
        let function = try evaluate(callee, in: scope)
        return try call(function, values())
    }

    /// Calls a value.
    func call(_ function: ExpressionValue, _ arguments: [ExpressionValue]) throws -> ExpressionValue {
        switch function {
        case .function(let function, let scope): return try call(function, scope, arguments)
        case .builtin(let name):
            guard let value = try callGlobal(name, arguments) else { throw EvaluationError.unsupported(name) }
            return value
        case .reference(let reference): return try call(reference, arguments)
        default:
            throw EvaluationError("calls \(try text(of: function).singleLine(atMost: 40)), which is not a function")
        }
    }

    /// Calls a method of a value.
    private func call(_ name: String, of receiver: ExpressionValue, _ arguments: [ExpressionValue]) throws
        -> ExpressionValue
    {
        switch receiver {
        case .reference(let reference):
            if let value = try call(name, of: reference, arguments) { return value }
            let value = try plain(receiver)
            if case .reference = value { throw EvaluationError.unsupported(name) }
            return try call(name, of: value, arguments)
        case .object(let object):
            if let function = object.members[name] { return try call(function, arguments) }
            throw EvaluationError("calls \(quoted(name.singleLine(atMost: 40))), which is not a function")
        case .builtin(let namespace):
            guard let builtin = Self.builtins["\(namespace).\(name)"] else {
                throw EvaluationError.unsupported("\(namespace).\(name)")
            }
            return try builtin(self, plain(arguments))
        case .undefined, .null:
            throw EvaluationError("calls \(quoted(name.singleLine(atMost: 40))) of \(try text(of: receiver))")
        default:
            let method: Method? =
                switch receiver {
                case .string: Self.stringMethods[name]
                case .array: Self.arrayMethods[name]
                case .number: Self.numberMethods[name]
                default: nil
                }
            if let method { return try method(self, receiver, plain(arguments)) }
            if name == "toString" { return try string(text(of: receiver)) }
            throw EvaluationError.unsupported(name)
        }
    }

    /// Returns arguments with properties replaced by their values. Their sizes count as steps.
    func plain(_ arguments: [ExpressionValue]) throws -> [ExpressionValue] {
        try arguments.map { argument in
            let value = try plain(argument)
            try charge(value.size)
            return value
        }
    }

    private func construct(_ type: ExpressionTerm, _ arguments: [ExpressionValue], in scope: ExpressionScope) throws
        -> ExpressionValue
    {
        guard case .name(let name) = type, !scope.has(name) else { throw EvaluationError.unsupported("new") }
        switch name {
        case "Array", "Object", "Error": return try callGlobal(name, arguments) ?? .undefined
        default: throw EvaluationError.unsupported("new \(name)")
        }
    }
}

extension Int {
    /// The number without its fraction, within a range that no array exceeds; 0 for NaN.
    init(truncating number: Double) {
        self = number.isNaN ? 0 : Int(Swift.min(Swift.max(number, -1e9), 1e9))
    }
}
