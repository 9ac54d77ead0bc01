/// Samples that are zero outside some blocks: the change of a drawing by a variable, which often
/// affects only a part of it.
struct SparseSamples {
    /// The indices of the blocks, in ascending order.
    private let blocks: [Int]
    /// The values of these blocks in turn. Only the last block of a list is shorter than the
    /// others.
    private let values: [Float]

    /// The differences of two lists of the same length, each multiplied by a weight and a common
    /// factor.
    init(_ a: [Float], minus b: [Float], weights: [Float], factor: Float) {
        let count = a.count
        let length = SampleSums.blockLength
        func size(_ block: Int) -> Int { min(length, count - block * length) }
        let blocks = a.withUnsafeBufferPointer { a in
            b.withUnsafeBufferPointer { b in
                (0..<(count + length - 1) / length).filter { block in
                    guard let a = a.baseAddress, let b = b.baseAddress else { return false }
                    return !SampleSums.isEqual(a + block * length, b + block * length, size(block))
                }
            }
        }
        let total = blocks.reduce(0) { $0 + size($1) }
        values = [Float](unsafeUninitializedCapacity: total) { target, initialized in
            initialized = total
            guard let target = target.baseAddress else { return }
            SampleSums.withPointers(a, b, weights) { a, b, weights in
                for (position, block) in blocks.enumerated() {
                    let start = block * length
                    SampleSums.writeDifference(
                        a + start, b + start, weights + start, factor, size(block), to: target + position * length)
                }
            }
        }
        self.blocks = blocks
    }

    /// Returns the sum of the products with the values of a list.
    func product(_ other: [Float]) -> Double {
        sum(other) { position in blocks[position] }
    }

    /// Returns the sum of the products with other samples of the same length.
    func product(_ other: SparseSamples) -> Double {
        var next = 0
        return sum(other.values) { position in
            let block = blocks[position]
            while next < other.blocks.count, other.blocks[next] < block { next += 1 }
            return next < other.blocks.count && other.blocks[next] == block ? next : nil
        }
    }

    /// - Parameter blockAt: returns the block of `other` for an index of `blocks`; nil if it is
    ///   zero.
    @inline(__always)
    private func sum(_ other: [Float], blockAt: (Int) -> Int?) -> Double {
        let length = SampleSums.blockLength
        var sum = 0.0
        values.withUnsafeBufferPointer { values in
            other.withUnsafeBufferPointer { other in
                guard let own = values.baseAddress, let others = other.baseAddress else { return }
                for position in blocks.indices {
                    guard let block = blockAt(position) else { continue }
                    let count = min(length, values.count - position * length)
                    SampleSums.addProduct(own + position * length, others + block * length, count, to: &sum)
                }
            }
        }
        return sum
    }
}
