import Core

/// The opacities of objects, from the mixed colours where they lie over others.
struct Translucency {
    private var shares: [(color: Channels, values: [Float])] = []

    /// The number of mixed areas from which an opacity is known.
    private static let minCount = 6
    /// The distance in codes of a mixed colour from the one that an opacity explains.
    private static let maxError: Float = 10
    /// The distance in codes between measurements of one object's colour.
    private static let sameColor: Float = 20

    /// Adds the colour of an area in which an object, of the colour `top` over the background, lies
    /// over one of the `others`.
    mutating func add(_ mixed: Channels, top: Channels, others: [Channels], background: Channels) {
        var best: (error: Float, share: Float)?
        for other in others {
            // mixed = top + share * (other - background), where share = 1 - opacity.
            let line = other - background
            let share = (mixed - top).dot(line) / max(1, line.dot(line))
            let error = (mixed - top - line * share).largest
            if error < best?.error ?? Translucency.maxError, share > 0.04, share < 0.7 { best = (error, share) }
        }
        guard let best else { return }
        if let known = shares.firstIndex(where: { ($0.color - top).largest <= Translucency.sameColor }) {
            shares[known].values.append(best.share)
        } else {
            shares.append((top, [best.share]))
        }
    }

    /// The opacity of an object by its colour over the background; 1 if nothing else is known.
    func opacity(of color: Channels) -> Double {
        guard let known = shares.first(where: { ($0.color - color).largest <= Translucency.sameColor }),
            known.values.count >= Translucency.minCount, let median = known.values.median
        else { return 1 }
        return 1 - Double(median)
    }
}
