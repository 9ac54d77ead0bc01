import Core
import Media

/// The 8-bit samples of a frame by channel, without a copy: luma and chroma of planar YUV, or
/// premultiplied red, green, blue and alpha. Only valid while the frame lives.
struct FrameSamples {
    /// One channel. Chroma may have fewer samples than the frame has pixels.
    struct Channel {
        let data: UnsafePointer<UInt8>
        /// The bytes from one row to the next.
        let stride: Int
        /// The bytes from one sample to the next.
        let step: Int
        /// The binary logarithms of the pixels per sample, horizontally and vertically.
        let shiftX, shiftY: Int

        /// Returns the sample that covers a pixel.
        @inline(__always) func sample(_ x: Int, _ y: Int) -> UInt8 {
            data[(y >> shiftY) * stride + (x >> shiftX) * step]
        }

        /// Returns true if the samples that cover some pixels are equal.
        func isUniform(columns: ClosedRange<Int>, rows: ClosedRange<Int>) -> Bool {
            let value = sample(columns.lowerBound, rows.lowerBound)
            let first = columns.lowerBound >> shiftX
            let last = columns.upperBound >> shiftX
            return (rows.lowerBound >> shiftY...rows.upperBound >> shiftY).allSatisfy { row in
                let line = data + row * stride
                var difference: UInt8 = 0
                for column in first...last { difference |= line[column * step] ^ value }
                return difference == 0
            }
        }

        /// Returns the sum over some pixels of the squared differences of their samples from a
        /// value.
        func squares(columns: Range<Int>, rows: Range<Int>, from value: UInt8) -> Int {
            var sum = 0
            for row in rows.lowerBound >> shiftY..<rows.upperBound >> shiftY {
                let line = data + row * stride
                for column in columns.lowerBound >> shiftX..<columns.upperBound >> shiftX {
                    let difference = Int(line[column * step]) - Int(value)
                    sum += difference * difference
                }
            }
            return sum << (shiftX + shiftY)
        }
    }

    let width: Int
    let height: Int
    let channels: [Channel]
    // The channels again, since access to an array's elements is slow.
    private let first, second, third, fourth: Channel
    private let hasFourth: Bool

    private init(width: Int, height: Int, channels: [Channel]) {
        self.width = width
        self.height = height
        self.channels = channels
        first = channels[0]
        second = channels[1]
        third = channels[2]
        fourth = channels.last ?? channels[2]
        hasFourth = channels.count > 3
    }

    /// Returns the samples of one pixel as a vector, 0 where there is no fourth channel.
    static func vector(_ samples: [UInt8]) -> SIMD4<Float> {
        SIMD4(Float(samples[0]), Float(samples[1]), Float(samples[2]), samples.count > 3 ? Float(samples[3]) : 0)
    }

    /// Returns the samples of a pixel, which must lie within the frame.
    @inline(__always) func samples(_ x: Int, _ y: Int) -> SIMD4<Float> {
        SIMD4(
            Float(first.sample(x, y)), Float(second.sample(x, y)), Float(third.sample(x, y)),
            hasFourth ? Float(fourth.sample(x, y)) : 0)
    }

    /// Returns true if all pixels of a part of the frame have the same samples. What lies outside
    /// of the frame does not count.
    func isUniform(_ box: PixelRect) -> Bool {
        let columns = max(0, box.x)...min(width, box.x + box.width) - 1
        let rows = max(0, box.y)...min(height, box.y + box.height) - 1
        return channels.allSatisfy { $0.isUniform(columns: columns, rows: rows) }
    }

    /// Returns true if frames of a format can be compared without conversion: planar YUV of 8 bits
    /// without alpha.
    static func canRead(_ format: PixelFormat) -> Bool {
        ["yuv420p", "yuv422p", "yuv444p", "yuvj420p", "yuvj422p", "yuvj444p"].contains(format.description)
    }

