import Animations
import Core

/// The value of a fact.
enum FactValue: Sendable {
    /// An exact number.
    case exact(Rational)
    /// A computed number, such as a position, with an error below `tolerance`.
    case number(Double)
    /// A name or word.
    case text(LocalizedText)

    /// Maximum difference of computed numbers that a check takes as equal, relative to values
    /// above 1.
    static let tolerance = 1e-6

    /// The number; nil for texts.
    var number: Double? {
        switch self {
        case .exact(let value): value.double
        case .number(let value): value
        case .text: nil
        }
    }

    /// Maximum number of decimals of values without an exact decimal.
    static let maxDigits = 3

    /// Returns the value as text. Exact decimals keep all their digits unless `places` is below
    /// `maxDigits`; other numbers are rounded to `places` decimals.
    func text(in language: Language, places: Int = maxDigits) -> String {
        switch self {
        case .exact(let value):
            let text = "\(value)"
            let isRounded = text.contains("/") || places < Self.maxDigits
            let plain = isRounded ? NumberText.decimal(value.double, places: places) : text
            return plain.hasPrefix("-") ? "−" + plain.dropFirst() : plain
        case .number(let value): return NumberText.decimal(value, places: places, minus: "−")
        case .text(let text): return text.text(in: language)
        }
    }

    /// False for a number that is infinite or NaN, as after a division by zero.
    var isFinite: Bool { number?.isFinite ?? true }
}

/// An arithmetic operator or a comparison.
enum FactOperator: String, CaseIterable, Sendable {
    case equal = "==", unequal = "!=", atMost = "<=", atLeast = ">=", less = "<", greater = ">"
    case plus = "+", minus = "-", times = "*", divided = "/"

    /// The operators by precedence, lowest first.
    static let levels: [[FactOperator]] = [
        [.equal, .unequal, .atMost, .atLeast, .less, .greater], [.plus, .minus], [.times, .divided],
    ]

    /// Returns the result for two numbers; nil for comparisons and texts.
    func result(_ a: FactValue, _ b: FactValue) -> FactValue? {
        // Exact arithmetic is limited to small operands: a chain of products overflows any integer.
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

    /// Returns true if a comparison holds; nil if the values cannot be compared with this operator.
    func holds(_ a: FactValue, _ b: FactValue) -> Bool? {
        if case .text(let x) = a, case .text(let y) = b {
            // A script writes the value in one language.
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
    /// True if sums and products of two such numbers do not overflow.
    fileprivate var isModest: Bool { numerator.magnitude < 1 << 40 && denominator < 1 << 40 }
}
