/// A gradient that changes with the direction from a centre, such as a ring that fades along its
/// circumference.
///
/// CSS's `conic-gradient` and Core Animation's `conic` gradients are the same, apart from their
/// start: in CSS it is up, here it is right, as for the angles of arcs.
public struct ConicGradient: Sendable, Hashable {
    /// The centre in points.
    public var center: Point
    /// The direction of the offsets 0 and 1 in radians: 0 is right, and angles grow clockwise.
    public var startAngle: Double
    /// The stops in ascending order of their offsets, each of which is a fraction of a turn.
    public var stops: [GradientStop]

    /// A gradient around `center` that starts at the right by default.
    public init(center: Point, startAngle: Double = 0, stops: [GradientStop]) {
        self.center = center
        self.startAngle = startAngle
        self.stops = stops
    }
}

extension ConicGradient {
    /// The maximum difference of two adjacent sectors in any component: 3 of 255 codes, below what
    /// one can see.
    private static let maxStep = 3.0 / 255
    /// The fraction of a turn by which an opaque sector lies under the next one. Otherwise what is
    /// behind them would shine through the antialiased edge between them.
    private static let overlap = 0.02

    /// Returns shapes that cover a rectangle with sectors of constant colours, for formats without
    /// conic gradients. Where translucent sectors of several colours meet, their edges may show.
    package func sectors(covering bounds: Rect) -> [Shape] {
        let radius = 1.01 * (bounds.corners.map { $0.distance(to: center) }.max() ?? 0)
        let stops = stops.normalized
        guard let first = stops.first, let last = stops.last else { return [] }
        let all = [GradientStop(0, first.color)] + stops + [GradientStop(1, last.color)]
        let hasOneColor = all.allSatisfy { $0.color.opacity(1) == first.color.opacity(1) }
        return hasOneColor ? layers(all, radius: radius) : steps(all, radius: radius)
    }

    private func addSector(_ offsets: Range<Double>, radius: Double, to path: inout Path) {
        let start = startAngle + 2 * .pi * offsets.lowerBound
        let end = startAngle + 2 * .pi * offsets.upperBound
        path.move(to: center)
        path.addArc(center: center, radius: radius, startAngle: start, endAngle: end)
        path.close()
    }

    /// Returns a sector for each step between two stops of different colours.
    private func steps(_ stops: [GradientStop], radius: Double) -> [Shape] {
        let steps = zip(stops, stops.dropFirst()).flatMap { start, end -> [(offsets: Range<Double>, color: Color)] in
            let length = end.offset - start.offset
            guard length > 0 else { return [] }
            let count = max(1, Int((start.color.difference(to: end.color) / Self.maxStep).rounded(.up)))
            return (0..<count).map { step in
                let low = start.offset + length * Double(step) / Double(count)
                let high = start.offset + length * Double(step + 1) / Double(count)
                return (low..<high, start.color.mixed(with: end.color, (Double(step) + 0.5) / Double(count)))
            }
        }
        return steps.indices.map { index in
            var offsets = steps[index].offsets
            func isOpaque(_ step: Int) -> Bool { steps[step].color.alpha == 1 }
            if isOpaque(index), index + 1 < steps.count, isOpaque(index + 1) {
                offsets = offsets.lowerBound..<min(1, offsets.upperBound + Self.overlap)
            }
            // The last sector is drawn over the first one.
            if index == 0, isOpaque(0), isOpaque(steps.count - 1) { offsets = -Self.overlap..<offsets.upperBound }
            var path = Path()
            addSector(offsets, radius: radius, to: &path)
            return Shape(path, fill: steps[index].color)
        }
    }

    /// Returns layers of one colour, each of which covers the directions in which the opacity
    /// reaches its level and raises the opacity to that level. As two layers differ little, their
    /// edges do not show.
    private func layers(_ stops: [GradientStop], radius: Double) -> [Shape] {
        let lowest = stops.map(\.color.alpha).min() ?? 0
        let highest = stops.map(\.color.alpha).max() ?? 0
        let count = Int(((highest - lowest) / Self.maxStep).rounded(.up))
        var shown = 0.0
        return (0...count).map { index in
            let level = lerp(lowest, highest, max(0, Double(index) - 0.5) / Double(max(1, count)))
            let wanted = lerp(lowest, highest, Double(index) / Double(max(1, count)))
            var path = Path()
            for offsets in Self.offsets(of: stops, reaching: level) { addSector(offsets, radius: radius, to: &path) }
            // Rounded as players do, so that errors do not add up.
            let opacity = (255 * (1 - (1 - wanted) / (1 - shown))).rounded() / 255
            shown += opacity * (1 - shown)
            return Shape(path, fill: stops[0].color.opacity(opacity))
        }
    }

    /// Returns the ranges of offsets in which the opacity is at least `level`.
    private static func offsets(of stops: [GradientStop], reaching level: Double) -> [Range<Double>] {
        var ranges: [Range<Double>] = []
        for (start, end) in zip(stops, stops.dropFirst()) {
            let (a, b) = (start.color.alpha, end.color.alpha)
            guard end.offset > start.offset, max(a, b) >= level else { continue }
            let crossing = a == b ? start.offset : lerp(start.offset, end.offset, (level - a) / (b - a))
            let range = (a < level ? crossing : start.offset)..<(b < level ? crossing : end.offset)
            if let last = ranges.last, last.upperBound == range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            } else {
                ranges.append(range)
            }
        }
        return ranges
    }
}

extension Color {
    /// Returns the largest difference of a component.
    fileprivate func difference(to other: Color) -> Double {
        max(abs(red - other.red), abs(green - other.green), abs(blue - other.blue), abs(alpha - other.alpha))
    }

    /// Returns the colour at a fraction of the way to another one, not premultiplied.
    fileprivate func mixed(with other: Color, _ fraction: Double) -> Color {
        Color(
            red: lerp(red, other.red, fraction), green: lerp(green, other.green, fraction),
            blue: lerp(blue, other.blue, fraction), alpha: lerp(alpha, other.alpha, fraction))
    }
}
