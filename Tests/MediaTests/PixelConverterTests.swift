import Media
import TestSupport
import Testing

/// Returns the exact luma and chroma of a colour in BT.709 with limited range.
private func bt709(_ red: Double, _ green: Double, _ blue: Double) -> [Double] {
    let luma = (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255
    return [16 + 219 * luma, 128 + 224 * (blue / 255 - luma) / 1.8556, 128 + 224 * (red / 255 - luma) / 1.5748]
}

/// Converts a bitmap of premultiplied BGRA pixels. Returns the samples of all planes.
private func convert(
    _ format: String, width: Int, height: Int, pixel: (Int, Int) -> [UInt8]
) throws -> [[UInt8]] {
    let target = try #require(PixelFormat(name: format))
    let frame = try VideoFrame(width: width, height: height, format: target)
    let converter = try PixelConverter(width: width, height: height, to: target)
    let pixels = (0..<width * height).flatMap { pixel($0 % width, $0 / width) }
    try pixels.withUnsafeBufferPointer {
        try converter.convert(try #require($0.baseAddress), stride: 4 * width, into: frame)
    }
    return (0..<4).compactMap { index in
        guard let plane = frame.plane(index) else { return nil }
        let isChroma = index == 1 || index == 2
        let columns = isChroma ? width / target.horizontalStep : width
        let rows = isChroma ? height / target.verticalStep : height
        return (0..<rows * columns).map { plane.data[$0 / columns * plane.stride + $0 % columns] }
    }
}

/// The corners of the colour cube, the loaders' colours, greys, and random colours.
private let colors: [[UInt8]] = {
    var random = SeededGenerator(seed: 709)
    let corners: [[UInt8]] = (0..<8).map { corner in (0..<3).map { corner >> $0 & 1 == 1 ? 255 : 0 } }
    let loaders: [[UInt8]] = [
        [64, 168, 59], [101, 200, 250], [0x2f, 0x2e, 0x33], [235, 77, 138], [255, 80, 80], [0x16, 0x18, 0x23],
    ]
    let greys = stride(from: 0, through: 255, by: 17).map { [UInt8](repeating: UInt8($0), count: 3) }
    return corners + loaders + greys + (0..<300).map { _ in (0..<3).map { _ in .random(in: 0...255, using: &random) } }
}()

@Suite struct PixelConverterTests {
    /// swscale has different code paths for different widths.
    @Test(arguments: ["yuv420p", "yuv422p", "yuv444p"], [(16, 16), (34, 18), (240, 120)])
    func solidColorsAreExact(format: String, size: (Int, Int)) throws {
        for color in colors[..<(size.0 > 100 ? 60 : colors.count)] {
            let planes = try convert(format, width: size.0, height: size.1) { _, _ in
                [color[2], color[1], color[0], 255]
            }
            let exact = bt709(Double(color[0]), Double(color[1]), Double(color[2]))
            #expect(planes.count == 3)
            for (plane, value) in zip(planes, exact) {
                let distance = plane.map { abs(Int($0) - Int(value.rounded())) }.max() ?? .max
                #expect(distance <= 1, "\(color) in \(format): \(plane.first ?? 0), exactly \(value)")
            }
        }
    }

    @Test func translucentColorsAreUnpremultiplied() throws {
        for (index, color) in colors.enumerated() {
            let alpha = [255, 254, 200, 128, 64, 16][index % 6]
            let premultiplied = color.map { UInt8((Int($0) * alpha + 127) / 255) }
            let planes = try convert("yuva420p", width: 16, height: 16) { _, _ in
                [premultiplied[2], premultiplied[1], premultiplied[0], UInt8(alpha)]
            }
            let straight = premultiplied.map { min(255, (Double($0) * 255 / Double(alpha)).rounded()) }
            let exact = bt709(straight[0], straight[1], straight[2])
            #expect(planes.count == 4)
            for (plane, value) in zip(planes, exact) {
                let distance = plane.map { abs(Int($0) - Int(value.rounded())) }.max() ?? .max
                #expect(distance <= 1, "\(color) at alpha \(alpha)")
            }
            let slack = alpha == 255 ? 0 : 1
            #expect(planes[3].allSatisfy { abs(Int($0) - alpha) <= slack }, "alpha \(alpha) became \(planes[3][0])")
        }
    }

    @Test func emptyPixelsBecomeTransparentBlack() throws {
        let planes = try convert("yuva420p", width: 16, height: 16) { _, _ in [0, 0, 0, 0] }
        #expect(planes.map { Set($0) } == [[16], [128], [128], [0]])
    }

    /// Chroma is the mean of its pixels, so that it is not shifted sideways. Luma stays sharp.
    @Test func chromaIsTheMeanOfItsPixels() throws {
        let palette: [[UInt8]] = [[235, 77, 138], [64, 168, 59], [255, 255, 255], [0x16, 0x18, 0x23]]
        let planes = try convert("yuv420p", width: 32, height: 32) { x, y in
            let color = palette[(x + 2 * y + x * y / 5) % 4]
            return [color[2], color[1], color[0], 255]
        }
        let exact = palette.map { bt709(Double($0[0]), Double($0[1]), Double($0[2])) }
        for y in 0..<32 {
            for x in 0..<32 {
                let value = exact[(x + 2 * y + x * y / 5) % 4][0]
                #expect(abs(Double(planes[0][32 * y + x]) - value) <= 1.5, "luma at \(x), \(y)")
            }
        }
        for (y, x) in (0..<16).flatMap({ y in (0..<16).map { (y, $0) } }) {
            for channel in 1...2 {
                let block = [(0, 0), (1, 0), (0, 1), (1, 1)].map { (dx, dy) in
                    let (column, row) = (2 * x + dx, 2 * y + dy)
                    return exact[(column + 2 * row + column * row / 5) % 4][channel]
                }
                let mean = block.reduce(0, +) / 4
                #expect(abs(Double(planes[channel][16 * y + x]) - mean) <= 1.5, "chroma at \(x), \(y)")
            }
        }
    }

    @Test func formatsReportSubsamplingAndAlpha() throws {
        let formats: [(String, Int, Int, Bool)] = [
            ("yuv420p", 2, 2, false), ("yuv422p", 2, 1, false), ("yuv444p", 1, 1, false), ("yuva420p", 2, 2, true),
        ]
        for (name, horizontal, vertical, alpha) in formats {
            let format = try #require(PixelFormat(name: name))
            #expect((format.horizontalStep, format.verticalStep) == (horizontal, vertical))
            #expect(format.hasAlpha == alpha)
            #expect(format.isConvertible)
            #expect(format.description == name)
        }
        #expect(PixelFormat(name: "vaapi") == nil)
        #expect(PixelFormat(name: "nonsense") == nil)
        #expect(try #require(PixelFormat(name: "pal8")).isConvertible == false)
    }
}
