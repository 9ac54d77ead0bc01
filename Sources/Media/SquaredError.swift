import CLibAV
import Core

/// The squared error between frames: the sum of the squared differences of their samples, each
/// relative to the maximum code.
package struct SquaredError: Sendable {
    private var sum = 0.0
    private var sampleCount = 0

    /// An error of zero over no samples.
    package init() {}

    /// The peak signal-to-noise ratio over all samples of all planes, in dB; infinite if the frames
    /// are equal.
    package var psnr: Double { sum == 0 ? .infinity : 10 * log10(Double(sampleCount) / sum) }

    /// Adds another error.
    package mutating func add(_ other: SquaredError) {
        sum += other.sum
        sampleCount += other.sampleCount
    }

    fileprivate mutating func add(_ squares: Double, of count: Int, peak: Int) {
        sum += squares / Double(peak * peak)
        sampleCount += count
    }
}

extension VideoFrame {
    /// Returns the squared error between this frame and another; nil if they differ in size or
    /// format, or if samples are not integers of whole bytes.
    package func squaredError(from other: VideoFrame) -> SquaredError? {
        guard width == other.width, height == other.height, format == other.format else { return nil }
        var error = SquaredError()
        for (index, component) in format.components.enumerated() {
            let planeIndex = Int(component.plane)
            guard let a = plane(planeIndex), let b = other.plane(planeIndex) else { return nil }
            let isChroma = index == 1 || index == 2
            let columns = isChroma ? width / format.horizontalStep : width
            let rows = isChroma ? height / format.verticalStep : height
            var squares = 0.0
            for row in 0..<rows {
                let first = UnsafeRawPointer(a.data + row * a.stride + Int(component.offset))
                let second = UnsafeRawPointer(b.data + row * b.stride + Int(component.offset))
                // Most rows of two clips of a loader are equal.
                guard memcmp(first, second, component.rowBytes(columns)) != 0 else { continue }
                squares += component.squares(first, second, count: columns)
            }
            error.add(squares, of: columns * rows, peak: 1 << Int(component.depth) - 1)
        }
        return format.components.isEmpty ? nil : error
    }
}

extension AVComponentDescriptor {
    /// Returns the number of bytes from the first sample of a row to the last one.
    fileprivate func rowBytes(_ count: Int) -> Int { (count - 1) * Int(step) + (depth > 8 ? 2 : 1) }

    /// Returns the sum of the squared differences in a row of samples.
    fileprivate func squares(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, count: Int) -> Double {
        // The constant step of the most common case lets the compiler vectorize the loop.
        switch (depth > 8, step) {
        case (false, 1): squares8(a, b, count, step: 1)
        case (false, _): squares8(a, b, count, step: Int(step))
        case (true, _): squares16(a, b, count)
        }
    }

    @inline(__always)
    private func squares8(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int, step: Int) -> Double {
        let a = a.assumingMemoryBound(to: UInt8.self)
        let b = b.assumingMemoryBound(to: UInt8.self)
        // The maximum frame width is 8192, and 8192 * 255^2 fits into 32 bits.
        var sum: UInt32 = 0
        for index in 0..<count {
            let difference = Int32(a[index &* step]) &- Int32(b[index &* step])
            sum &+= UInt32(bitPattern: difference &* difference)
        }
        return Double(sum)
    }

    private func squares16(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Double {
        var sum = 0
        for index in 0..<count {
            func sample(_ row: UnsafeRawPointer) -> Int {
                Int(row.loadUnaligned(fromByteOffset: index * Int(step), as: UInt16.self)) >> Int(shift)
            }
            let difference = sample(a) - sample(b)
            sum += difference * difference
        }
        return Double(sum)
    }
}
