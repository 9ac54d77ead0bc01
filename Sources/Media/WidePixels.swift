import Core

extension PixelFormat {
    /// True for red, green and blue of 16 bits each, with or without alpha.
    var isWideRGB: Bool { [.rgb48, .rgba64].contains(self) }
}

extension PixelConverter {
    /// Copies a box of straight BGRA into RGB of 16 bits: a value *v* becomes 257 *v*, so that 255
    /// becomes 65,535. swscale computes in 15 bits, in which white is not white.
    static func widen(
        _ source: UnsafePointer<UInt8>, _ sourceStride: Int,
        into plane: (data: UnsafeMutablePointer<UInt8>, stride: Int), _ box: PixelRect,
        channels: Int
    ) {
        let order = [2, 1, 0, 3]
        for y in box.y..<box.maxY {
            let from = source + y * sourceStride
            let row = UnsafeMutableRawPointer(plane.data + y * plane.stride)
            for x in box.x..<box.maxX {
                for channel in 0..<channels {
                    let value = 257 * UInt16(from[4 * x + order[channel]])
                    row.storeBytes(
                        of: value.littleEndian, toByteOffset: 2 * (channels * x + channel), as: UInt16.self)
                }
            }
        }
    }
}

extension VideoFrame {
    /// Returns the frame in RGB of 8 bits, with or without alpha: a value *v* becomes *v*/257,
    /// rounded. The inverse of `PixelConverter.widen`.
    func narrowed() throws(FFmpegError) -> VideoFrame {
        let channels = format.hasAlpha ? 4 : 3
        let result = try VideoFrame(width: width, height: height, format: channels == 4 ? .rgba : .rgb24)
        guard let source = plane(0), let target = result.plane(0) else { return result }
        for y in 0..<height {
            let from = UnsafeRawPointer(source.data + y * source.stride)
            let row = target.data + y * target.stride
            for index in 0..<channels * width {
                let value = UInt16(littleEndian: from.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
                row[index] = UInt8((UInt32(value) + 128) / 257)
            }
        }
        return result
    }
}
