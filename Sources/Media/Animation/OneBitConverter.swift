import Core

/// A converter of the rasterizer's pixels to one bit of alpha, for GIF. Not thread-safe.
final class OneBitConverter: FrameConverter {
    private let bounds: PixelRect
    /// The matte colour's blue, green and red, 0...255; nil for none.
    private let matte: [Int]?

    init(width: Int, height: Int, matte: Color?) {
        bounds = PixelRect(x: 0, y: 0, width: width, height: height)
        self.matte = matte.map { [$0.blue, $0.green, $0.red].map { Int(($0 * 255).rounded()) } }
    }

    func convert(
        _ data: UnsafePointer<UInt8>, stride: Int, into frame: VideoFrame, boxes: [PixelRect]?
    ) throws(FFmpegError) {
        guard let target = frame.plane(0) else { return }
        for box in boxes ?? [bounds] {
            for y in box.y..<box.maxY {
                let from = data + y * stride
                let to = target.data + y * target.stride
                (to + 4 * box.x).update(from: from + 4 * box.x, count: 4 * box.width)
                for pixel in Swift.stride(from: 4 * box.x, to: 4 * box.maxX, by: 4) where from[pixel + 3] != 255 {
                    threshold(from + pixel, into: to + pixel)
                }
            }
        }
    }

    /// Blends a translucent pixel with the matte colour. Without a matte, makes it opaque if its
    /// alpha is at least half, and transparent otherwise.
    private func threshold(_ source: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>) {
        let alpha = Int(source[3])
        guard matte == nil ? alpha >= 128 : alpha > 0 else {
            for channel in 0..<4 { target[channel] = 0 }
            return
        }
        for channel in 0..<3 {
            let value = Int(source[channel])
            let blended = matte.map { value + ($0[channel] * (255 - alpha) + 127) / 255 }
            target[channel] = UInt8(min(255, blended ?? (value * 255 + alpha / 2) / alpha))
        }
        target[3] = 255
    }
}
