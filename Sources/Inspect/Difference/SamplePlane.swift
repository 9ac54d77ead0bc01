import Media

/// Samples of one channel of a frame.
struct SamplePlane {
    let data: UnsafePointer<UInt8>
    /// The distance between rows in bytes.
    let stride: Int
    /// The distance between samples in bytes.
    let step: Int
    /// The number of samples in a row and a column.
    let width: Int
    let height: Int
    /// The size of a cell in samples.
    let cell: (width: Int, height: Int)

    /// Returns the difference between the largest and smallest sample of a cell and its neighbours.
    func range(aroundCell column: Int, _ row: Int) -> Int {
        var low = UInt8.max
        var high = UInt8.min
        for y in max(0, (row - 1) * cell.height)..<min(height, (row + 2) * cell.height) {
            let line = data + y * stride
            for x in max(0, (column - 1) * cell.width)..<min(width, (column + 2) * cell.width) {
                low = min(low, line[x * step])
                high = max(high, line[x * step])
            }
        }
        return max(0, Int(high) - Int(low))
    }
}

extension SamplePlane {
    /// Returns the planes of a frame in planar YUV of 8 bits.
    static func planes(of frame: VideoFrame) -> [SamplePlane] {
        (0..<(frame.format.isGray ? 1 : 3)).compactMap { index in
            guard let plane = frame.plane(index) else { return nil }
            let step = index == 0 ? (x: 1, y: 1) : (x: frame.format.horizontalStep, y: frame.format.verticalStep)
            return SamplePlane(
                data: UnsafePointer(plane.data), stride: plane.stride, step: 1,
                width: (frame.width + step.x - 1) / step.x, height: (frame.height + step.y - 1) / step.y,
                cell: (CellSums.side / step.x, CellSums.side / step.y))
        }
    }

    /// Returns the channels of packed RGBA.
    static func planes(of data: UnsafePointer<UInt8>, width: Int, height: Int) -> [SamplePlane] {
        (0..<4).map {
            SamplePlane(
                data: data + $0, stride: 4 * width, step: 4, width: width, height: height,
                cell: (CellSums.side, CellSums.side))
        }
    }
}
