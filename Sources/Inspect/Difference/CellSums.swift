import Core
import Media

/// The differences between the samples of two frames, summed over cells of 4x4 pixels. Reusable
/// for frames of one size; not thread-safe.
///
/// All rules of `diff` are functions of these sums. Frames in the same planar YUV format are
/// subtracted in that format, and `transform` maps the sums to red, green, blue and alpha. Others
/// are converted to RGBA with premultiplied alpha first. The mapping is linear, so the sum of a
/// cell is the same either way, apart from clipping and rounding.
final class CellSums {
    /// The side of a cell in pixels.
    static let side = 4

    /// The number of cells in a row.
    let columns: Int
    /// The number of rows of cells.
    let rows: Int
    let width: Int
    let height: Int
    /// The sums of each channel, row by row. A cell beyond the edge of the frame repeats its
    /// pixels.
    let channels: [UnsafeMutablePointer<Int16>]
    /// The cells of each row between which samples differ; empty if all are equal.
    private(set) var spans: [Range<Int>]
    /// The mapping of channels to red, green, blue and alpha.
    private(set) var transform = ChannelTransform.identity
    /// The sum of squared differences of each channel, as if each had a sample per pixel. In RGBA
    /// the first one is the sum over all channels.
    private(set) var squares: [Double]
    private var columnSums: [Int16]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        columns = (width + Self.side - 1) / Self.side
        rows = (height + Self.side - 1) / Self.side
        let count = columns * rows
        channels = (0..<4).map { _ in
            let sums = UnsafeMutablePointer<Int16>.allocate(capacity: count)
            sums.initialize(repeating: 0, count: count)
            return sums
        }
        spans = Array(repeating: 0..<0, count: rows)
        squares = [0, 0, 0, 0]
        columnSums = Array(repeating: 0, count: 4 * columns * Self.side)
    }

    deinit { for sums in channels { sums.deallocate() } }

    /// True if all samples are equal.
    var areEqual: Bool { squares.allSatisfy { $0 == 0 } }

    /// Compares two frames of equal dimensions in the same planar YUV format of 8 bits, with the
    /// given mapping to RGB.
    func compare(_ a: VideoFrame, _ b: VideoFrame, _ transform: ChannelTransform) {
        reset(transform)
        for index in 0..<(a.format.isGray ? 1 : 3) {
            guard let first = a.plane(index), let second = b.plane(index) else { return }
            let step = index == 0 ? (x: 1, y: 1) : (x: a.format.horizontalStep, y: a.format.verticalStep)
            let plane = PlanePair(
                a: first.data, b: second.data, strides: (first.stride, second.stride),
                width: (width + step.x - 1) / step.x, height: (height + step.y - 1) / step.y,
                cell: (Self.side / step.x, Self.side / step.y), channels: 1)
            squares[index] = Double(step.x * step.y) * add(plane, to: index)
        }
    }

    /// Compares two frames in RGBA.
    func compare(_ a: Pixels, _ b: Pixels) {
        reset(.identity)
        a.bytes.withUnsafeBufferPointer { a in
            b.bytes.withUnsafeBufferPointer { b in
                guard let first = a.baseAddress, let second = b.baseAddress else { return }
                let plane = PlanePair(
                    a: first, b: second, strides: (4 * width, 4 * width), width: 4 * width, height: height,
                    cell: (4 * Self.side, Self.side), channels: 4)
                squares[0] = add(plane, to: 0)
            }
        }
    }

    private func reset(_ transform: ChannelTransform) {
        self.transform = transform
        squares = [0, 0, 0, 0]
        for row in 0..<rows where !spans[row].isEmpty {
            for sums in channels {
                (sums + row * columns + spans[row].lowerBound).update(repeating: 0, count: spans[row].count)
            }
            spans[row] = 0..<0
        }
    }

    /// Adds the sums of a plane to the channels from the given one. Returns the sum of the squared
    /// differences.
    private func add(_ plane: PlanePair, to first: Int) -> Double {
        var squares = 0.0
        // A chroma sample counts as often as it has pixels.
        let samples = plane.cell.width / plane.channels * plane.cell.height
        let weight = Int16(Self.side * Self.side / samples)
        columnSums.withUnsafeMutableBufferPointer { buffer in
            guard let sums = buffer.baseAddress else { return }
            for row in 0..<rows {
                guard let (span, sum) = plane.sumColumns(ofRow: row, into: sums) else { continue }
                squares += sum
                let old = spans[row]
                spans[row] =
                    old.isEmpty
                    ? span : min(old.lowerBound, span.lowerBound)..<max(old.upperBound, span.upperBound)
                for channel in 0..<plane.channels {
                    let cells = channels[first + channel] + row * columns
                    for column in span {
                        var cell: Int16 = 0
                        let start = column * plane.cell.width + channel
                        for x in stride(from: start, to: start + plane.cell.width, by: plane.channels) {
                            cell &+= sums[x]
                        }
                        cells[column] = cell &* weight
                    }
                }
            }
        }
        return squares
    }
}

