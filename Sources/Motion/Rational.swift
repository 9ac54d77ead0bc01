/// An exact fraction, always in lowest terms with a positive denominator. Times are rationals of seconds.
///
/// Arithmetic is on 128-bit integers: with the inputs the parsers admit (at most six decimals, see `init(text:)`)
/// no sum, product or comparison of times comes near an overflow.
public struct Rational: Sendable, Hashable, Comparable {
    /// Numerator; carries the sign.
    public let numerator: Int128
    /// Denominator; at least 1.
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

    /// A whole number.
    public init(_ integer: Int) { self.init(Int128(integer)) }

    /// 0.
    public static let zero = Rational(0)

    private static func greatestCommonDivisor(_ a: UInt128, _ b: UInt128) -> UInt128 {
        var (a, b) = (a, b)
        while b > UInt128(UInt64.max) { (a, b) = (b, a % b) }
        guard b != 0 else { return max(a, 1) }
        // Most fractions are short, and division of 64 bits is many times as fast.
        var (c, d) = (UInt64(truncatingIfNeeded: b), UInt64(truncatingIfNeeded: a % b))
        while d != 0 { (c, d) = (d, c % d) }
        return UInt128(c)
    }

    /// Reads `2`, `0.25` or `30000/1001`: not signed, at most nine digits before and six after a decimal point or a
    /// slash. Anything else is nil.
    public init?(text: some StringProtocol) {
        let halves = text.split(separator: "/", omittingEmptySubsequences: false)
        if halves.count == 2 {
            guard let top = Rational.digits(halves[0], atMost: 9), let bottom = Rational.digits(halves[1], atMost: 6),
                bottom > 0
            else { return nil }
            self.init(top, bottom)
            return
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let whole = parts.first, let integer = Rational.digits(whole.isEmpty ? "0" : whole, atMost: 9) else {
            return nil
        }
        switch parts.count {
        case 1 where !whole.isEmpty: self.init(integer)
        case 2:
            guard let decimals = Rational.digits(parts[1], atMost: 6) else { return nil }
            let scale = parts[1].reduce(Int128(1)) { power, _ in power * 10 }
            self.init(integer * scale + decimals, scale)
        default: return nil
        }
    }

    private static func digits(_ text: some StringProtocol, atMost limit: Int) -> Int128? {
        guard !text.isEmpty, text.utf8.count <= limit, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int128(text)
    }

    /// The nearest floating-point number.
    public var double: Double { Rational.double(numerator) / Rational.double(denominator) }

    /// The nearest floating-point number of an integer: processors have an instruction for those of 64 bits.
    private static func double(_ integer: Int128) -> Double {
        let short = Int64(truncatingIfNeeded: integer)
        return Int128(short) == integer ? Double(short) : Double(integer)
    }

    /// The largest whole number that is not greater.
    public var floor: Int {
        let quotient = numerator / denominator
        return Int(numerator % denominator < 0 ? quotient - 1 : quotient)
    }

    /// The nearest whole number; halves go up.
    public var rounded: Int { (self + Rational(1, 2)).floor }

    /// The remainder in 0..<`period` after whole periods are taken away; `period` must be positive.
    public func modulo(_ period: Rational) -> Rational {
        precondition(period > .zero, "a period must be positive")
        return self - period * Rational((self / period).floor)
    }

    /// Exact sum.
    public static func + (a: Rational, b: Rational) -> Rational {
        Rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)
    }
    /// Exact difference.
    public static func - (a: Rational, b: Rational) -> Rational {
        Rational(a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator)
    }
    /// Exact product.
    public static func * (a: Rational, b: Rational) -> Rational {
        // Reduced crosswise first, so that no product is larger than the result needs.
        let (p, q) = (Rational(a.numerator, b.denominator), Rational(b.numerator, a.denominator))
        return Rational(p.numerator * q.numerator, p.denominator * q.denominator)
    }
    /// Exact quotient; the divisor must not be 0.
    public static func / (a: Rational, b: Rational) -> Rational { a * Rational(b.denominator, b.numerator) }
    /// Exact comparison.
    public static func < (a: Rational, b: Rational) -> Bool {
        a.numerator * b.denominator < b.numerator * a.denominator
    }
}

extension Rational: CustomStringConvertible {
    /// A finite decimal such as `2.88` where there is one of at most six places, else a fraction such as `1001/30000`.
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
    /// A whole number.
    public init(integerLiteral value: Int) { self.init(value) }
}

extension Rational {
    /// The shortest time that is a whole multiple of both, or nil if it is longer than `limit`. Both must be positive.
    public func commonMultiple(_ other: Rational, atMost limit: Rational) -> Rational? {
        let ratio = self / other
        // self = n/d other in lowest terms: d times self is n times other, and nothing shorter is a multiple of both.
        let multiple = self * Rational(ratio.denominator)
        return multiple <= limit ? multiple : nil
    }
}
