import Core

/// The blur of `DifferencePlanes` with the binomial kernel 1-2-1. At full resolution it covers
/// antialiasing; at half, with the averaging before it, the colour resolution of 4:2:0.
enum PlaneBlur {
    /// Returns all planes of a layout blurred.
    static func blurred(_ planes: [Float], _ layout: PlaneLayout) -> [Float] {
        var result = [Float](repeating: 0, count: layout.count)
        for plane in layout.planes {
            let whole = PixelRect(x: 0, y: 0, width: plane.width, height: plane.height)
            blur(planes, plane, around: whole, into: &result)
        }
        return result
    }

    /// Blurs a part of a plane and the samples beside it, which the part affects.
    static func blur(
        _ planes: [Float], _ plane: PlaneLayout.Plane, around part: PixelRect, into result: inout [Float]
    ) {
        let columns = max(0, part.x - 1)..<min(plane.width, part.maxX + 1)
        let rows = max(0, part.y - 1)..<min(plane.height, part.maxY + 1)
        let sources = max(0, rows.lowerBound - 1)..<min(plane.height, rows.upperBound + 1)
        withUnsafeTemporaryAllocation(of: Float.self, capacity: columns.count * sources.count) { scratch in
            planes.withUnsafeBufferPointer { planes in
                result.withUnsafeMutableBufferPointer { result in
                    guard let source = planes.baseAddress, let target = result.baseAddress,
                        let scratch = scratch.baseAddress
                    else { return }
                    for y in sources {
                        let row = source + plane.start + y * plane.width
                        blurRow(row, plane.width, columns, scratch + (y - sources.lowerBound) * columns.count)
                    }
                    for y in rows {
                        func row(_ y: Int) -> UnsafePointer<Float> {
                            let y = min(plane.height - 1, max(0, y))
                            return UnsafePointer(scratch + (y - sources.lowerBound) * columns.count)
                        }
                        let line = target + plane.start + y * plane.width + columns.lowerBound
                        blurColumns(row(y - 1), row(y), row(y + 1), line, columns.count)
                    }
                }
            }
        }
    }

    /// Blurs some columns of a row.
    @inline(__always)
    private static func blurRow(
        _ row: UnsafePointer<Float>, _ width: Int, _ columns: Range<Int>, _ result: UnsafeMutablePointer<Float>
    ) {
        let last = width - 1
        let target = result - columns.lowerBound
        if columns.contains(0) { target[0] = 0.75 * row[0] + 0.25 * row[min(1, last)] }
        if columns.contains(last) { target[last] = 0.75 * row[last] + 0.25 * row[max(0, last - 1)] }
        let first = max(1, columns.lowerBound)
        let end = min(last, columns.upperBound)
        guard first < end else { return }
        for x in first..<end { target[x] = 0.5 * row[x] + 0.25 * (row[x - 1] + row[x + 1]) }
    }

    /// Blurs a row vertically, from three rows that are already blurred horizontally.
    @inline(__always)
    private static func blurColumns(
        _ above: UnsafePointer<Float>, _ row: UnsafePointer<Float>, _ below: UnsafePointer<Float>,
        _ target: UnsafeMutablePointer<Float>, _ count: Int
    ) {
        for x in 0..<count { target[x] = 0.5 * row[x] + 0.25 * (above[x] + below[x]) }
    }
}
