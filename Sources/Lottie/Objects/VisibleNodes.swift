import Core

extension Node {
    /// The node without the parts that paint nothing; nil if it paints nothing at all. Two nodes
    /// that look alike can still differ in their positions outside the canvas.
    var visible: Node? {
        switch self {
        case .image, .text: self
        case .shape(let shape): shape.visible.map(Node.shape)
        case .group(let group): group.visible.map(Node.group)
        }
    }

    /// Returns the points of all outlines and frames, transformed to the node's coordinates.
    func outline(_ transform: AffineTransform = .identity) -> [Point] {
        switch self {
        case .shape(let shape): return shape.path.elements.flatMap(\.points).map(transform.apply)
        case .image(let image): return image.frame.corners.map(transform.apply)
        case .text(let text): return text.frame.corners.map(transform.apply)
        case .group(let group):
            let matrix = group.transform.then(transform)
            return group.nodes.flatMap { $0.outline(matrix) }
        }
    }

    /// The paints of all shapes, in drawing order.
    var paints: [Paint] {
        switch self {
        case .shape(let shape): [shape.fill, shape.stroke?.paint].compactMap(\.self)
        case .image, .text: []
        case .group(let group): group.nodes.flatMap(\.paints)
        }
    }
}

/// The opacity below which an object or a paint changes no pixel: half of an 8-bit step.
let minVisibleOpacity = 0.5 / 255

extension Shape {
    fileprivate var visible: Shape? {
        var shape = self
        if fill?.isTransparent ?? true { shape.fill = nil }
        if let stroke, stroke.width == 0 || stroke.paint.isTransparent { shape.stroke = nil }
        return shape.fill == nil && shape.stroke == nil || path.elements.isEmpty ? nil : shape
    }
}

extension Group {
    fileprivate var visible: Group? {
        let seen = opacity < minVisibleOpacity ? [] : nodes.compactMap(\.visible)
        guard !seen.isEmpty else { return nil }
        var group = self
        group.nodes = seen
        return group
    }
}

extension Paint {
    /// The alpha of a colour; 1 for a gradient.
    var alpha: Double {
        if case .color(let color) = self { color.alpha } else { 1 }
    }

    fileprivate var isTransparent: Bool { alpha < minVisibleOpacity }
}

extension Path.Element {
    /// The points that define the segment.
    fileprivate var points: [Point] {
        switch self {
        case .move(let point), .line(let point): [point]
        case .quadratic(let control, let end): [control, end]
        case .cubic(let first, let second, let end): [first, second, end]
        case .arc(let center, let radius, let start, let end):
            [center] + [start, end].map { center + Point(cos($0), sin($0)) * radius }
        case .close: []
        }
    }
}
