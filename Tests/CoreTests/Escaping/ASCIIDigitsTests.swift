import Core
import Testing

/// Decimal digits in ASCII.
@Suite struct ASCIIDigitsTests {
    @Test(arguments: ["0", "0123456789", ""]) func digitsAreDigits(text: String) {
        #expect(text.hasOnlyASCIIDigits)
    }

    @Test(arguments: ["+1", "-1", "1.5", "1 ", "a", "\u{664}", "\u{FF11}", "1\u{301}"])
    func otherCharactersAreNot(text: String) {
        #expect(!text.hasOnlyASCIIDigits)
    }

    @Test func bytesBesideTheDigitsAreNot() {
        #expect(!UInt8(ascii: "/").isASCIIDigit)
        #expect(UInt8(ascii: "0").isASCIIDigit)
        #expect(UInt8(ascii: "9").isASCIIDigit)
        #expect(!UInt8(ascii: ":").isASCIIDigit)
    }
}
