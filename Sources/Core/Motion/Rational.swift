/// An exact fraction in lowest terms, with a positive denominator. Times are rational numbers of
/// seconds.
///
/// Arithmetic uses 128-bit integers. The parsers admit at most six decimals (see `init(text:)`), so
/// sums and products of a few such times do not overflow. Comparisons never do.
public struct Rational: Sendable, Hashable, Comparable {
    /// The numerator, which carries the sign.
    public let numerator: Int128
    /// The denominator; at least 1.
    public let denominator: Int128

    /// `numerator / denominator`, reduced. The denominator must not be 0.
    public init(_ numerator: Int128, _ denominator: Int128 = 1) {
        precondition(denominator != 0, "a fraction needs a denominator other than 0")
        let divisor = Rational.greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
        let sign: Int128 = denominator < 0 ? -1 : 1
        let isReduced = divisor == 1
        self.numerator = isReduced ? sign * numerator : sign * numerator / Int128(divisor)
        self.denominator = isReduced ? sign * denominator : sign * denominator / Int128(divisor)
    }

    /// An integer.
    public init(_ integer: Int) { self.init(Int128(integer)) }

    /// 0.
    public static let zero = Rational(0)

    private static func greatestCommonDivisor(_ a: UInt128, _ b: UInt128) -> UInt128 {
        var a = a
        var b = b
        while b > UInt128(UInt64.max) { (a, b) = (b, a % b) }
        guard b != 0 else { return max(a, 1) }
        // Most fractions fit into 64 bits, for which division is many times as fast.
        var c = UInt64(truncatingIfNeeded: b)
        var d = UInt64(truncatingIfNeeded: a % b)
        while d != 0 { (c, d) = (d, c % d) }
        return UInt128(c)
    }

    /// The maximum denominator in a text, which allows six decimals.
    private static let maxDenominator = 1_000_000
    /// The maximum numbers of digits before and after the decimal point.
    private static let maxDigits = 9
    private static let maxDecimals = 6

