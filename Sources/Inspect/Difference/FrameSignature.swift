import Media

/// The means of a frame's brightness over a grid, by which frames of two clips are matched in time.
struct FrameSignature: Sendable {
    /// The means in codes, row by row.
    let means: [Float]

    /// The number of rows and columns of the grid. A ball of 60 pixels that moves by 5 in 1080p
    /// changes some means by more than 10 codes.
    private static let side = 32

    /// The signature of samples that lie `step` bytes apart. Reads every fourth row of large
    /// frames.
    init(_ data: UnsafePointer<UInt8>, stride: Int, step: Int, width: Int, height: Int) {
        let rowStep = height > 400 ? 4 : 1
        var means = [Float](repeating: 0, count: Self.side * Self.side)
        for gridRow in 0..<Self.side {
            let rows = Swift.stride(
                from: gridRow * height / Self.side, to: (gridRow + 1) * height / Self.side, by: rowStep)
            for gridColumn in 0..<Self.side {
                let columns = gridColumn * width / Self.side..<(gridColumn + 1) * width / Self.side
                var sum: UInt32 = 0
                var count = 0
                for row in rows {
                    let line = data + row * stride
                    // The constant step of the most common case lets the compiler vectorize the
                    // loop.
                    if step == 1 {
                        for x in columns { sum &+= UInt32(line[x]) }
                    } else {
                        for x in columns { sum &+= UInt32(line[x &* step]) }
                    }
                    count += columns.count
                }
                means[gridRow * Self.side + gridColumn] = count > 0 ? Float(sum) / Float(count) : 0
            }
        }
        self.means = means
    }

    /// Returns the mean of the squared differences from another signature.
    func distance(to other: FrameSignature) -> Float {
        var sum: Float = 0
        means.withUnsafeBufferPointer { a in
            other.means.withUnsafeBufferPointer { b in
                var partial = SIMD8<Float>.zero
                for index in Swift.stride(from: 0, to: a.count, by: 8) {
                    var difference = SIMD8<Float>.zero
                    for lane in 0..<8 { difference[lane] = a[index + lane] - b[index + lane] }
                    partial += difference * difference
                }
                sum = partial.sum()
            }
        }
        return sum / Float(means.count)
    }
}

/// The signatures of both frames of a pair.
struct PairSignature: Sendable {
    let expected: FrameSignature
    let actual: FrameSignature

    /// The signatures of the first planes of two frames in the same format.
    init?(_ a: VideoFrame, _ b: VideoFrame) {
        guard let first = a.plane(0), let second = b.plane(0) else { return nil }
        let width = a.format.isRGB ? a.format.bytesPerRow(ofPlane: 0, width: a.width) : a.width
        expected = FrameSignature(first.data, stride: first.stride, step: 1, width: width, height: a.height)
        actual = FrameSignature(second.data, stride: second.stride, step: 1, width: width, height: a.height)
    }

    /// The signatures of the green channels of two frames.
    init(_ a: Pixels, _ b: Pixels) {
        func signature(_ pixels: Pixels) -> FrameSignature {
            pixels.bytes.withUnsafeBufferPointer { bytes in
                FrameSignature(
                    bytes.baseAddress! + 1, stride: 4 * pixels.width, step: 4, width: pixels.width,
                    height: pixels.height)
            }
        }
        expected = signature(a)
        actual = signature(b)
    }
}
