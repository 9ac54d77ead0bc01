/// The values of one number of a drawing over all frames, stored as fixed-point integers.
struct NumberColumn {
    /// The number of fractional bits.
    private var bits: Int
    /// One value while all are equal, else all values.
    private var values: [Double]
    private var count = 0

    /// Maximum number of bits of a value and its sign. A page reads values into an `Int32Array`.
    private static let maxBits = 30

    /// An empty column with at least `bits` fractional bits.
    init(bits: Int = 0) {
        self.bits = bits
        values = []
    }

    /// The count of stored values.
    var storedCount: Int { values.count }

    /// Appends a value that needs `bits` fractional bits.
    mutating func append(_ value: Double, bits: Int) {
        self.bits = max(self.bits, bits)
        if count == 0 {
            values = [value]
        } else if values.count == count, count > 1 {
            values.append(value)
        } else if values[0] != value {
            values = Array(repeating: values[0], count: count) + [value]
        }
        count += 1
    }

    /// Writes the column: its kind and fractional bits, then a single value, or first or second
    /// differences of the values, whichever is shorter.
    func write(to output: inout [UInt8]) {
        let largest = values.reduce(0) { max($0, abs($1)) }
        var bits = min(max(bits, 0), Self.maxBits)
        while bits > 0, largest * Self.power(bits) >= Self.power(Self.maxBits) { bits -= 1 }
        let unit = Self.power(bits)
        // Values beyond the limit are far outside every canvas and are clamped.
        let limit = Self.power(Self.maxBits)
        let whole = values.map { Int(min(max(($0 * unit).rounded(), -limit), limit)) }
        guard let first = whole.first, whole.contains(where: { $0 != first }) else {
            output.appendVarint(UInt(4 * bits))
            return output.appendSigned(whole.first ?? 0)
        }
        let firstDifferences = zip(whole, [0] + whole).map { $0 - $1 }
        let secondDifferences = zip(firstDifferences, [0] + firstDifferences).map { $0 - $1 }
        let firstOrder = Self.bytes(firstDifferences)
        let secondOrder = Self.bytes(secondDifferences)
        let isFirstOrder = firstOrder.count <= secondOrder.count
        output.appendVarint(UInt(4 * bits + (isFirstOrder ? 1 : 2)))
        output += isFirstOrder ? firstOrder : secondOrder
    }

    private static func bytes(_ numbers: [Int]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(numbers.count)
        for number in numbers { bytes.appendSigned(number) }
        return bytes
    }

    /// Returns 2 to the power of `bits`.
    private static func power(_ bits: Int) -> Double { Double(1 << bits) }
}

extension [UInt8] {
    /// Appends a number as a varint (LEB128): seven bits per byte, lowest first, and the eighth bit
    /// set in all bytes but the last.
    mutating func appendVarint(_ number: UInt) {
        var rest = number
        while rest > 127 {
            append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Appends a signed number as a varint whose lowest bit is the sign (zigzag encoding).
    mutating func appendSigned(_ number: Int) {
        appendVarint(number < 0 ? UInt(-(number + 1)) << 1 | 1 : UInt(number) << 1)
    }
}
