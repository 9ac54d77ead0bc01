import Core

/// Lines on a flat area that are too thin to be flat, such as an arc on the ring that is its track.
extension ForegroundComponent {
    /// The largest error of chroma in codes that an encoder makes at a CRF of 28. An area whose
    /// chroma differs less from the background's has no hue; twice as much is no mixture of both.
    private static let maxChromaError: Float = 13
    /// The minimum number of such pixels, and their share of the component. Ends of lines and
    /// errors of the encoder are smaller.
    private static let minPixels = (count: 12, share: 0.08)
    /// The maximum share of the bounding box that a ring or arc covers. Of larger areas, another
    /// hue is a visible part of an object behind.
    private static let maxFilled = 0.5
    /// The reciprocal of the share of these pixels that have the line's own colour.
    private static let innerShare = 4

    /// Returns the colour of a line beside a flat area of another hue; nil if all pixels are
    /// mixtures of the area and the background. A blur, which leaves luma and changes chroma, keeps
    /// the hue.
    func lineBeside(_ flat: Channels) -> Channels? {
        guard Double(members.count) <= Self.maxFilled * Double(box.width * box.height) else { return nil }
        let ground = background.chroma
        let own = flat.chroma - ground
        let length = (own * own).sum()
        let hasHue = length > Self.maxChromaError * Self.maxChromaError
        let others = members.compactMap { pixel -> (pixel: Int, distance: Float)? in
            let change = color(pixel).chroma - ground
            let share = hasHue ? max(0, (change * own).sum() / length) : 0
            let rest = change - own * share
            let distance = (rest * rest).sum().squareRoot()
            return distance > 2 * Self.maxChromaError ? (pixel, distance) : nil
        }
        let needed = max(Double(Self.minPixels.count), Self.minPixels.share * Double(members.count))
        guard Double(others.count) >= needed else { return nil }
        let strongest = others.sorted { ($1.distance, $0.pixel) < ($0.distance, $1.pixel) }
        let inner = strongest.prefix(max(Self.minPixels.count, others.count / Self.innerShare))
        return inner.reduce(Channels()) { $0 + color($1.pixel) } / Float(inner.count)
    }
}
