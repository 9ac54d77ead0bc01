import Core
import TestSupport
import Testing

@testable import Media

/// The conversion to `yuv420p` without swscale.
@Suite struct YUV420Tests {
    /// Random boxes of random pixels, with columns that are not a multiple of a vector's width,
    /// have the bytes of swscale. Everything else in the frame stays.
    @Test(arguments: [(480, 270), (34, 18), (16, 16), (6, 4)]) func boxesHaveTheBytesOfSwscale(size: (Int, Int)) throws
    {
        let (width, height) = size
        let converter = try #require(YUV420Converter.matching(.bt709))
        let scaler = try BoxScaler(width: width, height: height, to: .yuv420p, matrix: .bt709)
        var random = SeededGenerator(seed: 420)
        let stride = 4 * width + 64
        for _ in 0..<20 {
            let pixels = (0..<stride * height).map { _ in UInt8.random(in: 0...255, using: &random) }
            let expected = try VideoFrame(width: width, height: height, format: .yuv420p)
            let frame = try VideoFrame(width: width, height: height, format: .yuv420p)
            let whole = PixelRect(x: 0, y: 0, width: width, height: height)
            let x = 2 * random.int(0...width / 2 - 1)
            let y = 2 * random.int(0...height / 2 - 1)
            let box = PixelRect(
                x: x, y: y, width: 2 * random.int(1...(width - x) / 2), height: 2 * random.int(1...(height - y) / 2))
            try pixels.withUnsafeBufferPointer { pixels in
                let base = try #require(pixels.baseAddress)
                try scaler.convert(base, stride, whole, into: expected)
                fill(frame, with: 7)
                converter.convert(base, stride, box, into: frame)
            }
            for index in 0..<3 {
                let step = index == 0 ? 1 : 2
                let (own, other) = (try #require(frame.plane(index)), try #require(expected.plane(index)))
                var wrong = 0
                for row in 0..<height / step {
                    for column in 0..<width / step {
                        let isInside =
                            (box.y / step..<box.maxY / step).contains(row)
                            && (box.x / step..<box.maxX / step).contains(column)
                        let value = isInside ? other.data[row * other.stride + column] : 7
                        if own.data[row * own.stride + column] != value { wrong += 1 }
                    }
                }
                #expect(wrong == 0, "plane \(index) of \(box)")
            }
        }
    }

    private func fill(_ frame: VideoFrame, with value: UInt8) {
        for index in 0..<3 {
            guard let plane = frame.plane(index) else { continue }
            let rows = index == 0 ? frame.height : frame.height / 2
            plane.data.update(repeating: value, count: plane.stride * rows)
        }
    }
}