    /// The samples of a frame in planar YUV; nil for another format.
    init?(_ frame: VideoFrame) {
        let format = frame.format
        guard Self.canRead(format), let luma = frame.plane(0), let blue = frame.plane(1), let red = frame.plane(2)
        else { return nil }
        let shiftX = format.horizontalStep.trailingZeroBitCount
        let shiftY = format.verticalStep.trailingZeroBitCount
        let channels = [
            Channel(data: luma.data, stride: luma.stride, step: 1, shiftX: 0, shiftY: 0),
            Channel(data: blue.data, stride: blue.stride, step: 1, shiftX: shiftX, shiftY: shiftY),
            Channel(data: red.data, stride: red.stride, step: 1, shiftX: shiftX, shiftY: shiftY),
        ]
        self.init(width: frame.width, height: frame.height, channels: channels)
    }

    /// The samples of a bitmap in RGBA.
    init(_ bytes: UnsafePointer<UInt8>, width: Int, height: Int) {
        let channels = (0..<4).map {
            Channel(data: bytes + $0, stride: 4 * width, step: 4, shiftX: 0, shiftY: 0)
        }
        self.init(width: width, height: height, channels: channels)
    }
}

/// A converter of mean samples to colours.
struct SampleColors {
    private let isRGB: Bool
    private let isFullRange: Bool
    /// The weights of red and blue in luma.
    private let weights: (red: Double, blue: Double)

    /// Colours of premultiplied RGBA.
    static let rgba = SampleColors(isRGB: true, isFullRange: true, weights: (0, 0))

    private init(isRGB: Bool, isFullRange: Bool, weights: (red: Double, blue: Double)) {
        self.isRGB = isRGB
        self.isFullRange = isFullRange
        self.weights = weights
    }

    /// The colours of a YUV frame by its range and its matrix, or by BT.601's if that is unknown.
    init(_ frame: VideoFrame) {
        isRGB = false
        isFullRange = frame.isFullRange
        weights = frame.lumaWeights ?? VideoFrame.bt601Weights
    }

    /// Returns red, green and blue in codes over a background of the given brightness, 0...255. The
    /// background shows only through transparent pixels.
    func rgb(_ samples: [Double], over background: Double) -> [Double] {
        guard !isRGB else {
            let rest = background * (255 - samples[3]) / 255
            return samples.prefix(3).map { min(255, max(0, $0 + rest)) }
        }
        let luma = isFullRange ? samples[0] : (samples[0] - 16) * 255 / 219
        let scale = isFullRange ? 1 : 255.0 / 224
        let red = luma + 2 * (1 - weights.red) * (samples[2] - 128) * scale
        let blue = luma + 2 * (1 - weights.blue) * (samples[1] - 128) * scale
        let green = (luma - weights.red * red - weights.blue * blue) / (1 - weights.red - weights.blue)
        return [red, green, blue].map { min(255, max(0, $0)) }
    }

    /// Returns the CIEDE2000 distance of two sets of samples; with transparency, the larger one of
    /// those over white and over black.
    func distance(_ first: [Double], _ second: [Double]) -> Double {
        let backgrounds: [Double] = isRGB ? [255, 0] : [255]
        let distances = backgrounds.map { background in
            let a = rgb(first, over: background)
            let b = rgb(second, over: background)
            return LabColor(red: a[0], green: a[1], blue: a[2])
                .distance(to: LabColor(red: b[0], green: b[1], blue: b[2]))
        }
        return distances.max() ?? 0
    }

    private static func color(_ codes: [Double]) -> Color {
        let whole = codes.map { Int(min(255, max(0, $0)).rounded()) }
        return Color(whole[0], whole[1], whole[2])
    }

    /// Returns a colour such as `#ff8000`, with its alpha if it is translucent.
    func hex(_ samples: [Double]) -> String {
        let codes = rgb(samples, over: 0)
        guard isRGB, samples[3] < 254.5 else { return Self.color(codes).hexString }
        let alpha = max(0, samples[3]).rounded() / 255
        return Self.color(codes.map { $0 * 255 / max(1, samples[3]) }).opacity(alpha).hexString
    }
}
