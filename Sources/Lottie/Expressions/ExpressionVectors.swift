import Core

/// After Effects' functions of numbers, vectors and colours, and its interpolation.
extension ExpressionInterpreter {
    private static func vector(_ arguments: [ExpressionValue], _ index: Int) -> [Double] {
        index < arguments.count ? arguments[index].components ?? [] : []
    }

    /// Returns a function of two operands, as exporters write operators.
    private static func binary(_ kind: ExpressionBinary) -> Builtin {
        { interpreter, arguments in
            guard arguments.count >= 2 else { throw EvaluationError("lacks an operand") }
            return try interpreter.apply(kind, arguments[0], arguments[1])
        }
    }

    static let vectorFunctions: [String: Builtin] = [
        "$bm_sum": binary(.add), "$bm_add": binary(.add), "add": binary(.add), "sum": binary(.add),
        "$bm_sub": binary(.subtract), "sub": binary(.subtract), "$bm_mul": binary(.multiply), "mul": binary(.multiply),
        "$bm_div": binary(.divide), "div": binary(.divide), "$bm_mod": binary(.modulo), "mod": binary(.modulo),
        "$bm_neg": { interpreter, arguments in try interpreter.negative(arguments.first ?? .undefined) },
        "degreesToRadians": { _, arguments in .number(number(arguments, 0) * .pi / 180) },
        "radiansToDegrees": { _, arguments in .number(number(arguments, 0) * 180 / .pi) },
        "clamp": { interpreter, arguments in
            let low = number(arguments, 1)
            let high = number(arguments, 2)
            func clamp(_ number: Double) -> Double { min(max(number, min(low, high)), max(low, high)) }
            guard case .array? = arguments.first else { return .number(clamp(number(arguments, 0))) }
            return try interpreter.array(vector(arguments, 0).map(clamp))
        },
        "length": { _, arguments in .number(length(arguments)) },
        "normalize": { interpreter, arguments in
            let components = vector(arguments, 0)
            let length = length([arguments.first ?? .undefined])
            return try interpreter.result(components.map { $0 / length }, like: arguments)
        },
        "dot": { _, arguments in
            .number(zip(vector(arguments, 0), vector(arguments, 1)).reduce(0) { $0 + $1.0 * $1.1 })
        },
        "cross": { interpreter, arguments in
            let a = vector(arguments, 0) + [0, 0, 0]
            let b = vector(arguments, 1) + [0, 0, 0]
            return try interpreter.array([
                a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0],
            ])
        },
        "lookAt": { interpreter, arguments in
            let from = vector(arguments, 0) + [0, 0, 0]
            let to = vector(arguments, 1) + [0, 0, 0]
            let x = to[0] - from[0]
            let y = to[1] - from[1]
            let z = to[2] - from[2]
            let degrees = 180 / Double.pi
            return try interpreter.array([-atan2(y, z) * degrees, atan2(x, hypot(y, z)) * degrees, 0])
        },
        "hslToRgb": { interpreter, arguments in
            let hsl = vector(arguments, 0) + [0, 0, 0]
            let rgb = HSL(hue: hsl[0], saturation: hsl[1], lightness: hsl[2]).components
            return try interpreter.array(
                [rgb.red, rgb.green, rgb.blue] + vector(arguments, 0).dropFirst(3).prefix(1))
        },
        "rgbToHsl": { interpreter, arguments in
            let rgb = vector(arguments, 0) + [0, 0, 0]
            let hsl = HSL(red: rgb[0], green: rgb[1], blue: rgb[2])
            let alpha = vector(arguments, 0).dropFirst(3).prefix(1)
            return try interpreter.array([hsl.hue, hsl.saturation, hsl.lightness] + alpha)
        },
        "hexToRgb": { interpreter, arguments in
            let digits = try interpreter.text(arguments, 0).drop { $0 == "#" }
            guard digits.count >= 6, let color = UInt32(digits.prefix(6), radix: 16) else {
                throw EvaluationError("has an invalid hexadecimal colour")
            }
            let channels: [Double] = [16, 8, 0].map { (shift: UInt32) in Double(color >> shift & 255) / 255 }
            return try interpreter.array(channels + [1])
        },
        "timeToFrames": { interpreter, arguments in
            let rate = number(arguments, 1, or: interpreter.context.rate)
            let frames = number(arguments, 0, or: interpreter.time) * rate
            // Times are rounded down, and durations away from zero. A margin keeps whole numbers.
            let isDuration = arguments.count > 2 && arguments[2].isTrue
            return .number(isDuration && frames > 0 ? (frames - 1e-9).rounded(.up) : (frames + 1e-9).rounded(.down))
        },
        "framesToTime": { interpreter, arguments in
            .number(number(arguments, 0) / number(arguments, 1, or: interpreter.context.rate))
        },
        "posterizeTime": { interpreter, arguments in
            let rate = number(arguments, 0)
            guard rate >= 0, rate.isFinite else { return .undefined }
            // A rate of 0 evaluates the rest once, at the beginning. A margin keeps times on a
            // multiple of the period from being rounded below it.
            let time = rate == 0 ? 0 : (interpreter.time * rate + 1e-9).rounded(.down) / rate
            interpreter.frame = time * interpreter.context.rate
            return .undefined
        },
        "createPath": { interpreter, arguments in try interpreter.createPath(arguments) },
    ]

    /// Returns numbers as a number or an array, as the first argument is.
    private func result(_ numbers: [Double], like arguments: [ExpressionValue]) throws -> ExpressionValue {
        if case .array? = arguments.first { return try array(numbers) }
        return .number(numbers.first ?? .nan)
    }

    /// Returns the length of a vector, or the distance between two points.
    private static func length(_ arguments: [ExpressionValue]) -> Double {
        let a = vector(arguments, 0)
        let b = vector(arguments, 1)
        return (0..<max(a.count, b.count)).reduce(0) { sum, index in
            let offset = (index < b.count ? b[index] : 0) - (index < a.count ? a[index] : 0)
            return sum + offset * offset
        }.squareRoot()
    }

    // MARK: Interpolation

    // The curves of lottie-web, which match After Effects: the tangents have a length of a third.
    private static let easeCurve = TimingFunction(0.333, 0, 0.667, 1)
    private static let easeInCurve = TimingFunction(0.333, 0, 0.833, 0.833)
    private static let easeOutCurve = TimingFunction(0.167, 0.167, 0.667, 1)

    static let interpolationFunctions: [String: Builtin] = [
        "linear": interpolation { $0 }, "ease": interpolation { easeCurve($0) },
        "easeIn": interpolation { easeInCurve($0) }, "easeOut": interpolation { easeOutCurve($0) },
    ]

    /// Returns a function with the arguments `t, tMin, tMax, value1, value2`, or
    /// `t, value1, value2` for a time in 0...1.
    private static func interpolation(_ curve: @escaping @Sendable (Double) -> Double) -> Builtin {
        { interpreter, arguments in
            let isShort = arguments.count < 5
            guard arguments.count >= 3 else { throw EvaluationError("interpolates without two values") }
            var low = isShort ? 0 : number(arguments, 1)
            var high = isShort ? 1 : number(arguments, 2)
            var values = [arguments[isShort ? 1 : 3], arguments[isShort ? 2 : 4]]
            if low > high {
                swap(&low, &high)
                values.swapAt(0, 1)
            }
            let time = number(arguments, 0)
            let fraction = time >= high ? 1 : time <= low ? 0 : curve((time - low) / (high - low))
            let from = vector(values, 0)
            let to = vector(values, 1)
            let mixed = (0..<min(from.count, to.count)).map { from[$0] + (to[$0] - from[$0]) * fraction }
            return try interpreter.result(mixed, like: values)
        }
    }
}
