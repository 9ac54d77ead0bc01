extension UInt8 {
    /// True for the code of a decimal digit in ASCII.
    package var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}

extension StringProtocol {
    /// True if the text has no characters but decimal digits in ASCII. `Int.init` also accepts a
    /// sign, and `Character.isNumber` the digits of other scripts.
    package var hasOnlyASCIIDigits: Bool { utf8.allSatisfy(\.isASCIIDigit) }
}
