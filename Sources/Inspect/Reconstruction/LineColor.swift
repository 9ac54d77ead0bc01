import Core

extension ForegroundComponent {
    /// The minimum contrast of luma, in codes, that shows the colour of a line.
    private static let minLineLuma: Float = 40
    /// The distance in codes from an end of the range of a component within which blurred chroma
    /// may leave the range.
    private static let margin: Float = 8
    /// The reciprocal of the share of a line's pixels that it covers wholly.
    private static let innerShare = 4

    /// Returns the colour of an area without flat pixels, such as a thin line, whose chroma is
    /// blurred: a blur moves chroma, and keeps its sum. The inner pixels have the luma.
    func lineColor() -> Channels {
        let extreme = extremeColor()
        let luma = innerLuma()
        guard abs(luma - background.luma) >= Self.minLineLuma else { return extreme }
        let sum = members.reduce(Channels()) { $0 + color($1) - background }
        let strongest = (0..<3).max { abs((extreme - background)[$0]) < abs((extreme - background)[$1]) } ?? 0
        let contrast = (extreme - background)[strongest]
        guard sum[strongest] * contrast > abs(contrast) else { return extreme }
        var result = background + sum * (contrast / sum[strongest])
        // Beside the line, the luma is the background's and the chroma is not, so that components
        // are out of range. They follow from the luma.
        let isClipped = (0..<3).map { index in
            background[index] > 255 - Self.margin && extreme[index] > luma
                || background[index] < Self.margin && extreme[index] < luma
        }
        let weight = (0..<3).reduce(Float(0)) { $0 + (isClipped[$1] ? Channels.lumaWeights[$1] : 0) }
        guard weight > 0 else { return result.clamped(lowerBound: Channels(), upperBound: Channels(repeating: 255)) }
        for index in 0..<3 where isClipped[index] { result[index] = extreme[index] }
        let rest = (luma - result.luma) / weight
        for index in 0..<3 where isClipped[index] { result[index] += rest }
        return result.clamped(lowerBound: Channels(), upperBound: Channels(repeating: 255))
    }

    /// Returns the median luma of the quarter of the pixels whose luma differs most.
    private func innerLuma() -> Float {
        let lumas = members.map { color($0).luma }
        let ground = background.luma
        let contrasts = lumas.map { abs($0 - ground) }
        let strong = Self.largest(lumas.count / (2 * Self.innerShare) + 1, of: contrasts)
        return strong.min { contrasts[$0] < contrasts[$1] }.map { lumas[$0] } ?? ground
    }

    /// Returns the mean of the tenth of the pixels that differ most from the background.
    func extremeColor() -> Channels {
        let contrasts = members.map { (color($0) - background).largest }
        let chosen = Self.largest(max(1, members.count / 10), of: contrasts)
        return chosen.reduce(Channels()) { $0 + color(members[$1]) } / Float(chosen.count)
    }

    /// Returns the indices of the largest values, which are 0...255. A histogram is faster than
    /// sorting, because this runs for most objects of most frames.
    private static func largest(_ count: Int, of values: [Float]) -> [Int] {
        func bin(_ value: Float) -> Int { min(255, max(0, Int(value))) }
        var counts = [Int](repeating: 0, count: 256)
        for value in values { counts[bin(value)] += 1 }
        var last = 255
        var above = 0
        while last > 0, above + counts[last] < count {
            above += counts[last]
            last -= 1
        }
        let chosen = values.indices.filter { bin(values[$0]) > last }
        let candidates = values.indices.filter { bin(values[$0]) == last }.sorted { values[$0] > values[$1] }
        return chosen + candidates.prefix(max(0, count - above))
    }
}
