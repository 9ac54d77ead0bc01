import Platform
import Scene

/// How far two pictures of one size are apart.
struct PixelDifference {
    /// Squares of all samples' differences.
    private(set) var squares = 0
    /// Samples compared.
    private(set) var sampleCount = 0
    /// The largest difference of a sample, in codes.
    private(set) var largest = 0

    /// Peak signal-to-noise ratio in dB; infinite if nothing differs.
    var psnr: Double {
        squares == 0 ? .infinity : 10 * log10(Double(sampleCount) * 65025 / Double(squares))
    }

    init(_ a: Pixels, _ b: Pixels) {
        guard a.bytes.count == b.bytes.count else { return }
        sampleCount = a.bytes.count
        a.bytes.withUnsafeBufferPointer { a in
            b.bytes.withUnsafeBufferPointer { b in
                // By rows whose squares fit.
                for start in stride(from: 0, to: a.count, by: 32768) {
                    var (sum, most): (UInt32, Int32) = (0, 0)
                    for index in start..<min(a.count, start + 32768) {
                        let difference = Int32(a[index]) &- Int32(b[index])
                        sum &+= UInt32(bitPattern: difference &* difference)
                        most = max(most, abs(difference))
                    }
                    squares += Int(sum)
                    largest = max(largest, Int(most))
                }
            }
        }
    }
}

extension Pixels {
    /// The smallest box that holds all pixels that differ from another picture's by more than some codes in a sample, and how
    /// many there are; nil if there are none.
    func box(differingFrom other: Pixels, above threshold: Int) -> (box: PixelRect, count: Int)? {
        guard bytes.count == other.bytes.count else { return nil }
        var (left, right, top, bottom, count) = (width, -1, -1, -1, 0)
        bytes.withUnsafeBufferPointer { a in
            other.bytes.withUnsafeBufferPointer { b in
                for y in 0..<height {
                    for x in 0..<width {
                        let place = 4 * (y * width + x)
                        guard (0..<4).contains(where: { abs(Int(a[place + $0]) - Int(b[place + $0])) > threshold })
                        else { continue }
                        (left, right) = (min(left, x), max(right, x))
                        (top, bottom) = (top < 0 ? y : top, y)
                        count += 1
                    }
                }
            }
        }
        guard count > 0 else { return nil }
        return (PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1), count)
    }
}

extension Pixels {
    /// Codes by which a small part of a picture may be brighter or darker on the whole than re-encoding makes it.
    private static let tolerance = 24

    /// Whether some part of eight by eight pixels is another on the whole. Errors of codecs go both ways, and cancel out.
    func differsLocally(from other: Pixels) -> Bool {
        let side = 8
        for top in Swift.stride(from: 0, to: height, by: side) {
            let bottom = min(height, top + side)
            for left in Swift.stride(from: 0, to: width, by: side) {
                let right = min(width, left + side)
                let sum = sum(of: (left, right, top, bottom), less: other)
                let most = Int32((right - left) * (bottom - top) * Self.tolerance)
                if (0..<4).contains(where: { abs(sum[$0]) > most }) { return true }
            }
        }
        return false
    }

    private func sum(of box: (left: Int, right: Int, top: Int, bottom: Int), less other: Pixels) -> SIMD4<Int32> {
        bytes.withUnsafeBufferPointer { a in
            other.bytes.withUnsafeBufferPointer { b in
                var sum = SIMD4<Int32>(repeating: 0)
                for y in box.top..<box.bottom {
                    for x in box.left..<box.right {
                        let place = 4 * (y * width + x)
                        for channel in 0..<4 {
                            sum[channel] &+= Int32(a[place + channel]) &- Int32(b[place + channel])
                        }
                    }
                }
                return sum
            }
        }
    }
}
