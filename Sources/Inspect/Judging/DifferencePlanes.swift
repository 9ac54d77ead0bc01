import Core
import Render

/// The luma and colour difference planes of a frame, slightly blurred, in codes of 0...255.
///
/// Video stores colour at half the resolution and encoders lose fine detail first. Blurring both
/// the recording and the rendered loader removes what an encoder may change and keeps what a
/// viewer sees.
struct DifferencePlanes: Sendable {
    /// The luma plane, then both colour planes, row by row.
    var values: [Float]
    let layout: PlaneLayout

    /// The weights of BT.709, which make luma and colour differences from red, green and blue.
    static let luma: (red: Float, green: Float, blue: Float) = (0.2126, 0.7152, 0.0722)
    /// The weight of colour differences, of which encoders at crf 38 lose a third in small objects.
    private static let colorWeight: Float = 0.6
    private static let blueScale: Float = colorWeight / 1.8556
    private static let redScale: Float = colorWeight / 1.5748
    /// The weight of a colour sample, which stands for four pixels, in a sum of squares.
    fileprivate static let sampleWeight: Float = 2

    /// Converts an image of four bytes per pixel, in RGBA or BGRA order.
    init(_ bytes: UnsafePointer<UInt8>, stride: Int, isBlueFirst: Bool, width: Int, height: Int) {
        let layout = PlaneLayout(width: width, height: height)
        let wide = 2 * layout.columns
        // Two rows of colour differences, and a plane for blurring.
        let scratch = UnsafeMutablePointer<Float>.allocate(capacity: 2 * wide + layout.pixels)
        scratch.initialize(repeating: 0, count: 2 * wide + layout.pixels)
        defer { scratch.deallocate() }
        values = [Float](unsafeUninitializedCapacity: layout.count) { target, initialized in
            initialized = layout.count
            guard let luma = target.baseAddress else { return }
            let (redShift, blueShift): (Int32, Int32) = isBlueFirst ? (16, 0) : (0, 16)
            for y in 0..<height {
                (bytes + y * stride).withMemoryRebound(to: Int32.self, capacity: width) { source in
                    let isSecond = y % 2 == 1
                    Self.convert(
                        source, width, redShift, blueShift, luma + y * width, scratch, scratch + wide,
                        adds: isSecond)
                }
                if width % 2 == 1 {
                    scratch[wide - 1] = scratch[wide - 2]
                    scratch[2 * wide - 1] = scratch[2 * wide - 2]
                }
                guard y % 2 == 1 || y == height - 1 else { continue }
                let rows: Float = y % 2 == 1 ? 2 : 1
                let blue = luma + layout.pixels + y / 2 * layout.columns
                Self.halve(scratch, blue, layout.columns, Self.sampleWeight * Self.blueScale / rows / 2)
                let red = blue + layout.columns * layout.rows
                Self.halve(scratch + wide, red, layout.columns, Self.sampleWeight * Self.redScale / rows / 2)
            }
            for plane in layout.planes {
                Self.blur(luma + plane.start, scratch + 2 * wide, width: plane.width, height: plane.height)
            }
        }
        self.layout = layout
    }

    /// Converts an image of four bytes per pixel, without gaps between its rows.
    init(_ bytes: [UInt8], isBlueFirst: Bool, width: Int, height: Int) {
        self = bytes.withUnsafeBufferPointer { bytes in
            // An image has at least one pixel, so the buffer has a base address.
            DifferencePlanes(
                bytes.baseAddress!, stride: 4 * width, isBlueFirst: isBlueFirst, width: width, height: height)
        }
    }

    /// Converts samples of a recording.
    init(_ samples: PlanarSamples, _ layout: PlaneLayout) {
        let own = samples.coefficients
        let area = layout.columns * layout.rows
        let columns = layout.columns
        let scratch = UnsafeMutablePointer<Float>.allocate(capacity: layout.pixels)
        scratch.initialize(repeating: 0, count: layout.pixels)
        defer { scratch.deallocate() }
        values = [Float](unsafeUninitializedCapacity: layout.count) { target, initialized in
            initialized = layout.count
            guard let values = target.baseAddress else { return }
            samples.codes.withUnsafeBufferPointer { codes in
                let blues = layout.pixels
                let reds = layout.pixels + area
                for y in 0..<layout.height {
                    let row = y / 2 * columns
                    for x in 0..<layout.width {
                        let blue = Float(codes[blues + row + x / 2]) - 128
                        let red = Float(codes[reds + row + x / 2]) - 128
                        let light = own.lumaScale * (Float(codes[y * layout.width + x]) - own.black)
                        let luma = light + own.luma.blue * blue + own.luma.red * red
                        values[y * layout.width + x] = min(255, max(0, luma))
                    }
                }
                for sample in 0..<area {
                    let blue = Float(codes[blues + sample]) - 128
                    let red = Float(codes[reds + sample]) - 128
                    values[blues + sample] =
                        Self.sampleWeight * Self.blueScale * (own.blue.blue * blue + own.blue.red * red)
                    values[reds + sample] =
                        Self.sampleWeight * Self.redScale * (own.red.blue * blue + own.red.red * red)
                }
            }
            for plane in layout.planes {
                Self.blur(values + plane.start, scratch, width: plane.width, height: plane.height)
            }
        }
        self.layout = layout
    }

