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
    /// The angle in radians by which an opaque sector lies under the next one. Otherwise what is
    /// behind them would shine through the antialiased edge between them.
    private static let overlap = 0.01

    /// Returns sectors of constant colours that cover a rectangle, for formats without conic
    /// gradients. Sectors of one colour share a shape.
    package func sectors(covering bounds: Rect) -> [Shape] {
        let radius = 1.01 * (bounds.corners.map { $0.distance(to: center) }.max() ?? 0)
        var shapes: [Shape] = []
        let steps = steps
        for (index, step) in steps.enumerated() where step.color.alpha > 0 {
            let next = steps[(index + 1) % steps.count].color
            let isSmooth = step.color.alpha == 1 && step.color.difference(to: next) <= 2 * Self.maxStep
            let start = startAngle + 2 * .pi * step.offsets.lowerBound
            let end = startAngle + 2 * .pi * step.offsets.upperBound + (isSmooth ? Self.overlap : 0)
            let shape = shapes.firstIndex { $0.fill == .color(step.color) } ?? shapes.count
            if shape == shapes.count { shapes.append(Shape(Path(), fill: step.color)) }
            shapes[shape].path.move(to: center)
            shapes[shape].path.addArc(center: center, radius: radius, startAngle: start, endAngle: end)
            shapes[shape].path.close()
        }
        return shapes
    }

    /// The ranges of offsets in which colours differ by at most `maxStep`, with their mean colours.
    private var steps: [(offsets: Range<Double>, color: Color)] {
        let stops = stops.normalized
        guard let first = stops.first, let last = stops.last else { return [] }
        let all = [GradientStop(0, first.color)] + stops + [GradientStop(1, last.color)]
        return zip(all, all.dropFirst()).flatMap { start, end -> [(offsets: Range<Double>, color: Color)] in
            let length = end.offset - start.offset
            guard length > 0 else { return [] }
            let count = max(1, Int((start.color.difference(to: end.color) / Self.maxStep).rounded(.up)))
            return (0..<count).map { step in
                let low = start.offset + length * Double(step) / Double(count)
                let high = start.offset + length * Double(step + 1) / Double(count)
                return (low..<high, start.color.mixed(with: end.color, (Double(step) + 0.5) / Double(count)))
            }
        }
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
