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

    /// A range of offsets with a constant colour.
    private struct Step {
        var offsets: Range<Double>
        let color: Color
    }

    /// Returns a sector for each step between two stops of different colours.
    private func steps(_ stops: [GradientStop], radius: Double) -> [Shape] {
        let steps = zip(stops, stops.dropFirst()).flatMap { start, end -> [Step] in
            let length = end.offset - start.offset
            guard length > 0 else { return [] }
            let count = Self.stepCount(start.color.difference(to: end.color))
            return (0..<count).map { step in
                let low = start.offset + length * Double(step) / Double(count)
                let high = start.offset + length * Double(step + 1) / Double(count)
                let color = start.color.mixed(with: end.color, (Double(step) + 0.5) / Double(count))
                return Step(offsets: low..<high, color: color)
            }
        }
        return Self.overlapping(steps).map { step in
            var path = Path()
            addSector(step.offsets, radius: radius, to: &path)
            return Shape(path, fill: step.color)
        }
    }

    /// Returns the number of steps for a difference of two colours, at most 256: colours may have
    /// components outside of 0...1.
    private static func stepCount(_ difference: Double) -> Int {
        max(1, Int(min(256, difference / maxStep).rounded(.up)))
    }

    /// Returns the steps, of which opaque ones reach under the opaque ones that follow and are
    /// drawn over them, but not under translucent ones. The last step is drawn over the first one.
    private static func overlapping(_ steps: [Step]) -> [Step] {
        var result = steps
        var end = 0.0
        for index in steps.indices.reversed() where steps[index].color.alpha == 1 {
            let step = steps[index]
            let isFollowed = index + 1 < steps.count && steps[index + 1].color.alpha == 1
            if !isFollowed { end = step.offsets.upperBound }
            result[index].offsets = step.offsets.lowerBound..<min(end, step.offsets.upperBound + overlap)
        }
        let last = steps.reversed().prefix { $0.color.alpha == 1 }
        if let first = steps.first, first.color.alpha == 1, let start = last.last?.offsets.lowerBound {
            result[0].offsets = max(-overlap, start - 1)..<result[0].offsets.upperBound
        }
        return result
    }

    /// Returns layers of one colour, each of which covers the directions in which the opacity
    /// reaches its level and raises the opacity to that level. As two layers differ little, their
    /// edges do not show.
    private func layers(_ stops: [GradientStop], radius: Double) -> [Shape] {
        let lowest = stops.map(\.color.alpha).min() ?? 0
        let highest = stops.map(\.color.alpha).max() ?? 0
        let count = lowest == highest ? 0 : Self.stepCount(highest - lowest)
        var layers: [Shape] = []
        var shown = 0.0
        for index in 0...count where shown < 1 {
            let level = lerp(lowest, highest, max(0, Double(index) - 0.5) / Double(max(1, count)))
            let wanted = lerp(lowest, highest, Double(index) / Double(max(1, count)))
            // Rounded as players do, so that errors do not add up.
            let opacity = (255 * (1 - (1 - wanted) / (1 - shown))).rounded() / 255
            guard opacity > 0 else { continue }
            shown += opacity * (1 - shown)
            var path = Path()
            for offsets in Self.offsets(of: stops, reaching: level) { addSector(offsets, radius: radius, to: &path) }
            layers.append(Shape(path, fill: stops[0].color.opacity(opacity)))
        }
        return layers
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
}
