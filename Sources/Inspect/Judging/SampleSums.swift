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

    /// Returns the differences of two lists, each multiplied by a weight and a common factor.
    static func difference(_ a: [Float], _ b: [Float], weights: [Float], factor: Float = 1) -> [Float] {
        [Float](unsafeUninitializedCapacity: a.count) { target, initialized in
            initialized = a.count
            a.withUnsafeBufferPointer { a in
                b.withUnsafeBufferPointer { b in
                    weights.withUnsafeBufferPointer { weights in
                        for index in 0..<a.count { target[index] = (a[index] - b[index]) * weights[index] * factor }
                    }
                }
            }
        }
    }

    /// Returns the sum of a function of three lists.
    ///
    /// Blocks of 512 values are summed in single precision, which keeps six digits.
    @inline(__always)
    private static func sum(
        _ a: [Float], _ b: [Float], _ c: [Float], _ term: (Lanes, Lanes, Lanes) -> Lanes
    ) -> Double {
        let width = MemoryLayout<Lanes>.size
        let block = 64 * width
        var sum = 0.0
        a.withUnsafeBytes { a in
            b.withUnsafeBytes { b in
                c.withUnsafeBytes { c in
                    var offset = 0
                    while offset + width <= a.count {
                        var lanes = Lanes(repeating: 0)
                        let end = min(offset + block, a.count - width + 1)
                        while offset < end {
                            lanes += term(
                                a.loadUnaligned(fromByteOffset: offset, as: Lanes.self),
                                b.loadUnaligned(fromByteOffset: offset, as: Lanes.self),
                                c.loadUnaligned(fromByteOffset: offset, as: Lanes.self))
                            offset += width
                        }
                        sum += Double(lanes.sum())
                    }
                    while offset < a.count {
                        func value(_ list: UnsafeRawBufferPointer) -> Lanes {
                            Lanes(repeating: list.loadUnaligned(fromByteOffset: offset, as: Float.self))
                        }
                        sum += Double(term(value(a), value(b), value(c))[0])
                        offset += MemoryLayout<Float>.size
                    }
                }
            }
        }
        return sum
    }
}
