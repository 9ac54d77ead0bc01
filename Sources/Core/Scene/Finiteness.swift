extension Scene {
    /// True if every length, position and transform is finite. Cairo ignores some infinities and
    /// NaNs silently, and others leave its context in a permanent error state, so this is checked
    /// before drawing.
    package var isFinite: Bool { isFinite(from: 0) }

    /// Returns the same as `isFinite` for a scene whose first nodes are known to be finite.
    package func isFinite(from first: Int) -> Bool {
        size.width.isFinite && size.height.isFinite && nodes.dropFirst(first).allSatisfy(\.isFinite)
    }
}

extension Node {
    fileprivate var isFinite: Bool {
        switch self {
        case .shape(let shape): shape.isFinite
        case .image(let image): image.isFinite
        case .text(let text): text.isFinite
        case .group(let group): group.isFinite
        }
    }
}

extension Shape {
    var isFinite: Bool { path.isFinite && fill?.isFinite ?? true && stroke?.isFinite ?? true }
}

extension Image {
    var isFinite: Bool { frame.isFinite }
}

extension Text {
    var isFinite: Bool { frame.isFinite && fontSize.isFinite }
}

extension Group {
    var isFinite: Bool {
        contents.isFinite && transform.isFinite && opacity.isFinite && clip?.isFinite ?? true
            && mask?.contents.isFinite ?? true && effects.allSatisfy(\.isFinite)
    }
}

extension Stroke {
    fileprivate var isFinite: Bool {
        width.isFinite && miterLimit.isFinite && paint.isFinite
            && dash.map { $0.phase.isFinite && $0.lengths.allSatisfy(\.isFinite) } ?? true
    }
}

extension Effect {
    fileprivate var isFinite: Bool {
        switch self {
        case .blur(let size), .boxBlur(let size, _), .crossBlur(let size): size.width.isFinite && size.height.isFinite
        case .shadow(let color, let offset, let radius, _): color.isFinite && offset.isFinite && radius.isFinite
        case .innerShadow(let color, let offset, let choke, let radius):
            color.isFinite && offset.isFinite && choke.isFinite && radius.isFinite
        case .grow(let radius): radius.isFinite
        case .paint(let paint, let opacity, _): paint.isFinite && opacity.isFinite
        case .fourColors(let gradient, let opacity, _):
            opacity.isFinite && gradient.blend.isFinite
                && gradient.corners.allSatisfy { $0.position.isFinite && $0.color.isFinite }
        case .fill(let color, let amount): color.isFinite && amount.isFinite
        case .tint(let black, let white, let amount): black.isFinite && white.isFinite && amount.isFinite
        case .tritone(let shadows, let midtones, let highlights, let amount):
            shadows.isFinite && midtones.isFinite && highlights.isFinite && amount.isFinite
        case .hueSaturation(let change):
            change.hue.isFinite && change.saturation.isFinite && change.lightness.isFinite
        case .perspective(let projection):
            projection.numerator.isFinite && projection.gradient.isFinite && projection.offset.isFinite
        case .bulge(let bulge): bulge.ellipse.isFinite && bulge.height.isFinite
        case .curves, .luminanceToAlpha: true
        }
    }
}

extension Paint {
    fileprivate var isFinite: Bool {
        switch self {
        case .color(let color): color.isFinite
        case .linearGradient(let gradient):
            gradient.start.isFinite && gradient.end.isFinite && gradient.stops.allSatisfy(\.isFinite)
        case .radialGradient(let gradient):
            gradient.center.isFinite && gradient.focus.isFinite && gradient.radius.isFinite
                && gradient.stops.allSatisfy(\.isFinite)
        case .conicGradient(let gradient):
            gradient.center.isFinite && gradient.startAngle.isFinite && gradient.stops.allSatisfy(\.isFinite)
        }
    }
}

extension GradientStop {
    fileprivate var isFinite: Bool { offset.isFinite && color.isFinite }
}

extension Path.Element {
    var isFinite: Bool {
        switch self {
        case .move(let p), .line(let p): p.isFinite
        case .quadratic(let a, let b): a.isFinite && b.isFinite
        case .cubic(let a, let b, let c): a.isFinite && b.isFinite && c.isFinite
        case .arc(let center, let radius, let start, let end):
            center.isFinite && radius.isFinite && start.isFinite && end.isFinite
        case .close: true
        }
    }
}

extension Point {
    package var isFinite: Bool { x.isFinite && y.isFinite }
}

extension Rect {
    fileprivate var isFinite: Bool { x.isFinite && y.isFinite && width.isFinite && height.isFinite }
}

extension AffineTransform {
    /// True if all coefficients are finite.
    package var isFinite: Bool {
        a.isFinite && b.isFinite && c.isFinite && d.isFinite && tx.isFinite && ty.isFinite
    }
}

extension Color {
    /// True if all components are finite.
    package var isFinite: Bool { red.isFinite && green.isFinite && blue.isFinite && alpha.isFinite }
}
