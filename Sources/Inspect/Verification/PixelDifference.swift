import Core

/// The difference between two frames of equal dimensions.
struct PixelDifference {
    /// The sum of the squared differences of all samples.
    private(set) var squares = 0
    /// The number of compared samples.
    private(set) var sampleCount = 0
    /// The largest difference of a sample in codes.
    private(set) var largest = 0

    /// The peak signal-to-noise ratio in dB; infinite if the frames are equal.
    var psnr: Double {
        squares == 0 ? .infinity : 10 * log10(Double(sampleCount) * 65025 / Double(squares))
    }

    init(_ a: Pixels, _ b: Pixels) {
        guard a.bytes.count == b.bytes.count else { return }
        sampleCount = a.bytes.count
        a.bytes.withUnsafeBufferPointer { a in
            b.bytes.withUnsafeBufferPointer { b in
                // The squares of 32768 samples fit in 32 bits.
                for start in stride(from: 0, to: a.count, by: 32768) {
                    var sum: UInt32 = 0
                    var maxDifference: Int32 = 0
                    for index in start..<min(a.count, start + 32768) {
                        let difference = Int32(a[index]) &- Int32(b[index])
                        sum &+= UInt32(bitPattern: difference &* difference)
                        maxDifference = max(maxDifference, abs(difference))
                    }
                    squares += Int(sum)
                    largest = max(largest, Int(maxDifference))
                }
            }
        }
    }
}

extension Pixels {
    /// Returns the bounding box and the number of the pixels that differ from another frame by more
    /// than `threshold` codes in a sample; nil if there are none.
    func box(differingFrom other: Pixels, above threshold: Int) -> (box: PixelRect, count: Int)? {
        guard bytes.count == other.bytes.count else { return nil }
        var left = width
        var right = -1
        var top = -1
        var bottom = -1
        var count = 0
        bytes.withUnsafeBufferPointer { a in
            other.bytes.withUnsafeBufferPointer { b in
                for y in 0..<height {
                    for x in 0..<width {
                        let index = 4 * (y * width + x)
                        guard (0..<4).contains(where: { abs(Int(a[index + $0]) - Int(b[index + $0])) > threshold })
                        else { continue }
                        left = min(left, x)
                        right = max(right, x)
                        top = top < 0 ? y : top
                        bottom = y
                        count += 1
                    }
                }
            }
        }
        guard count > 0 else { return nil }
        return (PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1), count)
    }
}
