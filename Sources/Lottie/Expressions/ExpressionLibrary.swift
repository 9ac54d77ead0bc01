import Core

/// JavaScript's global functions and constants, and the methods of numbers.
extension ExpressionInterpreter {
    typealias Builtin = @Sendable (ExpressionInterpreter, [ExpressionValue]) throws -> ExpressionValue
    typealias Method = @Sendable (ExpressionInterpreter, ExpressionValue, [ExpressionValue]) throws -> ExpressionValue

    static let constants: [String: Double] = [
        "Math.PI": .pi, "Math.E": exp(1), "Math.SQRT2": 2.0.squareRoot(), "Math.SQRT1_2": 0.5.squareRoot(),
        "Math.LN2": log(2), "Math.LN10": log(10), "Math.LOG2E": 1 / log(2), "Math.LOG10E": 1 / log(10),
        "Number.MAX_VALUE": .greatestFiniteMagnitude, "Number.MIN_VALUE": .leastNonzeroMagnitude,
        "Number.POSITIVE_INFINITY": .infinity, "Number.NEGATIVE_INFINITY": -.infinity, "Number.NaN": .nan,
        "Number.EPSILON": .ulpOfOne, "Number.MAX_SAFE_INTEGER": 9_007_199_254_740_991,
    ]

    /// The functions of JavaScript and After Effects by name, such as `parseInt`, `Math.sin` and
    /// `linear`.
    static let builtins: [String: Builtin] = globalFunctions.merging(mathFunctions) { $1 }.merging(vectorFunctions) {
        $1
    }
    .merging(interpolationFunctions) { $1 }.merging(randomFunctions) { $1 }

    static func number(_ arguments: [ExpressionValue], _ index: Int, or defaultValue: Double = .nan) -> Double {
        guard index < arguments.count, !arguments[index].isUndefined else { return defaultValue }
        return arguments[index].number
    }

    private static func math(_ function: @escaping @Sendable (Double) -> Double) -> Builtin {
        { _, arguments in .number(function(number(arguments, 0))) }
    }

    private static let mathFunctions: [String: Builtin] = [
        "Math.sin": math { sin($0) }, "Math.cos": math { cos($0) }, "Math.tan": math { tan($0) },
        "Math.asin": math { asin($0) }, "Math.acos": math { acos($0) }, "Math.atan": math { atan($0) },
        "Math.sinh": math { sinh($0) }, "Math.cosh": math { cosh($0) }, "Math.tanh": math { tanh($0) },
        "Math.exp": math { exp($0) }, "Math.log": math { log($0) }, "Math.log10": math { log10($0) },
        "Math.log2": math { log2($0) }, "Math.sqrt": math { $0.squareRoot() }, "Math.cbrt": math { cbrt($0) },
        "Math.abs": math { abs($0) }, "Math.floor": math { $0.rounded(.down) },
        "Math.ceil": math { $0.rounded(.up) }, "Math.trunc": math { $0.rounded(.towardZero) },
        // JavaScript rounds halves up, to -2 for -2.5.
        "Math.round": math { $0 - $0.rounded(.down) < 0.5 ? $0.rounded(.down) : $0.rounded(.up) },
        "Math.sign": math { $0.isNaN ? .nan : $0 > 0 ? 1 : $0 < 0 ? -1 : 0 },
        "Math.atan2": { _, arguments in .number(atan2(number(arguments, 0), number(arguments, 1))) },
        "Math.pow": { _, arguments in .number(power(number(arguments, 0), number(arguments, 1))) },
        "Math.hypot": { _, arguments in .number(arguments.reduce(0) { hypot($0, $1.number) }) },
        "Math.min": { _, arguments in .number(extreme(arguments, .infinity) { $0 < $1 }) },
        "Math.max": { _, arguments in .number(extreme(arguments, -.infinity) { $0 > $1 }) },
        "Math.random": { interpreter, _ in .number(interpreter.random.next()) },
    ]

    private static func extreme(
        _ values: [ExpressionValue], _ initial: Double, _ isBetter: (Double, Double) -> Bool
    ) -> Double {
        values.reduce(initial) { best, value in
            best.isNaN || value.number.isNaN ? .nan : isBetter(value.number, best) ? value.number : best
        }
    }

