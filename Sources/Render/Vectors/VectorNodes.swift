import Core
import Raster

/// A converter that reduces a scene's nodes to those that vector formats express: untrimmed shapes
/// with either a fill or a stroke, and groups that change how their nodes are drawn.
struct VectorNodes {
    let format: VectorFormat
    /// The transform from the nodes to the canvas, for messages.
    private var transform = AffineTransform.identity

    init(format: VectorFormat) { self.format = format }

    /// Returns the reduced nodes. Throws `VectorRefusal` for one that the format cannot express.
    func reduced(_ nodes: [Node]) throws -> [Node] { try nodes.flatMap(reduced) }

    private func reduced(_ node: Node) throws -> [Node] {
        switch node {
        case .shape(let shape): return try reduced(shape)
        case .group(let group): return try reduced(group)
        case .image(let image): throw refusal("the image", image.frame)
        case .text(let text): throw refusal("the text \(quoted(text.string.visible))", text.frame)
        }
    }

    private func reduced(_ shape: Shape) throws -> [Node] {
        guard !shape.path.elements.isEmpty else { return [] }
        var result: [Node] = []
        if case .conicGradient(let gradient) = shape.fill, let bounds = shape.path.bounds {
            guard shape.fillRule == .nonZero else { throw refusal("the conic gradient", bounds) }
            let sectors = gradient.sectors(covering: bounds).map(Node.shape)
            result.append(.group(Group(clip: shape.path, nodes: sectors)))
        } else if let fill = shape.fill {
            result.append(.shape(Shape(shape.path, fill: fill.withExtent, fillRule: shape.fillRule)))
        }
        guard var stroke = shape.stroke, stroke.width > 0, let path = stroke.visiblePart(of: shape.path) else {
            return result
        }
        if case .conicGradient = stroke.paint, let frame = path.bounds {
            throw refusal("the stroke with a conic gradient", frame)
        }
        stroke.start = 0
        stroke.end = 1
        stroke.paint = stroke.paint.withExtent
        stroke.dash = stroke.visibleDash
        return result + (path.elements.isEmpty ? [] : [.shape(Shape(path, stroke: stroke))])
    }

    private func reduced(_ group: Group) throws -> [Node] {
        guard group.opacity > 0 else { return [] }
        var inner = group
        var nested = self
        nested.transform = group.transform.then(transform)
        inner.nodes = try nested.reduced(group.nodes)
        guard !inner.nodes.isEmpty else { return [] }
        let frame = Node.bounds(of: group.nodes) ?? Rect(x: 0, y: 0, width: 0, height: 0)
        if let effect = group.effects.first { throw nested.refusal(effect.title, frame, isOfGroup: true) }
        if !group.blendMode.isExpressible {
            throw nested.refusal("the blend mode \(group.blendMode)", frame, isOfGroup: true)
        }
        if let mask = group.mask {
            guard format == .svg else { throw nested.refusal("the mask", frame, isOfGroup: true) }
            guard !mask.isInverted else { throw nested.refusal("the inverted mask", frame, isOfGroup: true) }
            inner.mask = Mask(try nested.reducedMask(mask.nodes, frame))
        }
        let isPlain = group.transform == .identity && group.clip == nil && !group.needsFlattening
        return isPlain ? inner.nodes : [.group(inner)]
    }

    /// Returns a mask's nodes. A luma mask remains a single group with `Effect.luminanceToAlpha`.
    private func reducedMask(_ nodes: [Node], _ frame: Rect) throws -> [Node] {
        guard nodes.count == 1, case .group(var group) = nodes[0], group.effects == [.luminanceToAlpha] else {
            return try reduced(nodes)
        }
        group.effects = []
        return [.group(Group(nodes: try reduced(.group(group)), effects: [.luminanceToAlpha]))]
    }

    private func refusal(_ object: String, _ frame: Rect, isOfGroup: Bool = false) -> VectorRefusal {
        VectorRefusal(object: object, isOfGroup: isOfGroup, frame: transform.bounds(of: frame), format: format)
    }
}

extension Effect {
    fileprivate var title: String {
        switch self {
        case .blur, .boxBlur, .crossBlur: "the blur"
        case .shadow, .innerShadow: "the shadow"
        case .grow: "the grown or choked outline"
        case .fill: "the fill effect"
        case .perspective: "the perspective"
        case .bulge: "the bulge"
        case .paint, .fourColors: "the gradient effect"
        case .tritone, .curves, .hueSaturation: "the colour correction"
        case .tint: "the tint"
        case .luminanceToAlpha: "the luma key"
        }
    }
}

extension BlendMode {
    /// True for the modes that CSS and Lottie have.
    fileprivate var isExpressible: Bool { ![.destinationIn, .destinationOut, .xor].contains(self) }
}

extension Paint {
    /// The paint, or the colour of the last stop for a gradient without extent.
    fileprivate var withExtent: Paint {
        switch self {
        case .color, .conicGradient: return self
        case .linearGradient(var gradient):
            guard gradient.start != gradient.end else { return .color(gradient.stops.lastColor) }
            gradient.stops = gradient.stops.normalized
            return .linearGradient(gradient)
        case .radialGradient(var gradient):
            guard gradient.radius > 0 else { return .color(gradient.stops.lastColor) }
            gradient.focus = gradient.effectiveFocus
            gradient.stops = gradient.stops.normalized
            return .radialGradient(gradient)
        }
    }
}

extension [GradientStop] {
    fileprivate var lastColor: Color { last?.color ?? Color.black.opacity(0) }
}
