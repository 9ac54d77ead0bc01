import Core
import TestSupport
import Testing

@Suite struct RationalTests {
    private func rational(_ generator: inout SeededGenerator) -> Rational {
        Rational(Int128(generator.int(-1_000_000...1_000_000)), Int128(generator.int(1...60_000)))
    }

    @Test func fractionsAreKeptInLowestTerms() {
        #expect(Rational(6, 8) == Rational(3, 4))
        #expect(Rational(3, -4) == Rational(-3, 4) && Rational(-3, -4) == Rational(3, 4))
        #expect(Rational(0, -7) == .zero && Rational(0, -7).denominator == 1)
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<500 {
            let r = rational(&generator)
            let factor = Int128(generator.int(1...1000)) * (generator.int(0...1) == 0 ? 1 : -1)
            let same = Rational(r.numerator * factor, r.denominator * factor)
            #expect(same == r && same.denominator == r.denominator && r.denominator >= 1)
            var (a, b) = (r.numerator.magnitude, r.denominator.magnitude)
            while b != 0 { (a, b) = (b, a % b) }
            #expect(a == 1)
        }
    }

    @Test func arithmeticObeysTheFieldAxioms() {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<500 {
            let (a, b, c) = (rational(&generator), rational(&generator), rational(&generator))
            #expect(a + b == b + a && a * b == b * a)
            #expect((a + b) + c == a + (b + c))
            #expect((a * b) * c == a * (b * c))
            #expect(a * (b + c) == a * b + a * c)
            #expect(a - b + b == a && a - a == .zero)
            if b != .zero { #expect(a / b * b == a) }
            #expect((a + b).double.isApproximately(a.double + b.double))
            #expect((a * b).double.isApproximately(a.double * b.double))
        }
    }

    @Test func comparisonIsATotalOrder() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            let (a, b) = (rational(&generator), rational(&generator))
            #expect((a < b) == ((b - a).numerator > 0))
            #expect([a < b, a == b, a > b].count { $0 } == 1)
        }
        #expect(Rational(1, 3) < Rational(333_334, 1_000_000) && Rational(-1, 3) < Rational(-333_333, 1_000_000))
    }

    /// Denominators of ramps: products of the texts' and of sums.
    @Test func largeDenominatorsDoNotOverflow() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            let denominator = Int128(generator.int(1...1_000_000_000)) << 40
            let a = Rational(Int128(generator.int(1...1_000_000)), denominator)
            let b = Rational(Int128(generator.int(1...1_000_000)), denominator * Int128(generator.int(1...1000)))
            #expect((a + b - b) == a && (a + b) > a && (a + b) > b)
            #expect([a < b, a == b, a > b].count { $0 } == 1)
        }
        let (c, d) = (Rational(1, Int128(1) << 100), Rational(1, (Int128(1) << 100) + 1))
        #expect(d < c && -1 * c < -1 * d && -1 * c < d && !(c < d))
    }

    @Test func floorAndRounding() {
        #expect(Rational(7, 2).floor == 3 && Rational(-7, 2).floor == -4)
        #expect(Rational(-4).floor == -4 && Rational(4).floor == 4)
        #expect(Rational(5, 2).rounded == 3 && Rational(-5, 2).rounded == -2 && Rational(249, 100).rounded == 2)
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<500 {
            let r = rational(&generator)
            #expect(Rational(r.floor) <= r && r < Rational(r.floor + 1))
            #expect(Rational(r.ceiling - 1) < r && r <= Rational(r.ceiling))
            #expect(abs((r - Rational(r.rounded)).double) <= 0.5)
        }
    }

    @Test func moduloSubtractsWholePeriods() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<500 {
            let r = rational(&generator)
            let period = Rational(Int128(generator.int(1...5000)), Int128(generator.int(1...1001)))
            let rest = r.modulo(period)
            #expect(rest >= .zero && rest < period)
            #expect(((r - rest) / period).denominator == 1, "the difference is a whole number of periods")
            #expect((r + period * Rational(generator.int(-9...9))).modulo(period) == rest)
        }
        #expect(Rational(-1, 4).modulo(1) == Rational(3, 4))
        #expect(Rational(144, 100).modulo(Rational(144, 100)) == .zero)
    }

    @Test func commonMultipleIsTheLeast() throws {
        #expect(Rational(3).commonMultiple(2, atMost: 100) == 6)
        #expect(Rational(6, 5).commonMultiple(Rational(36, 25), atMost: 100) == Rational(36, 5))
        #expect(Rational(3).commonMultiple(2, atMost: 5) == nil && Rational(3).commonMultiple(2, atMost: 6) == 6)
        for numerator in 1...12 {
            for denominator in 1...12 {
                let (a, b) = (Rational(Int128(numerator), 7), Rational(3, Int128(denominator)))
                let common = try #require(a.commonMultiple(b, atMost: 100_000))
                #expect((common / a).denominator == 1 && (common / b).denominator == 1)
                let multiples = (1...).lazy.map { a * Rational($0) }
                #expect(multiples.first { ($0 / b).denominator == 1 } == common)
            }
        }
    }
}

extension Double {
    /// True if the numbers agree to a relative error of 1e-12.
    func isApproximately(_ other: Double) -> Bool {
        abs(self - other) <= 1e-12 * max(1, abs(self), abs(other))
    }
}
