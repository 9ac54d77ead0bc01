import Core
import TestSupport
import Testing

@testable import Inspect
@testable import Media

/// The colours of YUV samples by matrix and range.
@Suite struct SampleColorTests {
    /// A matrix by the number and the weights that ITU-T H.273 gives it; unspecified is BT.601.
    struct Matrix: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let number: UInt32
        let red: Double
        let blue: Double

        static let bt709 = Matrix(testDescription: "BT.709", number: 1, red: 0.2126, blue: 0.0722)
        static let unspecified = Matrix(testDescription: "unspecified", number: 2, red: 0.299, blue: 0.114)
        static let bt601 = Matrix(testDescription: "BT.601", number: 6, red: 0.299, blue: 0.114)
        static let all = [
            bt709, unspecified, Matrix(testDescription: "BT.601 (625)", number: 5, red: 0.299, blue: 0.114), bt601,
            Matrix(testDescription: "BT.2020", number: 9, red: 0.2627, blue: 0.0593),
        ]

        /// Returns the samples of a colour, by the equations of the recommendations.
        func samples(_ rgb: [Double], isFullRange: Bool) -> [Double] {
            let luma = red * rgb[0] + (1 - red - blue) * rgb[1] + blue * rgb[2]
            let chroma = [(rgb[2] - luma) / (2 * (1 - blue)), (rgb[0] - luma) / (2 * (1 - red))]
            guard !isFullRange else { return [luma] + chroma.map { 128 + $0 } }
            return [16 + 219 * luma / 255] + chroma.map { 128 + 224 * $0 / 255 }
        }
    }

    /// Returns a frame with a matrix and a range by their numbers; range 2 is full.
    private static func frame(_ matrix: UInt32, range: UInt32, _ format: String = "yuv420p") throws -> VideoFrame {
        let frame = try VideoFrame(width: 2, height: 2, format: try #require(PixelFormat(name: format)))
        frame.frame.pointee.colorspace.rawValue = matrix
        frame.frame.pointee.color_range.rawValue = range
        return frame
    }

    private static func distance(_ a: [Double], _ b: [Double]) -> Double {
        zip(a, b).map { abs($0 - $1) }.max() ?? .infinity
    }

    @Test(arguments: Matrix.all, [true, false]) func samplesHaveTheColorsThatMadeThem(
        _ matrix: Matrix, isFullRange: Bool
    ) throws {
        let frame = try Self.frame(matrix.number, range: isFullRange ? 2 : 1)
        let weights = try #require(frame.lumaWeights)
        #expect(weights == (matrix.red, matrix.blue) && frame.isFullRange == isFullRange)
        let colors = SampleColors(frame)
        var generator = SeededGenerator(seed: 41)
        let corners = (0..<8).map { bits in (0..<3).map { bits >> $0 & 1 == 1 ? 255.0 : 0 } }
        let others = (0..<200).map { _ in (0..<3).map { _ in Double(generator.int(0...255)) } }
        for color in corners + others {
            let samples = matrix.samples(color, isFullRange: isFullRange)
            #expect(Self.distance(colors.rgb(samples, over: 255), color) < 1e-9, "\(color)")
            // Each sample is rounded by up to half a code.
            let rounded = samples.map { min(255, $0.rounded()) }
            #expect(Self.distance(colors.rgb(rounded, over: 255), color) < 2, "\(color)")
        }
    }

    /// The codes of primary colours in limited range, as test patterns have them.
    @Test(arguments: [
        (Matrix.bt601, [81.0, 90, 240], [255.0, 0, 0]), (.bt601, [145, 54, 34], [0, 255, 0]),
        (.bt601, [41, 240, 110], [0, 0, 255]), (.bt709, [63, 102, 240], [255, 0, 0]),
        (.bt709, [173, 42, 26], [0, 255, 0]), (.bt709, [32, 240, 118], [0, 0, 255]),
        (.bt709, [16, 128, 128], [0, 0, 0]), (.bt709, [235, 128, 128], [255, 255, 255]),
    ])
    func knownCodesHaveTheirColors(matrix: Matrix, codes: [Double], color: [Double]) throws {
        let colors = SampleColors(try Self.frame(matrix.number, range: 1))
        #expect(Self.distance(colors.rgb(codes, over: 255), color) < 1.5)
    }

    @Test func formatsOfJPEGHaveFullRangeWithoutATag() throws {
        for range: UInt32 in [0, 2] { #expect(try Self.frame(6, range: range, "yuvj420p").isFullRange) }
        #expect(try !Self.frame(6, range: 0).isFullRange)
    }

    /// The chroma of YCgCo (8) has other meanings, so that frames cannot be mapped linearly.
    @Test func unknownMatricesHaveNoWeightsAndTheColorsOfBT601() throws {
        let frame = try Self.frame(8, range: 1)
        #expect(frame.lumaWeights == nil)
        let samples = Matrix.bt601.samples([200, 30, 90], isFullRange: false)
        #expect(Self.distance(SampleColors(frame).rgb(samples, over: 255), [200, 30, 90]) < 1e-9)
    }

    /// Premultiplied colours let the background through.
    @Test func translucentColorsAreOverTheBackground() {
        for alpha in stride(from: 0.0, through: 255, by: 15) {
            for background in [0.0, 100, 255] {
                let own = [255.0, 128, 0].map { $0 * alpha / 255 }
                let expected = own.map { $0 + background * (1 - alpha / 255) }
                let found = SampleColors.rgba.rgb(own + [alpha], over: background)
                #expect(Self.distance(found, expected) < 1e-9)
            }
        }
    }
}
