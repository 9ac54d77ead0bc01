import Core
import TestSupport
import Testing

@Suite struct RationalTextTests {
    @Test(arguments: [
        ("0", 0, 1), ("2", 2, 1), ("0.25", 1, 4), (".5", 1, 2), ("30000/1001", 30000, 1001), ("6/4", 3, 2),
        ("000000007", 7, 1), ("0.000001", 1, 1_000_000), ("999999999.999999", 999_999_999_999_999, 1_000_000),
        ("2.880", 72, 25), ("0/5", 0, 1), ("1.0", 1, 1), ("999999/1000000", 999_999, 1_000_000),
        ("1/1000000", 1, 1_000_000),
    ])
    func parsesNumbers(text: String, numerator: Int, denominator: Int) {
        #expect(Rational(text: text) == Rational(Int128(numerator), Int128(denominator)))
    }

    @Test(arguments: [
        "", " ", "-1", "+1", "1 ", " 1", "1.", ".", "1.2.3", "1/0", "1/", "/2", "1/2/3", "1.5/2", "1/2.5", "1e3",
        "0x10",
        "nan", "inf", "1,5", "1234567890", "0.1234567", "1/1234567890", "1/1000001", "٣", "１", "1_000", "--", "1\n",
        "1/-2",
    ])
    func rejectsOtherTexts(text: String) {
        #expect(Rational(text: text) == nil)
    }

    @Test(arguments: [
        ("999999/10000000", "the denominator 10000000 is above the maximum of 1000000"),
        ("1/0", "the denominator is 0"),
        ("0.1234567", "7 decimals are above the maximum of 6"), ("-1", "-1 is negative"),
        (".1234567", "7 decimals are above the maximum of 6"),
        ("1234567890", "10 digits are above the maximum of 9"),
        ("1234567890.5", "10 digits before the point are above the maximum of 9"),
        ("1234567890/2", "the numerator's 10 digits are above the maximum of 9"),
    ])
    func reportsWhyANumberIsRejected(text: String, reason: String) { #expect(Rational.problem(in: text) == reason) }

    /// Every text of digits with at most one point or slash is parsed, or rejected with a reason.
    @Test func everyRejectedNumberHasAReason() {
        var random = SeededGenerator(seed: 13)
        func digits() -> String {
            String((0..<random.int(1...random.int(1...12))).map { _ in Character("\(random.int(0...9))") })
        }
        for _ in 0..<3000 {
            let texts = [digits(), digits() + "/" + digits(), digits() + "." + digits(), "." + digits()]
            let text = texts[random.int(0...3)]
            #expect((Rational(text: text) == nil) == (Rational.problem(in: text) != nil), "\(text)")
        }
    }

    @Test func describesFiniteDecimalsAsDecimals() {
        #expect(Rational(72, 25).description == "2.88")
        #expect(Rational(-1, 4).description == "-0.25")
        #expect(Rational(5).description == "5" && Rational.zero.description == "0")
        #expect(Rational(1, 1_000_000).description == "0.000001")
        #expect(Rational(1, 3).description == "1/3" && Rational(30000, 1001).description == "30000/1001")
        #expect(Rational(1, 10_000_000).description == "1/10000000")
    }

    @Test func textRoundTrips() {
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<2000 {
            let fraction = Rational(
                Int128(generator.int(0...999_999_999)), Int128(generator.int(1...999_999)))
            #expect(Rational(text: fraction.description) == fraction)
            let power = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000][generator.int(0...6)]
            let decimal = Rational(Int128(generator.int(0...999_999_999)), Int128(power))
            #expect(Rational(text: decimal.description) == decimal)
            #expect(decimal.description.allSatisfy { $0 != "/" })
        }
    }
}

@Suite struct FrameRateTests {
    @Test(arguments: [
        ("59.94", 60000, 1001), ("23.976", 24000, 1001), ("23.98", 24000, 1001), ("29.97", 30000, 1001),
        ("47.952", 48000, 1001), ("119.88", 120_000, 1001), ("59.9401", 60000, 1001), ("25", 25, 1),
        ("30000/1001", 30000, 1001), ("12.5", 25, 2), ("60", 60, 1), ("24", 24, 1), ("24.0", 24, 1), ("60.0", 60, 1),
        ("0.1", 1, 10), ("1000", 1000, 1), ("1/10", 1, 10), ("24.97", 2497, 100), ("59.9", 599, 10),
        ("50.05", 1001, 20),
    ])
    func parsesRates(text: String, numerator: Int, denominator: Int) throws {
        let rate = try #require(FrameRate(text: text))
        #expect(rate.framesPerSecond == Rational(Int128(numerator), Int128(denominator)))
        #expect(rate.frameDuration == Rational(Int128(denominator), Int128(numerator)))
        #expect(FrameRate(text: rate.description) == rate)
    }

    @Test(arguments: [
        "0", "0.0", "0/1", "0.09", "1000.1", "999999999", "-25", "fast", "", "25fps", "1/100", "12.345678", "nan",
        "1/0", "100001/100001.5", "1000000/100001",
    ])
    func rejectsInvalidTexts(text: String) {
        #expect(FrameRate(text: text) == nil)
    }

    @Test func rejectsInvalidFractions() {
        #expect(FrameRate(Rational(0)) == nil && FrameRate(Rational(-25)) == nil)
        #expect(FrameRate(Rational(30 * 100_003, 100_003)) == FrameRate(Rational(30)), "a fraction is reduced first")
        #expect(FrameRate(Rational(2_500_001, 100_001)) == nil)
        #expect(FrameRate(Rational(2_500_001, 100_000)) != nil)
    }
}
