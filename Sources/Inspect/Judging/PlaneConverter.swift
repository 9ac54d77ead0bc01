import Core

/// A converter of bitmaps of one size to `DifferencePlanes`. It keeps those of the last bitmap, so
/// that only what changed since then is converted.
struct PlaneConverter {
    private let layout: PlaneLayout
    /// The planes of the last bitmap before they are blurred.
    private var sharp: [Float]
    private var blurred: [Float]

    init(_ layout: PlaneLayout) {
        self.layout = layout
        sharp = [Float](repeating: 0, count: layout.count)
        blurred = sharp
    }

    /// Returns the planes of a bitmap of four bytes per pixel, in RGBA or BGRA order.
    ///
    /// - Parameter changed: rectangles that contain all pixels that differ from the last bitmap's.
    mutating func planes(
        _ bytes: UnsafePointer<UInt8>, stride: Int, isBlueFirst: Bool, changed: [PixelRect]
    ) -> DifferencePlanes {
        let layout = layout
        let parts = changed.map(layout.aligned)
        sharp.withUnsafeMutableBufferPointer { sharp in
            guard let sharp = sharp.baseAddress else { return }
            for part in parts { Self.convert(bytes, stride, isBlueFirst: isBlueFirst, part, layout, to: sharp) }
        }
        for plane in layout.planes {
            for part in parts {
                PlaneBlur.blur(sharp, plane, around: layout.part(part, of: plane), into: &blurred)
            }
        }
        return DifferencePlanes(values: blurred, layout: layout)
    }

    /// Converts a part that begins in an even column and row.
    private static func convert(
        _ bytes: UnsafePointer<UInt8>, _ stride: Int, isBlueFirst: Bool, _ part: PixelRect, _ layout: PlaneLayout,
        to sharp: UnsafeMutablePointer<Float>
    ) {
        let columns = (part.width + 1) / 2
        let (redShift, blueShift): (Int32, Int32) = isBlueFirst ? (16, 0) : (0, 16)
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 4 * columns) { scratch in
            guard let blues = scratch.baseAddress else { return }
            scratch.initialize(repeating: 0)
            let reds = blues + 2 * columns
            for y in part.y..<part.maxY {
                let isSecond = y % 2 == 1
                let luma = sharp + y * layout.width + part.x
                (bytes + y * stride + 4 * part.x).withMemoryRebound(to: Int32.self, capacity: part.width) { source in
                    convert(source, part.width, redShift, blueShift, luma, blues, reds, adds: isSecond)
                }
                // The last column of an odd width stands for two.
                if part.width % 2 == 1 {
                    blues[part.width] = blues[part.width - 1]
                    reds[part.width] = reds[part.width - 1]
                }
                guard isSecond || y == layout.height - 1 else { continue }
                let scale = DifferencePlanes.sampleWeight / (isSecond ? 2 : 1) / 2
                let blue = sharp + layout.pixels + y / 2 * layout.columns + part.x / 2
                halve(blues, blue, columns, scale * DifferencePlanes.blueScale)
                let red = blue + layout.columns * layout.rows
                halve(reds, red, columns, scale * DifferencePlanes.redScale)
            }
        }
    }

    /// Writes the luma of a row, and writes or adds its colour differences.
    @inline(__always)
    private static func convert(
        _ source: UnsafePointer<Int32>, _ width: Int, _ redShift: Int32, _ blueShift: Int32,
        _ luma: UnsafeMutablePointer<Float>, _ blues: UnsafeMutablePointer<Float>,
        _ reds: UnsafeMutablePointer<Float>, adds: Bool
    ) {
        let kept: Float = adds ? 1 : 0
        let weights = DifferencePlanes.luma
        for x in 0..<width {
            let pixel = source[x]
            let red = Float((pixel &>> redShift) & 255)
            let green = Float((pixel &>> 8) & 255)
            let blue = Float((pixel &>> blueShift) & 255)
            let light = weights.red * red + weights.green * green + weights.blue * blue
            luma[x] = light
            blues[x] = kept * blues[x] + (blue - light)
            reds[x] = kept * reds[x] + (red - light)
        }
    }

    /// Writes the scaled sums of pairs of samples.
    @inline(__always)
    private static func halve(
        _ source: UnsafePointer<Float>, _ target: UnsafeMutablePointer<Float>, _ count: Int, _ scale: Float
    ) {
        for column in 0..<count { target[column] = scale * (source[2 * column] + source[2 * column + 1]) }
    }
}
