import Core

/// The limits of a program, and the values that count towards them.
extension ExpressionInterpreter {
    /// The maximum number of steps of a program: evaluated terms, loop iterations, and elements
    /// of arrays and strings.
    static let maxSteps = 100_000
    /// The maximum length of a string in bytes.
    static let maxTextLength = 10_000
    /// The number of bytes of a string that count as one step.
    static let bytesPerStep = 8

    /// Counts steps, at least 0. Throws `EvaluationError` above the maximum.
    func charge(_ count: Int = 1) throws {
        let count = max(0, count)
        steps += count
        guard steps <= Self.maxSteps else {
            throw EvaluationError("takes more than the maximum of \(Self.maxSteps) steps", kind: .limit)
        }
        try context.charge(count)
    }

    /// Counts the steps and the levels of nesting of an evaluation that is skipped. Returns false
    /// without counting if it would exceed a limit.
    func countIfAllowed(steps count: Int, height: Int) -> Bool {
        guard steps + count <= Self.maxSteps, context.countIfAllowed(steps: count, height: height) else { return false }
        steps += count
        return true
    }

    /// Returns a new array, whose elements count as steps. Properties among them are replaced by
    /// their values, as for operators.
    func array(_ items: [ExpressionValue]) throws -> ExpressionValue {
        try charge(1 + items.count)
        let array = ExpressionArray(try items.map { try plain($0) })
        containers.append(array)
        return .array(array)
    }

    func array(_ numbers: [Double]) throws -> ExpressionValue { try array(numbers.map { .number($0) }) }

    func object(_ members: KeyValuePairs<String, ExpressionValue>) throws -> ExpressionValue {
        try charge(1 + members.count)
        let object = ExpressionObject(members)
        containers.append(object)
        return .object(object)
    }

    /// Returns a string. Every `bytesPerStep` bytes count as a step.
    func string(_ text: String) throws -> ExpressionValue {
        try charge(1 + text.utf8.count / Self.bytesPerStep)
        try checkLength(text)
        return .string(text.joiningSurrogates)
    }

    /// Throws `EvaluationError` if a string is too long.
    func checkLength(_ text: String) throws {
        guard text.utf8.count <= Self.maxTextLength else { throw Self.textLengthError }
    }

    static let textLengthError = EvaluationError(
        "has a string of more than the maximum of \(maxTextLength) bytes", kind: .limit)

    func scope(in parent: ExpressionScope, isFunction: Bool = false) -> ExpressionScope {
        let scope = ExpressionScope(parent: parent, isFunction: isFunction)
        containers.append(scope)
        return scope
    }
}
