/// Statistics of the samples of frames.
///
/// This module is compiled with optimization. Tests that mostly start the program are not, and
/// loops over samples take them a hundred times as long.
package enum SampleStatistics {
    /// Returns the maximum difference of two samples at the same index; 0 if there are none.
    package static func maxDifference(_ first: [UInt8], _ second: [UInt8]) -> Int {
        var result = 0
        for index in 0..<min(first.count, second.count) {
            result = max(result, abs(Int(first[index]) - Int(second[index])))
        }
        return result
    }

    /// Returns the sum of the differences of samples at the same index.
    package static func sumOfDifferences(_ first: [UInt8], _ second: [UInt8]) -> Int {
        var sum = 0
        for index in 0..<min(first.count, second.count) { sum += abs(Int(first[index]) - Int(second[index])) }
        return sum
    }

    /// Returns the sum of the squared differences of samples at the same index.
    package static func sumOfSquares(_ first: [UInt8], _ second: [UInt8]) -> Int {
        var sum = 0
        for index in 0..<min(first.count, second.count) {
            let difference = Int(first[index]) - Int(second[index])
            sum += difference * difference
        }
        return sum
    }

    /// Returns the number of different colours in RGB frames.
    package static func colorCount(_ frames: [[UInt8]]) -> Int {
        var colors: Set<UInt32> = []
        for frame in frames {
            for offset in stride(from: 0, to: frame.count, by: 3) {
                let red = UInt32(frame[offset])
                let green = UInt32(frame[offset + 1])
                let blue = UInt32(frame[offset + 2])
                colors.insert(red << 16 | green << 8 | blue)
            }
        }
        return colors.count
    }

    /// Returns the number of wrong pixels in an RGBA frame that should be opaque where the exact
    /// frame has an alpha of at least `threshold`, and transparent elsewhere.
    package static func wrongAlphaCount(_ shown: [UInt8], exact: [UInt8], threshold: Int) -> Int {
        var count = 0
        for index in stride(from: 3, to: exact.count, by: 4) {
            let isOpaque = Int(exact[index]) >= threshold
            if isOpaque != (shown[index] == 255) || shown[index] % 255 != 0 { count += 1 }
        }
        return count
    }

    /// Returns the maximum difference of an RGBA frame from the exact one over white, in pixels
    /// that are not transparent.
    package static func maxDifference(_ shown: [UInt8], overWhite exact: [UInt8]) -> Int {
        var result = 0
        for pixel in stride(from: 0, to: exact.count, by: 4) where exact[pixel + 3] > 0 {
            let alpha = Int(exact[pixel + 3])
            for index in pixel..<pixel + 3 {
                let expected = (Int(exact[index]) * alpha + 255 * (255 - alpha)) / 255
                result = max(result, abs(expected - Int(shown[index])))
            }
        }
        return result
    }

    /// The differences of translucent frames over a colour from frames drawn on it.
    package struct CompositingError {
        /// The sum of the squared differences of all samples.
        package var squares = 0.0
        /// The number of samples.
        package var count = 0
        /// The amount by which the samples of edges are darker.
        package var darker = 0.0
        /// The number of samples of edges.
        package var edgeCount = 0
    }

    /// Compares RGBA frames over a colour with RGB frames drawn on it. Edges are the pixels that
    /// are translucent in the exact frames.
    package static func compositingError(
        of seen: [[UInt8]], over color: [Int], drawn: [[UInt8]], exact: [[UInt8]]
    ) -> CompositingError {
        var error = CompositingError()
        for (frame, pixels) in seen.enumerated() {
            for pixel in 0..<pixels.count / 4 {
                let alpha = Double(pixels[4 * pixel + 3]) / 255
                let covered = exact[frame][4 * pixel + 3]
                for channel in 0..<3 {
                    let shown = Double(pixels[4 * pixel + channel]) * alpha + Double(color[channel]) * (1 - alpha)
                    let difference = shown - Double(drawn[frame][3 * pixel + channel])
                    error.squares += difference * difference
                    error.count += 1
                    guard covered > 0, covered < 255 else { continue }
                    error.darker -= difference
                    error.edgeCount += 1
                }
            }
        }
        return error
    }
}
