// The strings of expressions are sequences of UTF-16 code units (ECMAScript), so a program can
// divide a character into its two surrogates and join them again. Swift's strings cannot contain
// surrogates, which are therefore kept as private-use characters: U+D83D as U+10D83D.
extension String {
    private static let surrogateOffset: UInt32 = 0x10_0000

    /// False only for strings without kept surrogates.
    var canHaveSurrogates: Bool { !isASCII && utf8.contains(0xF4) }

    /// The UTF-16 code units of an expression's string.
    var codeUnits: [UInt16] {
        guard canHaveSurrogates else { return Array(utf16) }
        return unicodeScalars.flatMap { scalar -> [UInt16] in
            guard scalar.value > Self.surrogateOffset,
                let kept = UInt16(exactly: scalar.value - Self.surrogateOffset), UTF16.isSurrogate(kept)
            else { return Array(String(scalar).utf16) }
            return [kept]
        }
    }

    /// The number of code units.
    var codeUnitCount: Int { canHaveSurrogates ? codeUnits.count : utf16.count }

    private var isASCII: Bool { utf16.count == utf8.count }

    /// Returns the character at an index of a string in ASCII; nil for other strings, and outside
    /// of the string.
    func asciiCharacter(at index: Int) -> String? {
        guard isASCII, index < utf8.count else { return nil }
        return String(UnicodeScalar(utf8[utf8.index(utf8.startIndex, offsetBy: index)]))
    }

    /// Creates an expression's string. Surrogates that follow each other are joined to a character.
    init(codeUnits: some Collection<UInt16>) {
        guard codeUnits.contains(where: UTF16.isSurrogate) else {
            self.init(decoding: codeUnits, as: UTF16.self)
            return
        }
        var scalars = UnicodeScalarView()
        var rest = codeUnits[...]
        while let unit = rest.popFirst() {
            if UTF16.isLeadSurrogate(unit), let next = rest.first, UTF16.isTrailSurrogate(next) {
                rest.removeFirst()
                scalars.append(UTF16.decode(UTF16.EncodedScalar([unit, next])))
            } else {
                let kept = Unicode.Scalar(UInt32(unit) + Self.surrogateOffset)
                scalars.append(Unicode.Scalar(unit) ?? kept ?? "\u{FFFD}")
            }
        }
        self.init(scalars)
    }

    /// The string with surrogates that follow each other joined to characters.
    var joiningSurrogates: String { canHaveSurrogates ? String(codeUnits: codeUnits) : self }
}
