import Core

/// A blur of one row or column of pixels.
protocol BlurKernel {
    /// The distance in pixels over which a pixel changes others.
    var reach: Int { get }

    /// Blurs `count` pixels in place. Pixels beyond the ends are transparent.
    func blurVisible(_ pixels: UnsafeMutablePointer<SIMD4<UInt8>>, count: Int)
}

extension BlurKernel {
    /// Blurs `count` pixels in place. Pixels beyond the ends are transparent. Pixels that no
    /// visible pixel reaches stay transparent, so they are skipped.
    func blur(_ pixels: UnsafeMutablePointer<SIMD4<UInt8>>, count: Int) {
        guard let painted = Pixmap.paintedRange(pixels, count: count) else { return }
        let start = max(0, painted.lowerBound - reach)
        blurVisible(pixels + start, count: min(count, painted.upperBound + reach) - start)
    }
}

enum Gaussian {
    /// The standard deviation, in pixels, below which a blur changes no pixel.
    private static let minDeviation = 0.05
    /// The maximum standard deviation, in pixels, of an exact convolution. Above it, three box
    /// blurs are as good as a Gaussian.
    private static let maxConvolvedDeviation = 6.0

    /// Returns a Gaussian blur with a standard deviation in pixels; nil if it would change nothing.
    static func kernel(deviation: Double) -> (any BlurKernel)? {
        guard deviation > minDeviation else { return nil }
        return deviation > maxConvolvedDeviation
            ? BoxBlurKernel(deviation: deviation) : ConvolutionKernel(deviation: deviation)
    }

    /// Returns repeated box blurs with a radius in pixels; nil if they would change nothing. From
    /// three boxes on, the result is a Gaussian with their variance.
    static func box(radius: Double, iterations: Int, maxDeviation: Double) -> (any BlurKernel)? {
        let side = 2 * radius + 1
        guard iterations > 2 else {
            let whole = 2 * Int(min(radius, maxDeviation * Effect.cutoffInDeviations).rounded()) + 1
            return whole > 1 ? BoxBlurKernel(sizes: Array(repeating: whole, count: iterations)) : nil
        }
        let deviation = (Double(iterations) * (side * side - 1) / 12).squareRoot()
        return kernel(deviation: min(deviation, maxDeviation))
    }
}

/// Convolution with a Gaussian whose weights add up to 1.
private struct ConvolutionKernel: BlurKernel {
    private let weights: [Float]

    var reach: Int { weights.count - 1 }

    init(deviation: Double) {
        let reach = Int((Effect.cutoffInDeviations * deviation).rounded(.up))
        let raw = (0...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
        let sum = 2 * raw.reduce(0, +) - raw[0]
        weights = raw.map { Float($0 / sum) }
    }

    func blurVisible(_ pixels: UnsafeMutablePointer<SIMD4<UInt8>>, count: Int) {
        let reach = reach
        // Padded with transparent pixels at both ends.
        var line = [SIMD4<Float>](repeating: .zero, count: count + 2 * reach)
        // SIMD4's own conversions take four to seven times as long as those of its components.
        for index in 0..<count {
            let pixel = pixels[index]
            line[reach + index] = SIMD4(Float(pixel.x), Float(pixel.y), Float(pixel.z), Float(pixel.w))
        }
        line.withUnsafeBufferPointer { line in
            for index in 0..<count {
                var sum = line[reach + index] * weights[0]
                for distance in stride(from: 1, through: reach, by: 1) {
                    sum += (line[reach + index - distance] + line[reach + index + distance]) * weights[distance]
                }
                pixels[index] = SIMD4(byte(sum.x), byte(sum.y), byte(sum.z), byte(sum.w))
            }
        }
    }
}

/// Returns a number that is not negative, rounded to a byte. Adds the largest float below 0.5 and
/// truncates: `rounded()` would call the C library on some processors, and 0.49999997 + 0.5 is 1.
private func byte(_ value: Float) -> UInt8 { UInt8(min(value, 255) + Float(0.5).nextDown) }

/// Consecutive box blurs. Three of them, as SVG defines for `feGaussianBlur`, are visually
/// indistinguishable from a Gaussian. Their time does not depend on the width, and the sums are
/// exact integers.
private struct BoxBlurKernel: BlurKernel {
    /// The sizes of the boxes in pixels; odd numbers.
    private let sizes: [Int]

