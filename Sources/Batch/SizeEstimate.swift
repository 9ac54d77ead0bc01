import Media
import Render

extension RenderPlan {
    /// The estimated size of the output in bytes: the codec's typical bits per pixel for such
    /// drawings at default quality, plus the container. Accurate to a factor of about three.
    package var estimatedBytes: Int {
        let pixels = Double(width * height) * Double(frameCount)
        return min(maxBytes ?? .max, 1000 + frameCount * 12 + Int(pixels * encoder.traits.bitsPerPixel / 8))
    }

    /// The maximum size of a file that this plan can produce, in bytes: all frames uncompressed at
    /// 16 bits per channel with 4 KiB of headers and palette each, the largest audio file, and
    /// 64 MiB for captions, chapters, attached pictures and the container's tables. Replayed frames
    /// are written each time, so `framesToEncode` is not a bound.
    var maxFileBytes: Int {
        max(frameCount, framesToEncode) * (width * height * 8 + 4096) + AudioSource.maxFileBytes + (64 << 20)
    }
}
