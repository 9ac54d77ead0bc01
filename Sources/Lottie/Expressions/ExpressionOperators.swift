import Core

/// The operators of expressions. Those of arrays work on vectors, component by component, as in
/// After Effects; exporters write them as `$bm_sum`, `$bm_sub`, `$bm_mul`, `$bm_div` and `$bm_mod`.
extension ExpressionInterpreter {
    /// Returns the result of an operator.
    func apply(_ kind: ExpressionBinary, _ left: ExpressionValue, _ right: ExpressionValue) throws -> ExpressionValue {
        let a = try plain(left)
        let b = try plain(right)
        if case .number(let x) = a, case .number(let y) = b { return Self.apply(kind, x, y) }
        try charge(a.size + b.size)
        switch kind {
        case .add: return try sum(a, b)
        case .subtract, .multiply, .divide, .modulo:
            if let vector = try vector(kind, a, b) { return vector }
            return Self.apply(kind, a.number, b.number)
        case .equal: return .bool(try isEqual(a, b))
        case .notEqual: return .bool(try !isEqual(a, b))
        case .identical: return .bool(isIdentical(a, b))
        case .notIdentical: return .bool(!isIdentical(a, b))
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            if case .string(let x) = a, case .string(let y) = b { return .bool(Self.isOrdered(kind, x, y)) }
            return Self.apply(kind, a.number, b.number)
        case .instanceof: return .bool(isInstance(a, of: b))
        case .in:
            if case .array(let array) = b {
                return .bool(Self.position(a).map { array.items.indices.contains($0) } ?? false)
            }
            guard case .object(let object) = b else { return .bool(false) }
            return .bool(object.members[try text(of: a)] != nil)
        default: return Self.apply(kind, a.number, b.number)
        }
    }

    private static func apply(_ kind: ExpressionBinary, _ x: Double, _ y: Double) -> ExpressionValue {
        switch kind {
        case .add: .number(x + y)
        case .subtract: .number(x - y)
        case .multiply: .number(x * y)
        case .divide: .number(x / y)
        case .modulo: .number(x.truncatingRemainder(dividingBy: y))
        case .power: .number(power(x, y))
        case .equal, .identical: .bool(x == y)
        case .notEqual, .notIdentical: .bool(x != y)
        case .less: .bool(x < y)
        case .lessOrEqual: .bool(x <= y)
        case .greater: .bool(x > y)
        case .greaterOrEqual: .bool(x >= y)
        case .bitAnd: .number(Double(int32(x) & int32(y)))
        case .bitOr: .number(Double(int32(x) | int32(y)))
        case .bitXor: .number(Double(int32(x) ^ int32(y)))
        case .shiftLeft: .number(Double(int32(x) << (int32(y) & 31)))
        case .shiftRight: .number(Double(int32(x) >> (int32(y) & 31)))
        case .unsignedShiftRight: .number(Double(UInt32(bitPattern: int32(x)) >> UInt32(int32(y) & 31)))
        case .instanceof, .in: .bool(false)
        }
    }

    /// Returns a power. Unlike C, JavaScript has no number for 1 to the power of infinity.
    static func power(_ base: Double, _ exponent: Double) -> Double {
        abs(base) == 1 && !exponent.isFinite ? .nan : exponent.isNaN ? .nan : pow(base, exponent)
    }

    /// Returns the number modulo 2^32 (ECMAScript, ToInt32).
    static func int32(_ number: Double) -> Int32 {
        guard number.isFinite else { return 0 }
        let whole = number.rounded(.towardZero).truncatingRemainder(dividingBy: 4_294_967_296)
        return Int32(truncatingIfNeeded: Int64(whole))
    }

    private static func isOrdered(_ kind: ExpressionBinary, _ x: String, _ y: String) -> Bool {
        let a = x.codeUnits
        let b = y.codeUnits
        switch kind {
        case .less: return a.lexicographicallyPrecedes(b)
        case .lessOrEqual: return !b.lexicographicallyPrecedes(a)
        case .greater: return b.lexicographicallyPrecedes(a)
        default: return !a.lexicographicallyPrecedes(b)
        }
    }

    // MARK: Vectors

    private func sum(_ a: ExpressionValue, _ b: ExpressionValue) throws -> ExpressionValue {
        switch (a, b) {
        case (.string, _), (_, .string), (.array, .object), (.object, _), (_, .object), (.function, _), (_, .function):
            return try string(text(of: a) + text(of: b))
        default: break
        }
        return try vector(.add, a, b) ?? .number(a.number + b.number)
    }

    /// Returns the result of an operator if one of its operands is an array; nil otherwise.
    private func vector(_ kind: ExpressionBinary, _ a: ExpressionValue, _ b: ExpressionValue) throws -> ExpressionValue?
    {
        switch (a, b) {
        case (.array, _), (_, .array): break
        default: return nil
        }
        guard let x = a.components, let y = b.components else { return nil }
        let count = max(x.count, y.count)
        let isSum = kind == .add || kind == .subtract
        var result: [Double] = []
        result.reserveCapacity(count)
        for index in 0..<count {
            // A sum keeps the components that the shorter array does not have, and a number
            // multiplies all components.
            let left = index < x.count ? x[index] : isSum ? 0 : x.first ?? 0
            let right = index < y.count ? y[index] : isSum ? 0 : y.first ?? 0
            result.append(Self.apply(kind, left, right).number)
        }
        return try array(result)
    }

    /// Returns the negative value, of each component for an array.
    func negative(_ value: ExpressionValue) throws -> ExpressionValue {
        let value = try plain(value)
        guard case .array = value, let components = value.components else { return .number(-value.number) }
        return try array(components.map { -$0 })
    }

    // MARK: Comparison

    private func isIdentical(_ a: ExpressionValue, _ b: ExpressionValue) -> Bool {
        switch (a, b) {
        case (.undefined, .undefined), (.null, .null): true
        case (.bool(let x), .bool(let y)): x == y
        case (.number(let x), .number(let y)): x == y
        case (.string(let x), .string(let y)): Array(x.utf16) == Array(y.utf16)
        case (.array(let x), .array(let y)): x === y
        case (.object(let x), .object(let y)): x === y
        case (.function(let x, _), .function(let y, _)): x === y
        case (.builtin(let x), .builtin(let y)): x == y
        case (.reference(let x), .reference(let y)): x.path == y.path
        default: false
        }
    }

    private func isEqual(_ a: ExpressionValue, _ b: ExpressionValue) throws -> Bool {
        switch (a, b) {
        case (.undefined, .null), (.null, .undefined): return true
        case (.undefined, _), (.null, _), (_, .undefined), (_, .null): return isIdentical(a, b)
        case (.array, .number), (.number, .array): return a.number == b.number
        case (.array, .string), (.string, .array):
            return isIdentical(.string(try text(of: a)), .string(try text(of: b)))
        case (.bool, .number), (.number, .bool), (.string, .number), (.number, .string), (.bool, .string),
            (.string, .bool):
            return a.number == b.number
        default: return isIdentical(a, b)
        }
    }

    private func isInstance(_ value: ExpressionValue, of type: ExpressionValue) -> Bool {
        guard case .builtin(let name) = type else { return false }
        switch value {
        case .array: return name == "Array" || name == "Object"
        case .object: return name == "Object"
        case .function, .builtin: return name == "Function"
        default: return false
        }
    }
}
