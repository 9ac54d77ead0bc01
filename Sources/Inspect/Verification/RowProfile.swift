/// The visible changes between two frames, summed from the top to each row.
struct RowProfile {
    private var sums = [0]

    /// The sum over all rows.
    var total: Int { sums.last ?? 0 }

    func sum(to row: Int) -> Int { sums[min(row, sums.count - 1)] }

    init(_ a: Pixels, _ b: Pixels) {
        guard a.bytes.count == b.bytes.count else { return }
        let rowBytes = 4 * a.width
        sums.reserveCapacity(a.height + 1)
        a.bytes.withUnsafeBufferPointer { a in
            b.bytes.withUnsafeBufferPointer { b in
                for start in stride(from: 0, to: a.count, by: max(1, rowBytes)) {
                    var sum = 0
                    for index in start..<start + rowBytes {
                        let difference = abs(Int(a[index]) - Int(b[index]))
                        if difference > FrameDelta.minVisibleDifference { sum += difference }
                    }
                    sums.append(total + sum)
                }
            }
        }
    }
}
