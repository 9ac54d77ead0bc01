/// One number of a drawing through all frames, kept in whole multiples of a power of two.
struct NumberColumn {
    /// How many binary places are kept.
    private var bits: Int
    /// One value while all are the same, else all of them.
    private var values: [Double]
    private var count = 0

    /// No more than so many bits for a value, with its sign: a page reads them into 32.
    private static let mostBits = 30

    /// A column that begins with nothing and keeps at least so many binary places.
    init(bits: Int = 0) { (self.bits, values) = (bits, []) }

    /// How many numbers it takes to store.
    var storedCount: Int { values.count }

    /// Adds a number that asks for so many binary places.
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

    /// Writes the column: its kind and places, then one number, or each one's difference from the one before, or the
    /// differences of those, whichever is shorter.
    func write(to output: inout [UInt8]) {
        let largest = values.reduce(0) { max($0, abs($1)) }
        var bits = min(max(bits, 0), Self.mostBits)
        while bits > 0, largest * Self.power(bits) >= Self.power(Self.mostBits) { bits -= 1 }
        let unit = Self.power(bits)
        // What a page cannot hold at all is far outside of every canvas.
        let limit = Self.power(Self.mostBits)
        let whole = values.map { Int(min(max(($0 * unit).rounded(), -limit), limit)) }
        guard let first = whole.first, whole.contains(where: { $0 != first }) else {
            output.appendVarint(UInt(4 * bits))
            return output.appendSigned(whole.first ?? 0)
        }
        let steps = zip(whole, [0] + whole).map { $0 - $1 }
        let bends = zip(steps, [0] + steps).map { $0 - $1 }
        let (plain, twice) = (Self.bytes(steps), Self.bytes(bends))
        let isPlain = plain.count <= twice.count
        output.appendVarint(UInt(4 * bits + (isPlain ? 1 : 2)))
        output += isPlain ? plain : twice
    }

    private static func bytes(_ numbers: [Int]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(numbers.count)
        for number in numbers { bytes.appendSigned(number) }
        return bytes
    }

    private static func power(_ bits: Int) -> Double { Double(1 << bits) }
}

extension [UInt8] {
    /// Seven bits a byte, the lowest first; all bytes but the last have the eighth.
    mutating func appendVarint(_ number: UInt) {
        var rest = number
        while rest > 127 {
            append(UInt8(rest & 127) | 128)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// The same for numbers with a sign, which is the lowest bit.
    mutating func appendSigned(_ number: Int) {
        appendVarint(number < 0 ? UInt(-(number + 1)) << 1 | 1 : UInt(number) << 1)
    }
}
