import Core
import Media

/// A region of a clip and the resolution at which it is analysed.
struct RegionView: Sendable {
    /// The region in pixels of the clip.
    let region: PixelRect
    /// The width of the view in pixels.
    let width: Int
    /// The height of the view in pixels.
    let height: Int

    /// The standard deviation, in pixels, of the blur that removes dithering and noise.
    static let blurSigma = 1.0

    /// Creates a view of a region with at most about `budget` pixels, and never more than the clip
    /// has.
    init(_ region: PixelRect, budget: Int) {
        self.region = region
        let factor = min(1, (Double(budget) / Double(max(1, region.width * region.height))).squareRoot())
        width = max(1, Int((Double(region.width) * factor).rounded()))
        height = max(1, Int((Double(region.height) * factor).rounded()))
    }

    /// Pixels of the view per pixel of the clip.
    var scale: Double { Double(width) / Double(region.width) }
    /// True if the view has fewer pixels than the region.
    var isReduced: Bool { width < region.width }

    /// Returns a scaler from frames of the clip to the view.
    func scaler() throws -> FrameScaler {
        try FrameScaler(
            width: width, height: height, region: region, blurSigma: isReduced ? 0 : RegionView.blurSigma)
    }

    /// Converts a position in the view to one in the clip. Both are in pixels from the upper left
    /// corner.
    func clipPoint(_ point: Point) -> Point {
        Point(
            Double(region.x) + point.x * Double(region.width) / Double(width),
            Double(region.y) + point.y * Double(region.height) / Double(height))
    }
}