    private static let globalFunctions: [String: Builtin] = [
        "parseFloat": parseFloat, "parseInt": parseInt, "Number.parseFloat": parseFloat, "Number.parseInt": parseInt,
        "isNaN": { _, arguments in .bool(number(arguments, 0).isNaN) },
        "isFinite": { _, arguments in .bool(number(arguments, 0).isFinite) },
        "Number.isNaN": { _, arguments in
            if case .number(let number)? = arguments.first { .bool(number.isNaN) } else { .bool(false) }
        },
        "Number.isFinite": { _, arguments in
            if case .number(let number)? = arguments.first { .bool(number.isFinite) } else { .bool(false) }
        },
        "Number.isInteger": { _, arguments in
            if case .number(let number)? = arguments.first {
                .bool(number.isFinite && number == number.rounded(.towardZero))
            } else {
                .bool(false)
            }
        },
        "Number": { _, arguments in .number(arguments.first?.number ?? 0) },
        "String": { interpreter, arguments in
            try interpreter.string(arguments.isEmpty ? "" : interpreter.text(arguments, 0))
        },
        "Boolean": { _, arguments in .bool(arguments.first?.isTrue ?? false) },
        "Object": { interpreter, _ in try interpreter.object([:]) },
        "Error": { interpreter, arguments in
            try interpreter.object(["message": .string(arguments.isEmpty ? "" : interpreter.text(arguments, 0))])
        },
        "Array": { interpreter, arguments in
            guard arguments.count == 1, case .number(let count) = arguments[0] else {
                return try interpreter.array(arguments)
            }
            guard count >= 0, count == count.rounded() else {
                throw EvaluationError("has an invalid length of an array")
            }
            let length = Int(truncating: count)
            try interpreter.charge(length)
            return try interpreter.array(Array(repeating: ExpressionValue.undefined, count: length))
        },
        "Array.isArray": { _, arguments in if case .array? = arguments.first { .bool(true) } else { .bool(false) } },
        "$bm_isInstanceOfArray": { _, arguments in
            if case .array? = arguments.first { .bool(true) } else { .bool(false) }
        },
        "Object.keys": { interpreter, arguments in
            guard case .object(let object)? = arguments.first else { return try interpreter.array([ExpressionValue]()) }
            return try interpreter.array(object.keys.map { .string($0) })
        },
        "String.fromCharCode": { interpreter, arguments in
            let units = arguments.map { UInt16(truncatingIfNeeded: int32($0.number)) }
            return try interpreter.string(String(codeUnits: units))
        },
        "Math": { _, _ in throw EvaluationError("calls Math, which is not a function") },
    ]

    private static let parseFloat: Builtin = { interpreter, arguments in
        .number(floatPrefix(try interpreter.text(arguments, 0)))
    }

    private static let parseInt: Builtin = { interpreter, arguments in
        .number(integerPrefix(try interpreter.text(arguments, 0), number(arguments, 1, or: 0)))
    }

    /// Returns the number at the beginning of a string (ECMAScript, parseFloat).
    private static func floatPrefix(_ text: String) -> Double {
        let text = text.trimmed
        for infinity in ["Infinity", "+Infinity"] where text.hasPrefix(infinity) { return .infinity }
        if text.hasPrefix("-Infinity") { return -.infinity }
        let bytes = Array(text.utf8)
        var end = 0
        func skip(_ set: String) { if end < bytes.count, set.utf8.contains(bytes[end]) { end += 1 } }
        func skipDigits() { while end < bytes.count, bytes[end].isASCIIDigit { end += 1 } }
        skip("+-")
        skipDigits()
        skip(".")
        skipDigits()
        let mantissa = end
        skip("eE")
        skip("+-")
        let digits = end
        skipDigits()
        // An exponent needs digits and an `e`.
        let hasExponent = end > digits && bytes[mantissa] | 0x20 == UInt8(ascii: "e")
        let prefix = String(decoding: bytes.prefix(hasExponent ? end : mantissa), as: UTF8.self)
        return prefix.isEmpty ? .nan : prefix.expressionNumber
    }

    /// Returns the whole number at the beginning of a string (ECMAScript, parseInt).
    private static func integerPrefix(_ text: String, _ radix: Double) -> Double {
        var rest = text.trimmed[...]
        let isNegative = rest.hasPrefix("-")
        if isNegative || rest.hasPrefix("+") { rest.removeFirst() }
        var radix = Int(truncating: radix)
        let isHex = rest.lowercased().hasPrefix("0x")
        if isHex, radix == 0 || radix == 16 {
            rest = rest.dropFirst(2)
            radix = 16
        }
        if radix == 0 { radix = 10 }
        guard (2...36).contains(radix) else { return .nan }
        var number = 0.0
        var isEmpty = true
        for character in rest {
            guard let digit = Int(String(character), radix: radix) else { break }
            number = number * Double(radix) + Double(digit)
            isEmpty = false
        }
        return isEmpty ? .nan : isNegative ? -number : number
    }

    // MARK: Numbers

    static let numberMethods: [String: Method] = [
        "toFixed": { interpreter, value, arguments in
            let decimals = Int(truncating: number(arguments, 0, or: 0))
            try interpreter.charge(2 + min(max(decimals, 0), maxDecimals))
            return try interpreter.string(fixed(value.number, decimals))
        },
        "toString": { interpreter, value, arguments in
            let radix = Int(truncating: number(arguments, 0, or: 10))
            guard radix != 10 else { return try interpreter.string(value.number.expressionText) }
            guard (2...36).contains(radix), let whole = Int(exactly: value.number) else {
                throw EvaluationError.unsupported("toString(\(radix))")
            }
            return try interpreter.string(String(whole, radix: radix))
        },
        "valueOf": { _, value, _ in value },
    ]

    /// The maximum number of decimals of `toFixed`.
    private static let maxDecimals = 100

    /// Returns a number with a fixed count of decimals, at most 100. Of two equally near results,
    /// the larger magnitude is taken (ECMAScript, Number.prototype.toFixed).
    static func fixed(_ number: Double, _ decimals: Int) -> String {
        let decimals = min(max(decimals, 0), maxDecimals)
        guard number.magnitude < 1e21, !number.isNaN else { return number.expressionText }
        let digits = DecimalInteger(rounding: number.magnitude, timesTenToThe: decimals).text
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        let sign = number < 0 ? "-" : ""
        guard decimals > 0 else { return sign + padded }
        return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }
}
