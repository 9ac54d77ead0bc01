import Core
import Media

/// The coefficients that turn samples of a YUV format into BT.709 luma and colour differences in
/// codes of 0...255.
///
/// RGB would clip the chroma that 4:2:0 video stores beside thin lines: white cannot become redder.
struct YUVCoefficients: Sendable {
    /// The code of black, and the factor from codes of luma to those of 0...255.
    let black: Float
    let lumaScale: Float
    /// BT.709 luma per code of each colour difference.
    let luma: (blue: Float, red: Float)
    /// Blue minus luma, and red minus luma, per code of each colour difference.
    let blue: (blue: Float, red: Float)
    let red: (blue: Float, red: Float)

    /// The coefficients of a frame; nil if it is not planar YUV of 8 bits with a known matrix.
    init?(_ frame: VideoFrame) {
        guard FrameSamples.canRead(frame.format), let lumaWeights = frame.lumaWeights else { return nil }
        let weights = (red: Float(lumaWeights.red), blue: Float(lumaWeights.blue))
        let isFull = frame.isFullRange
        black = isFull ? 0 : 16
        lumaScale = isFull ? 1 : 255 / 219
        let scale: Float = isFull ? 1 : 255 / 224
        // The differences of the frame's own matrix, per code.
        let ownBlue = 2 * (1 - weights.blue) * scale
        let ownRed = 2 * (1 - weights.red) * scale
        let green = 1 - weights.red - weights.blue
        let own = DifferencePlanes.luma
        let lumaBlue = (own.blue - own.green * weights.blue / green) * ownBlue
        let lumaRed = (own.red - own.green * weights.red / green) * ownRed
        luma = (lumaBlue, lumaRed)
        blue = (ownBlue - lumaBlue, -lumaRed)
        red = (-lumaBlue, ownRed - lumaRed)
    }
}

/// The samples of a part of a frame at the resolution of a view: a plane of luma, and two of colour
/// differences at half of it.
struct PlanarSamples: Sendable {
    let coefficients: YUVCoefficients
    /// The samples in the order of `PlaneLayout`.
    let codes: [UInt8]

    /// Reduces a part of a frame; nil if the frame has another format.
    init?(_ frame: VideoFrame, part: PixelRect, _ layout: PlaneLayout) {
        guard let coefficients = YUVCoefficients(frame), part.maxX <= frame.width, part.maxY <= frame.height else {
            return nil
        }
        self.coefficients = coefficients
        var codes: [UInt8] = []
        codes.reserveCapacity(layout.count)
        let pixelsPerSample = (
            x: Double(part.width) / Double(layout.width), y: Double(part.height) / Double(layout.height)
        )
        for (index, plane) in layout.planes.enumerated() {
            guard let source = frame.plane(index) else { return nil }
            let step = index == 0 ? (x: 1, y: 1) : (x: frame.format.horizontalStep, y: frame.format.verticalStep)
            let extent = Double(4 / plane.samples)
            let columns = AreaWeights(
                start: Double(part.x) / Double(step.x), length: extent * pixelsPerSample.x / Double(step.x),
                count: plane.width, limit: (frame.width + step.x - 1) / step.x)
            let rows = AreaWeights(
                start: Double(part.y) / Double(step.y), length: extent * pixelsPerSample.y / Double(step.y),
                count: plane.height, limit: (frame.height + step.y - 1) / step.y)
            Self.append(source.data, source.stride, columns, rows, to: &codes)
        }
        self.codes = codes
    }

    /// Appends the means of a plane's areas. Rows are averaged first: compilers vectorize sums over
    /// whole rows.
    private static func append(
        _ source: UnsafeMutablePointer<UInt8>, _ stride: Int, _ columns: AreaWeights, _ rows: AreaWeights,
        to codes: inout [UInt8]
    ) {
        guard let first = columns.ranges.first?.lowerBound, let end = columns.ranges.last?.upperBound else { return }
        var line = [Float](repeating: 0, count: end - first)
        line.withUnsafeMutableBufferPointer { line in
            rows.forEach { rows, rowWeights in
                line.update(repeating: 0)
                for (row, weight) in zip(rows, rowWeights) {
                    let pixels = source + row * stride + first
                    for index in line.indices { line[index] += weight * Float(pixels[index]) }
                }
                columns.forEach { columns, weights in
                    var sum: Float = 0.5
                    for (column, weight) in zip(columns, weights) { sum += weight * line[column - first] }
                    codes.append(UInt8(min(255, sum)))
                }
            }
        }
    }
}

/// The samples of a line that each of some equal intervals covers, and their shares of it.
private struct AreaWeights {
    var ranges: [Range<Int>] = []
    /// The shares of all ranges' samples, one range after the other.
    private var weights: [Float] = []

    init(start: Double, length: Double, count: Int, limit: Int) {
        for index in 0..<count {
            let first = min(start + Double(index) * length, Double(limit) - 1e-6)
            let end = max(first + 1e-6, min(first + length, Double(limit)))
            let range = Int(first)..<min(limit, max(Int(first) + 1, Int(end.rounded(.up))))
            ranges.append(range)
            for sample in range {
                weights.append(Float((min(end, Double(sample + 1)) - max(first, Double(sample))) / (end - first)))
            }
        }
    }

    /// Calls a function with each range and the shares of its samples.
    func forEach(_ body: (Range<Int>, UnsafeBufferPointer<Float>.SubSequence) -> Void) {
        weights.withUnsafeBufferPointer { weights in
            var start = 0
            for range in ranges {
                body(range, weights[start..<start + range.count])
                start += range.count
            }
        }
    }
}
