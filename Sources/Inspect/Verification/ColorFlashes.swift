/// The mean colours of a frame, and the area of its objects.
struct FrameColors {
    /// The means of red, green, blue and the saturation, in codes.
    let means: SIMD4<Double>
    /// The mean difference of all pixels from the background, in codes of a channel.
    let foreground: Double
    /// The share of the pixels that do not have the background's colour.
    let coverage: Double

    /// The difference in codes above which a pixel does not have the background's colour.
    private static let minDifference = 24

    /// Measures a frame whose first pixel has the background's colour.
    init(_ pixels: Pixels) {
        let bytes = pixels.bytes
        guard bytes.count >= 4 else {
            means = .zero
            foreground = 0
            coverage = 0
            return
        }
        let background = SIMD4(Int(bytes[0]), Int(bytes[1]), Int(bytes[2]), 0)
        var sums = SIMD4<Int>()
        var total = 0
        var covered = 0
        for start in stride(from: 0, to: bytes.count - 3, by: 4) {
            var color = SIMD4(Int(bytes[start]), Int(bytes[start + 1]), Int(bytes[start + 2]), 0)
            let difference = pointwiseMax(color &- background, background &- color)
            total += difference.wrappedSum()
            if difference.max() > Self.minDifference { covered += 1 }
            color[3] = max(color[0], color[1], color[2]) - min(color[0], color[1], color[2])
            sums &+= color
        }
        let count = Double(bytes.count / 4)
        means = SIMD4<Double>(sums) / count
        foreground = Double(total) / 3 / count
        coverage = Double(covered) / count
    }
}

// Flashes whose colours alone tell them from the frames around. An object that moves by its own
// width in each frame changes as many samples in any other frame.
extension WholeClipFaults {
    /// The minimum change of the mean colours at both ends of a flash, relative to the difference
    /// of the objects from the background. Grey objects instead of coloured ones reach 0.5 to 2,
    /// and an eye that closes 0.1.
    private static let minColorChange = 0.3
    /// The same relative to the largest change within the flash and beside it, where objects change
    /// their colours by design.
    private static let minColorEnds = 4.0
    /// The maximum change across the flash, relative to that at its ends.
    private static let maxColorAcross = 0.25
    /// The maximum ratio between the areas of the objects in a flash and before it. Something that
    /// appears for a moment, such as lightning, is not a change of colours.
    private static let maxAreaRatio = 1.2
    /// The number of steps on each side with which the ends are compared.
    private static let colorSteps = 3
    /// The minimum difference of the objects from the background. With less, noise decides.
    private static let minForeground = 0.2

    /// Returns the number of frames from an index in which all objects have other colours than in
    /// the frames before and after them, at most `maxCount`; nil if they have not.
    func colorFlashLength(_ index: Int, maxCount: Int) -> Int? {
        let first = index - 1 - Self.colorSteps
        guard first >= 0, colors[index - 1].foreground >= Self.minForeground else { return nil }
        let minChange = Self.minColorChange * colors[index - 1].foreground
        let enter = colorChange(index - 1, index)
        let before = (first..<index - 1).map { colorChange($0, $0 + 1) }.max() ?? 0
        let areas = [colors[index - 1].coverage, colors[index].coverage]
        guard enter >= minChange, enter > Self.minColorEnds * before,
            FrameOrderCheck.ratio(areas) <= Self.maxAreaRatio
        else { return nil }
        return (1...maxCount).first { count in
            let end = index + count
            guard end + Self.colorSteps < samples.count else { return false }
            let ends = min(enter, colorChange(end - 1, end))
            let steps = [index..<end - 1, end..<end + Self.colorSteps].joined()
            let around = max(before, steps.map { colorChange($0, $0 + 1) }.max() ?? 0)
            return ends >= minChange && ends > Self.minColorEnds * around
                && colorChange(index - 1, end) < Self.maxColorAcross * ends
        }
    }

    /// Returns the largest difference of the mean colours of two frames.
    func colorChange(_ first: Int, _ second: Int) -> Double {
        let difference = colors[first].means - colors[second].means
        return pointwiseMax(difference, -difference).max()
    }
}
