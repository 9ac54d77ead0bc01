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
    static let luma = (red: Float(BT709.red), green: Float(BT709.green), blue: Float(BT709.blue))
    /// The weight of colour differences, of which encoders at crf 38 lose a third in small objects.
    private static let colorWeight: Float = 0.6
    /// The factors of blue and red colour differences, with the divisors of BT.709.
    static let blueScale: Float = colorWeight / 1.8556
    static let redScale: Float = colorWeight / 1.5748
    /// The weight of a colour sample, which stands for four pixels, in a sum of squares.
    static let sampleWeight: Float = 2

    /// Converts an image of four bytes per pixel, in RGBA or BGRA order.
    init(_ bytes: UnsafePointer<UInt8>, stride: Int, isBlueFirst: Bool, width: Int, height: Int) {
        var converter = PlaneConverter(PlaneLayout(width: width, height: height))
        let whole = PixelRect(x: 0, y: 0, width: width, height: height)
        self = converter.planes(bytes, stride: stride, isBlueFirst: isBlueFirst, changed: [whole])
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
        let sharp = [Float](unsafeUninitializedCapacity: layout.count) { target, initialized in
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
        }
        values = PlaneBlur.blurred(sharp, layout)
        self.layout = layout
    }

    init(values: [Float], layout: PlaneLayout) {
        self.values = values
        self.layout = layout
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

    /// Returns the colour of a pixel.
    func color(ofPixel pixel: Int) -> Color {
        let sample = layout.pixels + pixel / layout.width / 2 * layout.columns + pixel % layout.width / 2
        let light = values[pixel]
        let blue = light + values[sample] / (Self.sampleWeight * Self.blueScale)
        let red = light + values[sample + layout.columns * layout.rows] / (Self.sampleWeight * Self.redScale)
        let green = (light - Self.luma.red * red - Self.luma.blue * blue) / Self.luma.green
        let codes = [red, green, blue].map { Int(min(255, max(0, $0)).rounded()) }
        return Color(codes[0], codes[1], codes[2])
    }

    /// The colour of all pixels but those near the edges; nil if they have several.
    ///
    /// Edges are left out because the background shows there until the position of a loader is
    /// known exactly.
    var innerColor: Color? {
        let isEven = layout.planes.allSatisfy { plane in
            let left = plane.width / Self.edgeDivisor
            let top = plane.height / Self.edgeDivisor
            let rows = (top..<plane.height - top).map { y in
                let start = plane.start + y * plane.width
                return values[start + left..<start + plane.width - left]
            }
            let low = rows.compactMap { $0.min() }.min() ?? 0
            let high = rows.compactMap { $0.max() }.max() ?? 0
            return high - low <= Float(BlankFrames.maxSpread)
        }
        return isEven ? color(ofPixel: layout.height / 2 * layout.width + layout.width / 2) : nil
    }

    /// The divisor of the width and height for the edge that `innerColor` leaves out.
    private static let edgeDivisor = 8

    /// Combines planes of one size: `choose` gets the values of a sample in all of them and returns
    /// its value in the result.
    static func combined(_ planes: [DifferencePlanes], _ choose: ([Float]) -> Float) -> DifferencePlanes {
        let values = planes[0].values.indices.map { index in choose(planes.map { $0.values[index] }) }
        return DifferencePlanes(values: values, layout: planes[0].layout)
    }
}