    var reach: Int { sizes.reduce(0) { $0 + $1 / 2 } }

    init(sizes: [Int]) { self.sizes = sizes }

    init(deviation: Double) {
        // The variances of the boxes add up to the Gaussian's. A box of `size` pixels has (size^2 -
        // 1) / 12.
        let ideal = (4 * deviation * deviation + 1).squareRoot()
        let small = (Int(ideal) - 1) | 1
        let side = Double(small)
        let count = (12 * deviation * deviation - 3 * side * side - 12 * side - 9) / (-4 * side - 4)
        sizes = (0..<3).map { Double($0) < count.rounded() ? small : small + 2 }
    }

    /// The maximum product of the sizes for sums of 32 bits: 255.5 times it is below 2^32.
    private static let maxNarrowDivisor = 1 << 24

    func blurVisible(_ pixels: UnsafeMutablePointer<SIMD4<UInt8>>, count: Int) {
        let divisor = sizes.reduce(1, *)
        guard divisor <= Self.maxNarrowDivisor else {
            let sums = sums(of: pixels, count: count, as: UInt64.self)
            let divisor = UInt64(divisor)
            for index in 0..<count { pixels[index] = sums[index].bytes { ($0 + divisor / 2) / divisor } }
            return
        }
        let sums = sums(of: pixels, count: count, as: UInt32.self)
        // Multiplication by the reciprocal, rounded up, gives the exact quotient: the rounding
        // error times the dividend is below 2^24 * 2^32, the reciprocal's unit.
        let half = UInt32(divisor / 2)
        let reciprocal = (UInt64(1) << 56 + UInt64(divisor) - 1) / UInt64(divisor)
        for index in 0..<count {
            pixels[index] = sums[index].bytes { (UInt64($0 &+ half) &* reciprocal) >> 56 }
        }
    }

    /// Returns the sums of the boxes around each pixel.
    private func sums<Word: FixedWidthInteger & SIMDScalar>(
        of pixels: UnsafeMutablePointer<SIMD4<UInt8>>, count: Int, as word: Word.Type
    ) -> [SIMD4<Word>] {
        let reach = reach
        var line = [SIMD4<Word>](repeating: .zero, count: count + 2 * reach)
        for index in 0..<count {
            let pixel = pixels[index]
            line[reach + index] = SIMD4(Word(pixel.x), Word(pixel.y), Word(pixel.z), Word(pixel.w))
        }
        var sums = line
        for size in sizes {
            line.withUnsafeBufferPointer { line in
                sums.withUnsafeMutableBufferPointer { sums in
                    BoxBlurKernel.computeMovingSums(of: line, size: size, into: sums)
                }
            }
            swap(&line, &sums)
        }
        return Array(line[reach..<reach + count])
    }

    /// Computes the moving sum over `size` pixels around each pixel.
    private static func computeMovingSums<Word: FixedWidthInteger & SIMDScalar>(
        of line: UnsafeBufferPointer<SIMD4<Word>>, size: Int,
        into sums: UnsafeMutableBufferPointer<SIMD4<Word>>
    ) {
        let half = size / 2
        var sum = SIMD4<Word>.zero
        for index in 0..<min(half, line.count) { sum &+= line[index] }
        for index in line.indices {
            if index + half < line.count { sum &+= line[index + half] }
            sums[index] = sum
            if index >= half { sum &-= line[index - half] }
        }
    }
}

extension SIMD4 {
    /// Returns the values of a function that maps each component to a byte.
    fileprivate func bytes(_ byte: (Scalar) -> UInt64) -> SIMD4<UInt8> {
        SIMD4<UInt8>(
            UInt8(truncatingIfNeeded: byte(x)), UInt8(truncatingIfNeeded: byte(y)), UInt8(truncatingIfNeeded: byte(z)),
            UInt8(truncatingIfNeeded: byte(w)))
    }
}
