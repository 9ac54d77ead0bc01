import Pipeline

extension RenderPlan {
    /// About how large the output becomes, in bytes: the codec's usual bits a pixel for drawings like these, at default
    /// quality, plus what a container takes. Good to a factor of three or so.
    public var estimatedBytes: Int {
        let pixels = Double(width * height) * Double(frameCount)
        return min(mostBytes ?? .max, 1000 + frameCount * 12 + Int(pixels * encoder.traits.bitsPerPixel / 8))
    }
}
