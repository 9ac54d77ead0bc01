/// A nonnegative integer of any size, for the exact decimals of a floating-point number.
struct DecimalInteger {
    /// Groups of nine digits, the least significant group first.
    private var groups: [UInt64]

    /// The number of different groups.
    private static let groupSize: UInt64 = 1_000_000_000

    /// Creates `number * 10^power`, rounded. Halves are rounded up.
    ///
    /// - Parameter number: at least 0.
    init(rounding number: Double, timesTenToThe power: Int) {
        groups = []
        // With a smaller number, many halvings would lead to 0.
        guard number > 0, Int(number.exponent) > -4 * (power + 1) else { return }
        // The number is `significand * 2^exponent`.
        let significand = number.significandBitPattern | 1 << Double.significandBitCount
        let exponent = Int(number.exponent) - Double.significandBitCount + power
        groups = [significand % Self.groupSize, significand / Self.groupSize]
        for _ in 0..<power { multiply(by: 5) }
        for _ in 0..<max(0, exponent) { multiply(by: 2) }
        // The last halving rounds.
        for step in 0..<max(0, -exponent) { halve(adding: step == -exponent - 1 ? 1 : 0) }
    }

    private mutating func multiply(by factor: UInt64) {
        var carry: UInt64 = 0
        for index in groups.indices {
            let product = groups[index] * factor + carry
            groups[index] = product % Self.groupSize
            carry = product / Self.groupSize
        }
        if carry > 0 { groups.append(carry) }
    }

    /// Halves the number after adding 0 or 1, and rounds down.
    private mutating func halve(adding addend: UInt64) {
        groups[0] += addend
        var remainder: UInt64 = 0
        for index in groups.indices.reversed() {
            let group = groups[index] + remainder * Self.groupSize
            groups[index] = group / 2
            remainder = group % 2
        }
    }

    /// The digits, without leading zeros except for 0.
    var text: String {
        let digits = groups.reversed().map { group in
            let digits = "\(group)"
            return String(repeating: "0", count: 9 - digits.count) + digits
        }.joined().drop { $0 == "0" }
        return digits.isEmpty ? "0" : String(digits)
    }
}
