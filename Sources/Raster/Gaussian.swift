import Platform
import Scene

/// Softens rows and columns of pixels.
protocol Softener {
    /// Softens pixels that lie `step` apart, with nothing around them.
    func soften(_ pixels: UnsafeMutablePointer<SIMD4<UInt8>>, count: Int, step: Int)
}

enum Gaussian {
    /// Standard deviations in pixels below which nothing changes, and above which three means are as good.
    private static let least = 0.05, widest = 6.0

    /// What softens by a Gaussian; nil if it would change nothing.
    static func softener(deviation: Double) -> (any Softener)? {
        guard deviation > least else { return nil }
        return deviation > widest ? BoxSoftener(deviation: deviation) : KernelSoftener(deviation: deviation)
    }
}

/// A Gaussian's weights, which add up to 1.
private struct KernelSoftener: Softener {
    private let weights: [Float]

    init(deviation: Double) {
        let reach = Int((Effect.spread * deviation).rounded(.up))
        let raw = (0...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
        let sum = 2 * raw.reduce(0, +) - raw[0]
        weights = raw.map { Float($0 / sum) }
    }

    func soften(_ pixels: UnsafeMutablePointer<SIMD4<UInt8>>, count: Int, step: Int) {
        let reach = weights.count - 1
        // With room for the nothing at both ends.
        var line = [SIMD4<Float>](repeating: .zero, count: count + 2 * reach)
        for index in 0..<count { line[reach + index] = SIMD4<Float>(pixels[index * step]) }
        guard line.contains(where: { $0 != .zero }) else { return }
        line.withUnsafeBufferPointer { line in
            for index in 0..<count {
                var sum = line[reach + index] * weights[0]
                for distance in stride(from: 1, through: reach, by: 1) {
                    sum += (line[reach + index - distance] + line[reach + index + distance]) * weights[distance]
                }
                pixels[index * step] = SIMD4<UInt8>(
                    (sum.rounded(.toNearestOrAwayFromZero)).clamped(
                        lowerBound: .zero, upperBound: .init(repeating: 255)))
            }
        }
    }
}

/// Three means of neighbours, one after the other, which differ from a Gaussian by no more than can be seen and take the same time
/// however wide it is: what SVG says of `feGaussianBlur`. Exact: sums are of integers.
private struct BoxSoftener: Softener {
    /// How many pixels each takes the mean of, odd numbers.
    private let sizes: [Int]

    init(deviation: Double) {
        // The variances of three means add up to the Gaussian's: of `size` pixels it is (size^2 - 1) / 12.
        let ideal = (4 * deviation * deviation + 1).squareRoot()
        let small = (Int(ideal) - 1) | 1
        let side = Double(small)
        let count = (12 * deviation * deviation - 3 * side * side - 12 * side - 9) / (-4 * side - 4)
        sizes = (0..<3).map { Double($0) < count.rounded() ? small : small + 2 }
    }

    func soften(_ pixels: UnsafeMutablePointer<SIMD4<UInt8>>, count: Int, step: Int) {
        guard (0..<count).contains(where: { pixels[$0 * step] != .zero }) else { return }
        let reach = sizes.reduce(0) { $0 + $1 / 2 }
        var line = [SIMD4<Int64>](repeating: .zero, count: count + 2 * reach)
        for index in 0..<count { line[reach + index] = SIMD4<Int64>(truncatingIfNeeded: pixels[index * step]) }
        var sums = line
        for size in sizes {
            line.withUnsafeBufferPointer { line in
                sums.withUnsafeMutableBufferPointer { sums in BoxSoftener.add(line, size, to: sums) }
            }
            swap(&line, &sums)
        }
        let divisor = Int64(sizes.reduce(1, *))
        for index in 0..<count {
            let sum = line[reach + index] &+ SIMD4(repeating: divisor / 2)
            pixels[index * step] = SIMD4(
                UInt8(sum.x / divisor), UInt8(sum.y / divisor), UInt8(sum.z / divisor), UInt8(sum.w / divisor))
        }
    }

    /// The sums of so many neighbours of each pixel.
    private static func add(
        _ line: UnsafeBufferPointer<SIMD4<Int64>>, _ size: Int, to sums: UnsafeMutableBufferPointer<SIMD4<Int64>>
    ) {
        let half = size / 2
        var sum = SIMD4<Int64>.zero
        for index in 0..<min(half, line.count) { sum &+= line[index] }
        for index in line.indices {
            if index + half < line.count { sum &+= line[index + half] }
            sums[index] = sum
            if index >= half { sum &-= line[index - half] }
        }
    }
}