    init(values: [Float], layout: PlaneLayout) {
        self.values = values
        self.layout = layout
    }

    /// Writes the luma of a row, and writes or adds its colour differences.
    @inline(__always)
    private static func convert(
        _ source: UnsafePointer<Int32>, _ width: Int, _ redShift: Int32, _ blueShift: Int32,
        _ luma: UnsafeMutablePointer<Float>, _ blues: UnsafeMutablePointer<Float>,
        _ reds: UnsafeMutablePointer<Float>, adds: Bool
    ) {
        let kept: Float = adds ? 1 : 0
        for x in 0..<width {
            let pixel = source[x]
            let red = Float((pixel &>> redShift) & 255)
            let green = Float((pixel &>> 8) & 255)
            let blue = Float((pixel &>> blueShift) & 255)
            let light = Self.luma.red * red + Self.luma.green * green + Self.luma.blue * blue
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

    /// Blurs a plane with the binomial kernel 1-2-1. At full resolution it covers antialiasing; at
    /// half, with the averaging before it, the colour resolution of 4:2:0.
    private static func blur(
        _ plane: UnsafeMutablePointer<Float>, _ scratch: UnsafeMutablePointer<Float>, width: Int, height: Int
    ) {
        for y in 0..<height {
            let row = plane + y * width
            let target = scratch + y * width
            let last = width - 1
            target[0] = 0.75 * row[0] + 0.25 * row[min(1, last)]
            target[last] = 0.75 * row[last] + 0.25 * row[max(0, last - 1)]
            guard last > 1 else { continue }
            for x in 1..<last { target[x] = 0.5 * row[x] + 0.25 * (row[x - 1] + row[x + 1]) }
        }
        for y in 0..<height {
            let above = scratch + max(0, y - 1) * width
            let row = scratch + y * width
            let below = scratch + min(height - 1, y + 1) * width
            let target = plane + y * width
            for x in 0..<width { target[x] = 0.5 * row[x] + 0.25 * (above[x] + below[x]) }
        }
    }

    /// Returns the distance of each pixel from other planes of the same size, in codes.
    func distances(to other: DifferencePlanes) -> [Float] {
        let area = layout.columns * layout.rows
        let scale = 1 / (Self.sampleWeight * Self.sampleWeight)
        var result = [Float](repeating: 0, count: layout.pixels)
        for y in 0..<layout.height {
            for x in 0..<layout.width {
                let pixel = y * layout.width + x
                let sample = layout.pixels + y / 2 * layout.columns + x / 2
                let luma = values[pixel] - other.values[pixel]
                let blue = values[sample] - other.values[sample]
                let red = values[sample + area] - other.values[sample + area]
                result[pixel] = (luma * luma + scale * (blue * blue + red * red)).squareRoot()
            }
        }
        return result
    }

    /// Combines planes of one size: `choose` gets the values of a sample in all of them and returns
    /// its value in the result.
    static func combined(_ planes: [DifferencePlanes], _ choose: ([Float]) -> Float) -> DifferencePlanes {
        let values = planes[0].values.indices.map { index in choose(planes.map { $0.values[index] }) }
        return DifferencePlanes(values: values, layout: planes[0].layout)
    }
}

/// The arrangement of planes in memory: luma, then both colour differences at half the resolution.
struct PlaneLayout: Sendable, Hashable {
    let width: Int
    let height: Int

    /// The width of a colour plane.
    var columns: Int { (width + 1) / 2 }
    /// The height of a colour plane.
    var rows: Int { (height + 1) / 2 }
    /// The number of luma samples.
    var pixels: Int { width * height }
    /// The number of all samples.
    var count: Int { pixels + 2 * columns * rows }

    /// The position and size of each plane, and the number of its samples per four pixels of width.
    var planes: [(start: Int, width: Int, height: Int, samples: Int)] {
        [
            (0, width, height, 4), (pixels, columns, rows, 2), (pixels + columns * rows, columns, rows, 2),
        ]
    }

    /// Returns a weight per sample for a weight per pixel.
    func weights(_ mask: [Float]) -> [Float] {
        var color = [Float](repeating: 0, count: columns * rows)
        for y in 0..<height {
            for x in 0..<width {
                let sample = y / 2 * columns + x / 2
                color[sample] = max(color[sample], mask[y * width + x])
            }
        }
        return mask + color + color
    }
}