    /// Parses `2`, `0.25` or `30000/1001`: unsigned, at most nine digits before and six after a
    /// decimal point, and a denominator of at most a million. Returns nil for anything else.
    public init?(text: some StringProtocol) {
        let halves = text.split(separator: "/", omittingEmptySubsequences: false)
        if halves.count == 2 {
            guard let top = Rational.digits(halves[0], atMost: Rational.maxDigits),
                let bottom = Rational.digits(halves[1], atMost: Rational.maxDigits),
                (1...Int128(Rational.maxDenominator)).contains(bottom)
            else { return nil }
            self.init(top, bottom)
            return
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first,
            let integer = Rational.digits(whole.isEmpty ? "0" : whole, atMost: Rational.maxDigits)
        else {
            return nil
        }
        switch parts.count {
        case 1 where !whole.isEmpty: self.init(integer)
        case 2:
            guard let decimals = Rational.digits(parts[1], atMost: Rational.maxDecimals) else { return nil }
            let scale = parts[1].reduce(Int128(1)) { power, _ in power * 10 }
            self.init(integer * scale + decimals, scale)
        default: return nil
        }
    }

    private static func digits(_ text: some StringProtocol, atMost limit: Int) -> Int128? {
        guard !text.isEmpty, text.utf8.count <= limit, text.hasOnlyASCIIDigits else { return nil }
        return Int128(text)
    }

    /// The nearest `Double`.
    public var double: Double { Rational.double(numerator) / Rational.double(denominator) }

    /// Returns the nearest `Double` of an integer. Processors have an instruction for integers of
    /// 64 bits only.
    private static func double(_ integer: Int128) -> Double {
        let short = Int64(truncatingIfNeeded: integer)
        return Int128(short) == integer ? Double(short) : Double(integer)
    }

    /// The largest integer that is not greater than the number.
    public var floor: Int {
        let quotient = numerator / denominator
        return Int(numerator % denominator < 0 ? quotient - 1 : quotient)
    }

    /// The smallest integer that is not less than the number.
    public var ceiling: Int { -(Rational.zero - self).floor }

    /// The nearest integer; halves round up.
    public var rounded: Int { (self + Rational(1, 2)).floor }

    /// Returns the remainder in 0..<`period`, which must be positive.
    public func modulo(_ period: Rational) -> Rational {
        precondition(period > .zero, "a period must be positive")
        return self - period * Rational((self / period).floor)
    }

    /// Returns the exact sum.
    public static func + (a: Rational, b: Rational) -> Rational {
        // Dividing by the common divisor first keeps the products small: in the layout of a ramp,
        // denominators are products of those of several options and share most factors.
        let divisor = a.denominator == b.denominator ? a.denominator : commonDivisor(a.denominator, b.denominator)
        let p = a.denominator / divisor
        let q = b.denominator / divisor
        return Rational(a.numerator * q + b.numerator * p, p * b.denominator)
    }
    /// Returns the exact difference.
    public static func - (a: Rational, b: Rational) -> Rational { a + Rational(-b.numerator, b.denominator) }
    /// Returns the exact product.
    public static func * (a: Rational, b: Rational) -> Rational {
        // Cross-reduction first keeps the products as small as possible.
        let p = Rational(a.numerator, b.denominator)
        let q = Rational(b.numerator, a.denominator)
        return Rational(p.numerator * q.numerator, p.denominator * q.denominator)
    }
    /// Returns the exact quotient; the divisor must not be 0.
    public static func / (a: Rational, b: Rational) -> Rational { a * Rational(b.denominator, b.numerator) }
    /// Returns true if the first number is less, compared exactly.
    public static func < (a: Rational, b: Rational) -> Bool {
        if a.denominator == b.denominator { return a.numerator < b.numerator }
        let left = a.numerator.multipliedReportingOverflow(by: b.denominator)
        let right = b.numerator.multipliedReportingOverflow(by: a.denominator)
        if !left.overflow, !right.overflow { return left.partialValue < right.partialValue }
        return a.numerator.multipliedFullWidth(by: b.denominator) < b.numerator.multipliedFullWidth(by: a.denominator)
    }

    private static func commonDivisor(_ a: Int128, _ b: Int128) -> Int128 {
        Int128(greatestCommonDivisor(a.magnitude, b.magnitude))
    }
}

extension Rational: CustomStringConvertible {
    /// A decimal such as `2.88` if six decimals represent the number exactly, otherwise a fraction
    /// such as `1001/30000`.
    public var description: String {
        let million = Int128(1_000_000)
        guard million % denominator == 0 else { return "\(numerator)/\(denominator)" }
        let scaled = (numerator * (million / denominator)).magnitude
        let digits = String(scaled % 1_000_000)
        var decimals = String(repeating: "0", count: 6 - digits.count) + digits
        while decimals.last == "0" { decimals.removeLast() }
        return (numerator < 0 ? "-" : "") + "\(scaled / 1_000_000)" + (decimals.isEmpty ? "" : "." + decimals)
    }
}

extension Rational: ExpressibleByIntegerLiteral {
    /// An integer.
    public init(integerLiteral value: Int) { self.init(value) }
}

extension Rational {
    /// Returns the least common multiple of two positive times, or nil if it is above `limit`.
    public func commonMultiple(_ other: Rational, atMost limit: Rational) -> Rational? {
        let ratio = self / other
        // With self/other = n/d in lowest terms, d * self = n * other is the least common multiple.
        let multiple = self * Rational(ratio.denominator)
        return multiple <= limit ? multiple : nil
    }
}

extension Rational {
    /// Returns the reason why `init(text:)` rejects a number, with the limit; nil if it accepts the
    /// text or the text is not a number.
    public static func problem(in text: String) -> String? {
        guard Rational(text: text) == nil else { return nil }
        if text.hasPrefix("-"), Rational(text: text.dropFirst()) != nil { return "\(text) is negative" }
        let halves = text.split(separator: "/", omittingEmptySubsequences: false)
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        // The digits before a decimal point can be left out.
        let decimal = parts[0].isEmpty ? parts.dropFirst() : parts[...]
        guard halves.count <= 2, parts.count <= 2, halves.count + parts.count == 3,
            (halves.count == 2 ? halves[...] : decimal).allSatisfy({ isNumber($0) })
        else {
            guard halves.count == 1, parts.count == 1, isNumber(text[...]) else { return nil }
            return "\(text.utf8.count) digits are above the maximum of \(maxDigits)"
        }
        if halves.count == 2 {
            if halves[0].utf8.count > maxDigits {
                return "the numerator's \(halves[0].utf8.count) digits are above the maximum of \(maxDigits)"
            }
            if halves[1].allSatisfy({ $0 == "0" }) { return "the denominator is 0" }
            let found = halves[1].utf8.count > 20 ? "of \(halves[1].utf8.count) digits" : "\(halves[1])"
            return "the denominator \(found) is above the maximum of \(maxDenominator)"
        }
        if parts[0].utf8.count > maxDigits {
            return "\(parts[0].utf8.count) digits before the point are above the maximum of \(maxDigits)"
        }
        return "\(parts[1].utf8.count) decimals are above the maximum of \(maxDecimals)"
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.hasOnlyASCIIDigits
    }
}
