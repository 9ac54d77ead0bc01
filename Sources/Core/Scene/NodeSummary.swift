/// Properties of nodes that are drawn one after another.
///
/// Groups and masks keep the summary of their nodes, because it is read for every drawing:
/// traversing all nodes for each property would take longer than building them.
struct NodeSummary: Sendable {
    /// A rectangle outside of which none of the nodes paints; nil if none paints at all.
    var bounds: Rect?
    /// A rectangle that contains all outlines that are drawn, whether visible or not: those of
    /// nodes, clips and masks; nil if there are none.
    var outlines: Rect?
    /// True if one of the nodes also changes the backdrop outside its bounds.
    var reachesBeyondBounds = false
    /// True if one of the nodes blends with the nodes behind it in another mode than normal.
    var isBlended = false
    /// True if all lengths, positions and transforms are finite.
    var isFinite = true
    /// True if the nodes' pixels do not depend on the position of the surface in the drawing, which
    /// is a whole number of pixels, except by the edges of straight clips.
    var isMovable = true
    /// True if one of the nodes is or contains a group whose clip consists of lines only.
    var hasStraightClip = false

    init(_ nodes: [Node]) {
        for node in nodes {
            let summary = node.summary
            bounds = bounds.union(summary.bounds)
            outlines = outlines.union(summary.outlines)
            reachesBeyondBounds = reachesBeyondBounds || summary.reachesBeyondBounds
            isBlended = isBlended || summary.isBlended
            isFinite = isFinite && summary.isFinite
            isMovable = isMovable && summary.isMovable
            hasStraightClip = hasStraightClip || summary.hasStraightClip
        }
    }

    fileprivate init(bounds: Rect?, isFinite: Bool, isMovable: Bool) {
        self.bounds = bounds
        outlines = bounds
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

    /// Returns true if the node's pixels do not depend on the position of the surface in the
    /// drawing, as for outlines filled with colours. Cairo rounds positions in images and gradients
    /// after it adds the surface's position.
    ///
    /// - Parameter transform: the transform from points of the node to pixels.
    package func isMovable(in transform: AffineTransform) -> Bool {
        switch self {
        case .shape(let shape): shape.isMovable
        case .image, .text: false
        case .group(let group): group.isMovable && !group.hasSoftRow(in: transform)
        }
    }
}

extension Rect? {
    fileprivate func union(_ other: Rect?) -> Rect? {
        guard let self, let other else { return self ?? other }
        return self.union(other)
    }
}

extension Group {
    /// A rectangle that contains all outlines that are drawn for the group, in the coordinates of
    /// its nodes: those of nodes, clips and masks, whether visible or not; nil if there are none.
    package var outlines: Rect? { contents.outlines.union(clip?.bounds).union(mask?.contents.outlines) }

    /// The properties of the group as a node.
    fileprivate var summary: NodeSummary {
        var summary = contents
        summary.bounds = bounds
        summary.outlines = opacity > 0 ? outlines.map(transform.bounds) : nil
        summary.reachesBeyondBounds = reachesBeyondBounds
        summary.isBlended = isBlended
        summary.isFinite = isFinite
        summary.isMovable = isMovable
        summary.hasStraightClip = hasStraightClip
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

    private var hasStraightClip: Bool { contents.hasStraightClip || clip?.isStraight ?? false }

    /// Returns true if the clip of the group or of a group in it has a level edge within a row of
    /// pixels. Cairo then rounds the coverage of rectangles that cross this edge differently, in
    /// all rows of the band.
    fileprivate func hasSoftRow(in outer: AffineTransform) -> Bool {
        guard hasStraightClip else { return false }
        let transform = transform.then(outer)
        if let clip, clip.isStraight, clip.hasLevelEdgeWithinRow(in: transform) { return true }
        guard contents.hasStraightClip else { return false }
        return nodes.contains { node in
            if case .group(let group) = node { group.hasSoftRow(in: transform) } else { false }
        }
    }
}

extension Shape {
    fileprivate var isMovable: Bool { fill?.isColor ?? true && stroke?.paint.isColor ?? true }
}

extension Path {
    /// True if the path consists of lines only.
    fileprivate var isStraight: Bool {
        elements.allSatisfy { element in
            switch element {
            case .move, .line, .close: true
            case .quadratic, .cubic, .arc: false
            }
        }
    }

    /// Returns true if one of the lines is level and neither begins nor ends a row of pixels.
    fileprivate func hasLevelEdgeWithinRow(in transform: AffineTransform) -> Bool {
        let rows = elements.compactMap { element -> Double? in
            switch element {
            case .move(let point), .line(let point): transform.apply(point).y
            case .quadratic, .cubic, .arc, .close: nil
            }
        }
        // Cairo's unit is 1/256 of a pixel.
        return zip(rows, rows.dropFirst() + rows.prefix(1)).contains { row, next in
            abs(row - next) < 1.0 / 256 && abs(row - row.rounded()) > 1e-6
        }
    }
}

extension Paint {
    fileprivate var isColor: Bool {
        if case .color = self { true } else { false }
    }
}
