import Motion
import PathOperations
import Platform
import Scene

/// A composition's picture at a frame.
struct LayerDrawing {
    let composition: Composition
    let frame: Double
    let rate: Double
    /// What operations on paths may take.
    var effort = PathEffort(microseconds: LottieLimits.mostEffort)

    /// What is seen, back to front.
    func nodes() -> [Node] {
        composition.layers.indices.reversed().flatMap { place in
            composition.layers[place].isHidden ? [] : nodes(of: place)
        }
    }

    /// A layer in the composition's coordinates, faded by its matte.
    private func nodes(of place: Int) -> [Node] {
        let layer = composition.layers[place]
        guard layer.isVisible(at: frame) else { return [] }
        let opacity = layer.transform.opacity(at: frame, rate: rate)
        guard opacity > 0 else { return [] }
        guard let matte = layer.matte else { return picture(of: layer, opacity, layer.blendMode) }
        let inner = picture(of: layer, opacity, .normal)
        guard !inner.isEmpty else { return [] }
        var shape = nodes(of: matte.source)
        if matte.isLuma, !shape.isEmpty { shape = [.group(Group(nodes: shape, effects: [.luminanceToAlpha]))] }
        if shape.isEmpty, !matte.isInverted { return [] }
        let mask = Mask(shape, isInverted: matte.isInverted)
        return [.group(Group(nodes: inner, blendMode: layer.blendMode, mask: mask))]
    }

    /// A layer with its masks and effects.
    private func picture(of layer: Layer, _ opacity: Double, _ blendMode: BlendMode) -> [Node] {
        var nodes = contents(of: layer)
        guard !nodes.isEmpty else { return [] }
        let bounds = Node.bounds(of: nodes) ?? Rect(size: Size(0, 0))
        if nodes.contains(where: \.isBlended) {
            // What is in a layer mixes with itself, never with what is behind the layer: a mask makes one picture of it.
            let everything = Shape(.rectangle(bounds.expanded(by: 2)), fill: Color.black)
            nodes = [.group(Group(nodes: nodes, mask: Mask([.shape(everything)])))]
        }
        if !layer.masks.isEmpty {
            let masked = masks(of: layer, around: bounds)
            if let clip = masked.clip {
                nodes = [.group(Group(clip: clip, nodes: nodes))]
            } else {
                nodes = [.group(Group(nodes: nodes, mask: masked.mask))]
            }
        }
        if !layer.effects.isEmpty {
            let effects = layer.effects.map { $0.effect(at: frame, rate: rate) }
            nodes = [.group(Group(nodes: nodes, effects: effects))]
        }
        return Group.nodes(nodes, transform: matrix(of: layer), opacity: opacity, blendMode: blendMode)
    }

    /// From a layer's coordinates to the composition's.
    func matrix(of layer: Layer) -> AffineTransform {
        var matrix = layer.transform.matrix(at: frame, rate: rate)
        var next = layer.parent
        while let place = next {
            let parent = composition.layers[place]
            matrix = matrix.then(parent.transform.matrix(at: frame, rate: rate))
            next = parent.parent
        }
        return matrix
    }

    func contents(of layer: Layer) -> [Node] {
        switch layer.content {
        case .null: return []
        case .shapes(let group):
            var picture = ShapePicture(at: frame, rate: rate, effort: effort)
            return picture.nodes(of: group)
        case .solid(let color, let size): return [.shape(Shape(.rectangle(Rect(size: size)), fill: color))]
        case .image(let bitmap, let size):
            // An image is stretched to the size that the file says.
            let (x, y) = (size.width / Double(bitmap.width), size.height / Double(bitmap.height))
            let frame = Rect(size: Size(Double(bitmap.width), Double(bitmap.height)))
            let transform = AffineTransform(a: x, b: 0, c: 0, d: y, tx: 0, ty: 0)
            return Group.nodes([.image(Image(bitmap, frame: frame))], transform: transform, opacity: 1)
        case .composition(let inner):
            let drawing = LayerDrawing(
                composition: inner.composition, frame: inner.frame(at: frame, rate: rate), rate: rate, effort: effort)
            let (nodes, box) = (drawing.nodes(), Rect(size: inner.size))
            guard let bounds = Node.bounds(of: nodes) else { return [] }
            return box.contains(bounds) ? nodes : [.group(Group(clip: .rectangle(box), nodes: nodes))]
        case .text(let text): return text.nodes(at: frame, rate: rate)
        }
    }

    // MARK: Masks

    /// What a layer's masks leave of what is in a rectangle: a path, if one does, else a picture.
    private func masks(of layer: Layer, around bounds: Rect) -> (clip: Path?, mask: Mask) {
        let shapes = layer.masks.map { mask in
            (mask, outline(of: mask), clamp01(mask.opacity.value(at: frame, rate: rate) / 100))
        }
        if shapes.count == 1, shapes[0].0.mode == .add, !shapes[0].0.isInverted, shapes[0].2 == 1 {
            return (shapes[0].1, Mask([]))
        }
        let everything = Node.shape(Shape(.rectangle(bounds.expanded(by: 2)), fill: Color.black))
        var nodes: [Node] = []
        // Taken away from, or kept of, is all that there is.
        if let first = shapes.first?.0.mode, first == .subtract || first == .intersect { nodes.append(everything) }
        for (mask, outline, opacity) in shapes {
            let shape = Node.shape(Shape(outline, fill: Color.black))
            var area = Group(opacity: opacity, nodes: [shape])
            if mask.isInverted {
                area.nodes = [everything, .group(Group(nodes: [shape], blendMode: .destinationOut))]
                // A layer of its own, so that nothing but this is taken away.
                area.clip = .rectangle(bounds.expanded(by: 3))
            }
            switch mask.mode {
            case .add: break
            case .subtract: area.blendMode = .destinationOut
            case .intersect: area.blendMode = .destinationIn
            case .difference: area.blendMode = .xor
            }
            nodes.append(.group(area))
        }
        return (nil, Mask(nodes))
    }

    /// How far polygons may stray from curves, in points.
    static let flatness = 0.02

    private func outline(of mask: LayerMask) -> Path {
        var path = Path()
        var contour = mask.path.value(at: frame, rate: rate)
        contour.isClosed = true
        contour.add(to: &path)
        let expansion = mask.expansion.value(at: frame, rate: rate)
        guard expansion != 0 else { return path }
        return path.offset(by: expansion, join: .round, miterLimit: 4, flatness: Self.flatness, effort: effort)
    }
}

extension Node {
    /// Whether it is mixed with what is behind it in any other way than by lying over it.
    fileprivate var isBlended: Bool {
        guard case .group(let group) = self else { return false }
        guard group.blendMode == .normal else { return true }
        // What is flattened is one picture already; a group that is not lets what is in it through.
        let isFlat = group.opacity < 1 || group.mask != nil || !group.effects.isEmpty
        return !isFlat && group.nodes.contains(where: \.isBlended)
    }
}
