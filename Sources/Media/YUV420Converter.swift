import CLibAV
import Core

/// A converter from BGRA to `yuv420p` with the same bytes as swscale's with the flags of
/// `BoxScaler`, for boxes anywhere in a frame.
///
/// swscale needs a context for each size of box, whose creation takes longer than a frame, and it
/// writes whole vectors, so boxes have to be copied. The formula is that of its accurate rounding:
/// products of 15 bits are rounded to 6 fractional bits for each pixel, and luma and the sum of
/// four chroma values are then rounded to 8 bits.
struct YUV420Converter: Sendable {
    /// The factors of red, green and blue in luma and both chromas, in units of 2^-15. They are
    /// whole numbers; all sums are below 2^23, so single precision is exact.
    private struct Weights: Sendable {
        let red: Float
        let green: Float
        let blue: Float
        /// The value of black, with half a unit of the 6 fractional bits and the origin.
        let offset: Float

        /// Weights from factors in units of 2^-15.
        ///
        /// - Parameter black: the value of black in 8 bits.
        init(_ red: Int, _ green: Int, _ blue: Int, black: Int) {
            self.red = Float(red) / 0x1_0000
            self.green = Float(green) / 0x100
            self.blue = Float(blue)
            offset = YUV420Converter.origin + Float((black << 15) + (1 << 8))
        }
    }

    private let luma: Weights
    private let blueChroma: Weights
    private let redChroma: Weights

    /// Returns the converter for a matrix; nil if this build of swscale has other bytes.
    static func matching(_ matrix: ColorMatrix) -> YUV420Converter? {
        matrix == .bt709 ? forBT709 : nil
    }

    private static let forBT709: YUV420Converter? = {
        let converter = YUV420Converter(.bt709)
        return (try? converter.isExact(.bt709)) == true ? converter : nil
    }()

    /// Computes the weights as swscale does (`fill_rgb2yuv_table`), for limited range.
    private init(_ matrix: ColorMatrix) {
        let table = sws_getCoefficients(Int32(matrix.space.rawValue))
        func coefficient(_ index: Int) -> Int { Int(table?[index] ?? 0) }
        func divided(_ a: Int, by b: Int) -> Int { (a >= 0 ? a + b / 2 : a - b / 2) / b }
        let one = 1 << 16
        let w = divided(-one * one * coefficient(2), by: coefficient(1))
        let v = divided(-one * one * coefficient(3), by: coefficient(0))
        let z = one * one - w - v
        let y = divided(one * 255 / 219 * z, by: one)
        let u = divided(coefficient(1) * z, by: one)
        let r = divided(coefficient(0) * z, by: one)
        func weight(_ value: Int, _ scale: Int) -> Int { divided(value << 15, by: scale) }
        luma = Weights(-weight(v, y), weight(one * one, y), -weight(w, y), black: 16)
        blueChroma = Weights(weight(v, u), -weight(one * one, u), weight(z + w, u), black: 128)
        redChroma = Weights(weight(v + z, r), -weight(one * one, r), weight(w, r), black: 128)
    }

    /// Converts a box of a bitmap into the same box of a frame. The box has even edges.
    func convert(_ data: UnsafePointer<UInt8>, _ stride: Int, _ box: PixelRect, into frame: VideoFrame) {
        guard let luma = frame.plane(0), let blue = frame.plane(1), let red = frame.plane(2) else { return }
        for y in Swift.stride(from: box.y, to: box.maxY, by: 2) {
            let chroma = (y / 2, box.x / 2)
            convertRows(
                data + y * stride + 4 * box.x, stride, count: box.width,
                luma: luma.data + y * luma.stride + box.x, luma.stride,
                blue: blue.data + chroma.0 * blue.stride + chroma.1, red: red.data + chroma.0 * red.stride + chroma.1)
        }
    }

    /// The number of pixels of a row that are converted at once.
    private static let lanes = 8
    private typealias Floats = SIMD8<Float>
    private typealias Integers = SIMD8<Int32>

    /// Converts two rows of pixels.
    private func convertRows(
        _ pixels: UnsafePointer<UInt8>, _ stride: Int, count: Int, luma: UnsafeMutablePointer<UInt8>,
        _ lumaStride: Int, blue: UnsafeMutablePointer<UInt8>, red: UnsafeMutablePointer<UInt8>
    ) {
        let whole = count / Self.lanes * Self.lanes
        for x in Swift.stride(from: 0, to: whole, by: Self.lanes) {
            convert(
                UnsafeRawPointer(pixels + 4 * x), UnsafeRawPointer(pixels + stride + 4 * x),
                luma: UnsafeMutableRawPointer(luma + x), UnsafeMutableRawPointer(luma + lumaStride + x),
                blue: UnsafeMutableRawPointer(blue + x / 2), red: UnsafeMutableRawPointer(red + x / 2))
        }
        guard whole < count else { return }
        convertRest(
            pixels + 4 * whole, stride, count: count - whole, luma: luma + whole, lumaStride, blue: blue + whole / 2,
            red: red + whole / 2)
    }

