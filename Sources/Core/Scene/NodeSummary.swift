/// Properties of nodes that are drawn one after another.
///
/// Groups and masks keep the summary of their nodes, because it is read for every drawing:
/// traversing all nodes for each property would take longer than building them.
struct NodeSummary: Sendable {
    /// A rectangle outside of which none of the nodes paints; nil if none paints at all.
    var bounds: Rect?
    /// True if one of the nodes also changes the backdrop outside its bounds.
    var reachesBeyondBounds = false
    /// True if one of the nodes blends with the nodes behind it in another mode than normal.
    var isBlended = false
    /// True if all lengths, positions and transforms are finite.
    var isFinite = true
    /// True if the nodes' pixels do not depend on the position of the surface in the drawing, which
    /// is a whole number of pixels.
    var isMovable = true

    init(_ nodes: [Node]) {
        for node in nodes {
            let summary = node.summary
            if let next = summary.bounds { bounds = bounds?.union(next) ?? next }
            reachesBeyondBounds = reachesBeyondBounds || summary.reachesBeyondBounds
            isBlended = isBlended || summary.isBlended
            isFinite = isFinite && summary.isFinite
            isMovable = isMovable && summary.isMovable
        }
    }

    fileprivate init(bounds: Rect?, isFinite: Bool, isMovable: Bool) {
        self.bounds = bounds
        self.isFinite = isFinite
        self.isMovable = isMovable
    }
}

extension Node {
    /// The properties of the node alone.
    fileprivate var summary: NodeSummary {
        switch self {
        case .shape(let shape):
            NodeSummary(bounds: shape.bounds, isFinite: shape.isFinite, isMovable: shape.isMovable)
        case .image(let image): NodeSummary(bounds: image.frame, isFinite: image.isFinite, isMovable: false)
        case .text(let text): NodeSummary(bounds: text.frame, isFinite: text.isFinite, isMovable: false)
        case .group(let group): group.summary
        }
    }

    /// True if the node blends with the nodes behind it in another mode than normal.
    package var isBlended: Bool {
        if case .group(let group) = self { group.isBlended } else { false }
    }

    /// True if the node's pixels do not depend on the position of the surface in the drawing, as
    /// for outlines filled with colours. Cairo rounds positions in images and gradients after it
    /// adds the surface's position.
    package var isMovable: Bool {
        switch self {
        case .shape(let shape): shape.isMovable
        case .image, .text: false
        case .group(let group): group.isMovable
        }
    }
}

extension Group {
    /// The properties of the group as a node.
    fileprivate var summary: NodeSummary {
        var summary = contents
        summary.bounds = bounds
        summary.reachesBeyondBounds = reachesBeyondBounds
        summary.isBlended = isBlended
        summary.isFinite = isFinite
        summary.isMovable = isMovable
        return summary
    }

    fileprivate var isBlended: Bool {
        guard blendMode == .normal else { return true }
        // The blend modes within a flattened group do not affect the nodes behind it.
        let isFlattened = opacity < 1 || mask != nil || !effects.isEmpty
        return !isFlattened && contents.isBlended
    }

    fileprivate var isMovable: Bool {
        contents.isMovable && effects.isEmpty && mask == nil && blendMode == .normal
    }
}

extension Shape {
    fileprivate var isMovable: Bool { fill?.isColor ?? true && stroke?.paint.isColor ?? true }
}

extension Paint {
    fileprivate var isColor: Bool {
        if case .color = self { true } else { false }
    }
}
