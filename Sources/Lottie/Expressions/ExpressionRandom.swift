import Core

/// The random numbers of an expression. They only depend on the property's path in the file, the
/// seed, the frame and the number of calls, so that each frame can be drawn again. The generator
/// of After Effects is not public, so its numbers differ.
struct ExpressionRandom {
    private let property: UInt64
    /// The frame on which numbers depend unless they are timeless.
    var frame: Double
    private var seed: UInt64 = 0
    private var isTimeless = false
    private var count: UInt64 = 0

    init(path: String, frame: Double) {
        property = Self.hash(of: path)
        self.frame = frame
    }

    /// Sets the seed. Timeless numbers are the same at all frames.
    mutating func setSeed(_ seed: Double, isTimeless: Bool) {
        self.seed = seed.bitPattern
        self.isTimeless = isTimeless
        count = 0
    }

    /// Returns the next number in 0..<1.
    mutating func next() -> Double {
        count += 1
        let time = isTimeless ? 0 : frame.bitPattern
        return Self.unit(Self.mix(property, seed, time, count))
    }

    /// Returns a nearly normal number with a mean of 0 and a standard deviation of 1, in -6...6: a
    /// sum of twelve uniform ones.
    mutating func nextNormal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + next() } }

    /// Returns smooth noise of about -1...1 for a component of the property.
    func noise(_ position: Double, component: Int) -> Double {
        let offset = Double(Self.mix(property, seed, UInt64(component)) % 4096)
        // The row lies between lattice rows, where the noise would be 0 at each whole number.
        return ExpressionNoise.value([position + offset, 0.37 + Double(component), 0.71]) / 0.9
    }

    /// Returns a hash of a path in the file (FNV-1a). Swift's own hashes differ from run to run.
    static func hash(of path: String) -> UInt64 {
        path.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    /// Mixes numbers (SplitMix64).
    static func mix(_ numbers: UInt64...) -> UInt64 {
        numbers.reduce(0) { state, number in mixed((state ^ number) &+ 0x9e37_79b9_7f4a_7c15) }
    }

    /// Mixes the bits of a number (the finalizer of SplitMix64).
    static func mixed(_ bits: UInt64) -> UInt64 {
        var hash = bits
        hash = (hash ^ (hash >> 30)) &* 0xbf58_476d_1ce4_e5b9
        hash = (hash ^ (hash >> 27)) &* 0x94d0_49bb_1331_11eb
        return hash ^ (hash >> 31)
    }

    private static func unit(_ hash: UInt64) -> Double { Double(hash >> 11) / 9_007_199_254_740_992 }
}

/// Perlin's improved noise in one to three dimensions (K. Perlin, Improving Noise, 2002).
enum ExpressionNoise {
    /// Returns the noise at a point, in -1...1. It is 0 on the lattice of whole numbers.
    static func value(_ point: [Double]) -> Double {
        guard point.allSatisfy({ abs($0) < 1e9 }) else { return 0 }
        let point = point.prefix(3) + Array(repeating: 0.0, count: max(0, 3 - point.count))
        let floors = point.map { $0.rounded(.down) }
        let parts = zip(point, floors).map { $0 - $1 }
        let fades = parts.map { $0 * $0 * $0 * ($0 * ($0 * 6 - 15) + 10) }
        var sum = 0.0
        for corner in 0..<8 {
            var weight = 1.0
            var cell: [Int64] = []
            var offset: [Double] = []
            for axis in 0..<3 {
                let isFar = corner >> axis & 1
                weight *= isFar == 1 ? fades[axis] : 1 - fades[axis]
                cell.append(Int64(floors[axis]) + Int64(isFar))
                offset.append(parts[axis] - Double(isFar))
            }
            sum += weight * gradient(cell, offset)
        }
        return sum
    }

    /// Returns the product of an offset with one of the twelve directions to a cube's edges.
    private static func gradient(_ cell: [Int64], _ offset: [Double]) -> Double {
        let bits = cell.map { UInt64(bitPattern: $0) }
        let direction = ExpressionRandom.mix(bits[0], bits[1], bits[2]) % 12
        let axis = Int(direction / 4)
        let first = offset[axis == 0 ? 1 : 0]
        let second = offset[axis == 2 ? 1 : 2]
        return (direction & 1 == 0 ? first : -first) + (direction & 2 == 0 ? second : -second)
    }
}

extension ExpressionInterpreter {
    static let randomFunctions: [String: Builtin] = [
        "random": randomNumber { $0.next() },
        // In After Effects, about 90% are in 0...1, which is 1.645 standard deviations to each
        // side.
        "gaussRandom": randomNumber { 0.5 + 0.5 / 1.645 * $0.nextNormal() },
        "seedRandom": { interpreter, arguments in
            let isTimeless = arguments.count > 1 && arguments[1].isTrue
            interpreter.random.setSeed(number(arguments, 0, or: 0), isTimeless: isTimeless)
            return .undefined
        },
        "noise": { interpreter, arguments in
            try interpreter.charge(20)
            return .number(ExpressionNoise.value(arguments.first?.components ?? []))
        },
    ]

    /// Returns a function with the arguments of `random`: a maximum, or a minimum and a maximum,
    /// of numbers or arrays.
    private static func randomNumber(_ next: @escaping @Sendable (inout ExpressionRandom) -> Double) -> Builtin {
        { interpreter, arguments in
            guard let last = arguments.last else { return .number(next(&interpreter.random)) }
            let high = last.components ?? []
            let low = arguments.count > 1 ? arguments[0].components ?? [] : []
            let numbers = high.indices.map { index in
                let start = index < low.count ? low[index] : 0
                return start + (high[index] - start) * next(&interpreter.random)
            }
            if case .array = last { return try interpreter.array(numbers) }
            return .number(numbers.first ?? .nan)
        }
    }

    /// Returns a value that wanders around another: `wiggle`.
    ///
    /// - Parameters:
    ///   - arguments: the frequency in changes per second, the amplitude, and optionally the number
    ///     of octaves, the amplitude's factor from one to the next, and the time.
    ///   - value: the value at that time.
    func wiggle(_ arguments: [ExpressionValue], around value: ExpressionValue) throws -> ExpressionValue {
        let frequency = Self.number(arguments, 0, or: 1)
        let amplitude = Self.number(arguments, 1, or: 1)
        let octaves = min(max(Int(truncating: Self.number(arguments, 2, or: 1)), 1), 10)
        let factor = Self.number(arguments, 3, or: 0.5)
        let time = Self.number(arguments, 4, or: self.time)
        guard let components = value.components else { return value }
        try charge(20 * octaves * components.count)
        let result = components.enumerated().map { index, component in
            (0..<octaves).reduce(component) { sum, octave in
                let scale = Double(1 << octave)
                let noise = random.noise(time * frequency * scale, component: index * 16 + octave)
                return sum + noise * amplitude * pow(factor, Double(octave))
            }
        }
        if case .array = value { return try array(result) }
        return .number(result.first ?? .nan)
    }
}