/// Planes of two frames that are compared.
private struct PlanePair {
    let a: UnsafePointer<UInt8>
    let b: UnsafePointer<UInt8>
    let strides: (a: Int, b: Int)
    /// The number of samples in a row.
    let width: Int
    let height: Int
    /// The size of a cell in samples.
    let cell: (width: Int, height: Int)
    /// The number of interleaved channels.
    let channels: Int

    /// The number of samples that are compared at once to find the part of a line that differs.
    private static let chunk = 64

    /// Sums the differences of each column over a row of cells. Returns the cells between which
    /// samples differ and the sum of the squares, or nil if all samples are equal.
    func sumColumns(
        ofRow row: Int, into sums: UnsafeMutablePointer<Int16>
    ) -> (span: Range<Int>, squares: Double)? {
        let lines = row * cell.height..<(row + 1) * cell.height
        var left = width
        var right = 0
        for line in lines where line < height {
            extend(&left, &right, a + line * strides.a, b + line * strides.b)
        }
        guard left < right else { return nil }
        let span = left / cell.width..<(right + cell.width - 1) / cell.width
        let start = span.lowerBound * cell.width
        let end = span.upperBound * cell.width
        (sums + start).update(repeating: 0, count: end - start)
        var squares = 0.0
        for line in lines {
            let shown = min(line, height - 1)
            let sum = addLine(a + shown * strides.a, b + shown * strides.b, sums, start..<min(width, end))
            // A line that is repeated beyond the edge counts once.
            if line == shown { squares += sum }
        }
        for x in min(width, end)..<end { sums[x] = sums[x - channels] }
        return (span, squares)
    }

    /// Extends the samples from `left` to `right` to those of a line that differ.
    private func extend(
        _ left: inout Int, _ right: inout Int, _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>
    ) {
        guard memcmp(a, b, width) != 0 else { return }
        var first = 0
        while first < left, memcmp(a + first, b + first, min(Self.chunk, width - first)) == 0 { first += Self.chunk }
        left = min(left, first)
        var last = width
        while last > right {
            let count = min(Self.chunk, last)
            guard memcmp(a + last - count, b + last - count, count) == 0 else { break }
            last -= count
        }
        right = max(right, last)
    }

    /// Adds the differences of a part of a line to sums. Returns the sum of their squares.
    private func addLine(
        _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ sums: UnsafeMutablePointer<Int16>, _ part: Range<Int>
    ) -> Double {
        var squares = 0.0
        // The squares of 32768 samples fit in 32 bits.
        for start in stride(from: part.lowerBound, to: part.upperBound, by: 32768) {
            var sum: UInt32 = 0
            for x in start..<min(part.upperBound, start + 32768) {
                let difference = Int16(truncatingIfNeeded: a[x]) &- Int16(truncatingIfNeeded: b[x])
                sums[x] &+= difference
                let wide = Int32(difference)
                sum &+= UInt32(bitPattern: wide &* wide)
            }
            squares += Double(sum)
        }
        return squares
    }
}