    /// Converts the last pixels of two rows on copies that are as long as `lanes`.
    private func convertRest(
        _ pixels: UnsafePointer<UInt8>, _ stride: Int, count: Int, luma: UnsafeMutablePointer<UInt8>,
        _ lumaStride: Int, blue: UnsafeMutablePointer<UInt8>, red: UnsafeMutablePointer<UInt8>
    ) {
        withUnsafeTemporaryAllocation(byteCount: 12 * Self.lanes, alignment: 64) { scratch in
            guard let base = scratch.baseAddress else { return }
            let source = base
            let second = base + 4 * Self.lanes
            scratch.initializeMemory(as: UInt8.self, repeating: 0)
            source.copyMemory(from: pixels, byteCount: 4 * count)
            second.copyMemory(from: pixels + stride, byteCount: 4 * count)
            let target = base + 8 * Self.lanes
            let lower = target + Self.lanes
            let chroma = target + 2 * Self.lanes
            convert(
                UnsafeRawPointer(source), UnsafeRawPointer(second), luma: target, lower, blue: chroma,
                red: chroma + Self.lanes / 2)
            luma.update(from: target.assumingMemoryBound(to: UInt8.self), count: count)
            (luma + lumaStride).update(from: lower.assumingMemoryBound(to: UInt8.self), count: count)
            blue.update(from: chroma.assumingMemoryBound(to: UInt8.self), count: count / 2)
            red.update(from: (chroma + Self.lanes / 2).assumingMemoryBound(to: UInt8.self), count: count / 2)
        }
    }

    /// Converts `lanes` pixels of two rows.
    @inline(__always)
    private func convert(
        _ upper: UnsafeRawPointer, _ lower: UnsafeRawPointer, luma: UnsafeMutableRawPointer,
        _ lowerLuma: UnsafeMutableRawPointer, blue: UnsafeMutableRawPointer, red: UnsafeMutableRawPointer
    ) {
        let a = Channels(upper)
        let b = Channels(lower)
        luma.storeBytes(of: Self.narrowed((a.sum(self.luma) &+ (32 - Self.bias)) &>> 6), as: SIMD8<UInt8>.self)
        lowerLuma.storeBytes(of: Self.narrowed((b.sum(self.luma) &+ (32 - Self.bias)) &>> 6), as: SIMD8<UInt8>.self)
        store(a.sum(blueChroma) &+ b.sum(blueChroma), to: blue)
        store(a.sum(redChroma) &+ b.sum(redChroma), to: red)
    }

    /// Stores the means of neighbours.
    @inline(__always)
    private func store(_ sums: Integers, to target: UnsafeMutableRawPointer) {
        let means = (sums.evenHalf &+ sums.oddHalf &+ (128 - 4 * Self.bias)) &>> 8
        target.storeBytes(of: SIMD4<UInt8>(truncatingIfNeeded: means), as: SIMD4<UInt8>.self)
    }

    @inline(__always)
    private static func narrowed(_ values: Integers) -> SIMD8<UInt8> { SIMD8<UInt8>(truncatingIfNeeded: values) }

    /// The channels of pixels as numbers: red times 2^16, green times 2^8, and blue. The weights
    /// are divided accordingly, which saves shifting.
    private struct Channels {
        private let red: Floats
        private let green: Floats
        private let blue: Floats

        @inline(__always)
        init(_ pixels: UnsafeRawPointer) {
            let words = pixels.loadUnaligned(as: Integers.self)
            red = Floats(words & 0xFF_0000)
            green = Floats(words & 0xFF00)
            blue = Floats(words & 0xFF)
        }

        /// Returns a weighted sum of the channels with 6 fractional bits, plus `bias`.
        @inline(__always)
        func sum(_ weights: Weights) -> Integers {
            let sum = red * weights.red + green * weights.green + blue * weights.blue + weights.offset
            return unsafeBitCast(sum, to: Integers.self) &>> 9
        }
    }

    /// 2^23. A number of single precision from there to 2^24 is whole, and its last 23 bits are its
    /// distance from 2^23: adding it converts to integers in one step.
    private static let origin: Float = 8_388_608

    /// The upper bits of such a number after shifting by 9.
    private static let bias = Int32(bitPattern: origin.bitPattern) >> 9

    /// Returns true if this build of swscale has the same bytes for a test image, which has the
    /// extremes of all channels and all kinds of colours.
    private func isExact(_ matrix: ColorMatrix) throws(FFmpegError) -> Bool {
        let width = 64
        let height = 32
        var state: UInt32 = 1
        var pixels = [UInt8](repeating: 0, count: 4 * width * height)
        for index in pixels.indices {
            // The constants of a linear congruential generator, from Numerical Recipes.
            state = state &* 1_664_525 &+ 1_013_904_223
            let value = UInt8(truncatingIfNeeded: state >> 24)
            pixels[index] = index % 11 == 0 ? (value < 128 ? 0 : 255) : value
        }
        let frames = try (
            VideoFrame(width: width, height: height, format: .yuv420p),
            VideoFrame(width: width, height: height, format: .yuv420p)
        )
        let box = PixelRect(x: 0, y: 0, width: width, height: height)
        let scaler = try BoxScaler(width: width, height: height, to: .yuv420p, matrix: matrix)
        let error = pixels.withUnsafeBufferPointer { buffer -> FFmpegError? in
            guard let base = buffer.baseAddress else { return nil }
            convert(base, 4 * width, box, into: frames.0)
            do throws(FFmpegError) { try scaler.convert(base, 4 * width, box, into: frames.1) } catch { return error }
            return nil
        }
        if let error { throw error }
        return (0..<3).allSatisfy { index in
            guard let own = frames.0.plane(index), let other = frames.1.plane(index) else { return false }
            let (columns, rows) = index == 0 ? (width, height) : (width / 2, height / 2)
            return (0..<rows).allSatisfy { row in
                memcmp(own.data + row * own.stride, other.data + row * other.stride, columns) == 0
            }
        }
    }
}
