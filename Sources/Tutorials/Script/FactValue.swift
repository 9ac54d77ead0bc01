import Loaders
import Motion
import Timing

/// What a fact comes to.
enum FactValue: Sendable {
    /// A number that is known exactly.
    case exact(Rational)
    /// A number that was computed, such as a position: good to a millionth.
    case number(Double)
    /// A name or word.
    case text(LocalizedText)

    /// How far computed numbers may be from what a script claims.
    static let tolerance = 1e-6

    /// The number, if it is one.
    var number: Double? {
        switch self {
        case .exact(let value): value.double
        case .number(let value): value
        case .text: nil
        }
    }

    /// The most decimals of what has no end.
    static let mostPlaces = 3

    /// As it is written: as many digits as are exact, but of what has no end, or of all if fewer are asked for, at most so
    /// many decimals.
    func text(in language: Language, places: Int = mostPlaces) -> String {
        switch self {
        case .exact(let value):
            let text = "\(value)"
            let isRounded = text.contains("/") || places < Self.mostPlaces
            let plain = isRounded ? NumberText.decimal(value.double, places: places) : text
            return plain.hasPrefix("-") ? "−" + plain.dropFirst() : plain
        case .number(let value): return NumberText.decimal(value, places: places, minus: "−")
        case .text(let text): return text.text(in: language)
        }
    }

    /// Whether a number is no number at all, as after a division by zero.
    var isFinite: Bool { number?.isFinite ?? true }
}

/// Why a fact cannot be told.
struct FactProblem: Error {
    let what: String
    let expected: String
    let found: String
}

/// An operation between two numbers, or a comparison of values.
enum FactOperator: String, CaseIterable, Sendable {
    case equal = "==", unequal = "!=", atMost = "<=", atLeast = ">=", less = "<", greater = ">"
    case plus = "+", minus = "-", times = "*", divided = "/"

    /// Those that bind in the same way, the loosest first.
    static let levels: [[FactOperator]] = [
        [.equal, .unequal, .atMost, .atLeast, .less, .greater], [.plus, .minus], [.times, .divided],
    ]

    /// What it makes of two numbers; nil for comparisons.
    func result(_ a: FactValue, _ b: FactValue) -> FactValue? {
        // Exact while that is safe: a chain of products outgrows any integer.
        if case .exact(let x) = a, case .exact(let y) = b, x.isModest, y.isModest {
            switch self {
            case .plus: return .exact(x + y)
            case .minus: return .exact(x - y)
            case .times: return .exact(x * y)
            case .divided where y != .zero: return .exact(x / y)
            default: break
            }
        }
        guard let x = a.number, let y = b.number else { return nil }
        switch self {
        case .plus: return .number(x + y)
        case .minus: return .number(x - y)
        case .times: return .number(x * y)
        case .divided: return .number(x / y)
        default: return nil
        }
    }

    /// Whether a comparison holds; nil where values cannot be compared so.
    func holds(_ a: FactValue, _ b: FactValue) -> Bool? {
        if case .text(let x) = a, case .text(let y) = b {
            // A claim is written in one language.
            let isSame = x.english == y.english || x.text(in: .zh) == y.english
            return self == .equal ? isSame : self == .unequal ? !isSame : nil
        }
        guard let x = a.number, let y = b.number else { return nil }
        var isExact = false
        if case .exact = a, case .exact = b { isExact = true }
        let isSame = abs(x - y) <= (isExact ? 0 : FactValue.tolerance * max(1, abs(y)))
        switch self {
        case .equal: return isSame
        case .unequal: return !isSame
        case .atMost: return x < y || isSame
        case .atLeast: return x > y || isSame
        case .less: return x < y && !isSame
        case .greater: return x > y && !isSame
        default: return nil
        }
    }
}

extension Rational {
    /// Whether products with others of its kind have room.
    fileprivate var isModest: Bool { numerator.magnitude < 1 << 40 && denominator < 1 << 40 }
}
