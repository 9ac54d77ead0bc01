/// Sums over lists of samples. Their rounding depends on the lists alone, so that results do not
/// depend on the number of threads.
enum SampleSums {
    private typealias Lanes = SIMD8<Float>

    /// Returns the sum of the products of two lists.
    static func product(_ a: [Float], _ b: [Float]) -> Double {
        sum(a, b, a) { a, b, _ in a * b }
    }

    /// Returns the sum of the squared differences of two lists.
    static func squaredDifference(_ a: [Float], _ b: [Float]) -> Double {
        sum(a, b, a) { a, b, _ in (a - b) * (a - b) }
    }

    /// Returns the sum of the squared differences of two lists, each multiplied by a weight.
    static func squaredDifference(_ a: [Float], _ b: [Float], weights: [Float]) -> Double {
        sum(a, b, weights) { a, b, weight in
            let difference = (a - b) * weight
            return difference * difference
        }
    }

    /// Returns the differences of two lists, each multiplied by a weight.
    static func difference(_ a: [Float], _ b: [Float], weights: [Float]) -> [Float] {
        [Float](unsafeUninitializedCapacity: a.count) { target, initialized in
            initialized = a.count
            guard let target = target.baseAddress else { return }
            withPointers(a, b, weights) { first, b, weights in
                writeDifference(first, b, weights, 1, a.count, to: target)
            }
        }
    }

    /// Calls a function with the addresses of three lists, unless they are empty.
    @inline(__always)
    static func withPointers(
        _ a: [Float], _ b: [Float], _ c: [Float],
        _ body: (UnsafePointer<Float>, UnsafePointer<Float>, UnsafePointer<Float>) -> Void
    ) {
        a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                c.withUnsafeBufferPointer { c in
                    guard let a = a.baseAddress, let b = b.baseAddress, let c = c.baseAddress else { return }
                    body(a, b, c)
                }
            }
        }
    }

    /// Writes the differences of two blocks, each multiplied by a weight and a common factor.
    @inline(__always)
    static func writeDifference(
        _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, _ factor: Float,
        _ count: Int, to target: UnsafeMutablePointer<Float>
    ) {
        for index in 0..<count { target[index] = (a[index] - b[index]) * weights[index] * factor }
    }

    /// The number of values that are summed in single precision, which keeps six digits.
    static let blockLength = 512

    /// Returns the sum of a function of three lists.
    @inline(__always)
    private static func sum(
        _ a: [Float], _ b: [Float], _ c: [Float], _ term: (Lanes, Lanes, Lanes) -> Lanes
    ) -> Double {
        let count = a.count
        var sum = 0.0
        withPointers(a, b, c) { a, b, c in
            for start in stride(from: 0, to: count, by: blockLength) {
                add(a + start, b + start, c + start, min(blockLength, count - start), to: &sum, term)
            }
        }
        return sum
    }

    /// Adds the products of two blocks' values to a sum.
    @inline(__always)
    static func addProduct(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ count: Int, to sum: inout Double) {
        add(a, b, a, count, to: &sum) { a, b, _ in a * b }
    }

    /// Returns true if two blocks have the same values.
    static func isEqual(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ count: Int) -> Bool {
        var index = 0
        while index + Lanes.scalarCount <= count {
            if any(lanes(a + index) .!= lanes(b + index)) { return false }
            index += Lanes.scalarCount
        }
        return (index..<count).allSatisfy { a[$0] == b[$0] }
    }

    @inline(__always)
    private static func lanes(_ values: UnsafePointer<Float>) -> Lanes {
        UnsafeRawPointer(values).loadUnaligned(as: Lanes.self)
    }

    /// Adds the sum of a function of three blocks to a sum.
    @inline(__always)
    private static func add(
        _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ c: UnsafePointer<Float>, _ count: Int,
        to sum: inout Double, _ term: (Lanes, Lanes, Lanes) -> Lanes
    ) {
        var total = Lanes(repeating: 0)
        var index = 0
        while index + Lanes.scalarCount <= count {
            total += term(lanes(a + index), lanes(b + index), lanes(c + index))
            index += Lanes.scalarCount
        }
        sum += Double(total.sum())
        for index in index..<count {
            let value = term(Lanes(repeating: a[index]), Lanes(repeating: b[index]), Lanes(repeating: c[index]))
            sum += Double(value[0])
        }
    }
}
