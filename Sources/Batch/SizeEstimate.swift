import Pipeline

extension RenderPlan {
    /// About how large the output becomes, in bytes: the codec's usual bits a pixel for drawings like these, at default
    /// quality, plus what a container takes. Good to a factor of three or so.
    public var estimatedBytes: Int {
        let bitsPerPixel: Double =
            switch encoder.encoder {
            case "libx264", "libx265": 0.02
            case "libvpx-vp9", "libsvtav1", "libaom-av1", "librav1e": 0.015
            case "libvpx": 0.03
            default: 2
            }
        let pixels = Double(width * height) * Double(frameCount)
        return 1000 + frameCount * 12 + Int(pixels * bitsPerPixel / 8)
    }
}
