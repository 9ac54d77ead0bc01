import Core
import Raster

/// A renderer that converts a composition at one frame to nodes.
struct CompositionRenderer {
    let composition: Composition
    let frame: Double
    /// The state shared by all properties of the frame.
    let context: FrameContext
    /// The only layer to draw, as the indices of layers from this composition inward; empty to draw
    /// all layers.
    var path: ArraySlice<Int> = []

    /// Returns the nodes of all visible layers, back to front.
    func nodes() -> [Node] { layers().flatMap(\.nodes) }

    /// Returns all visible layers with their nodes, back to front.
    func layers() -> [(index: Int, nodes: [Node])] {
        guard path.isEmpty else {
            let index = path[path.startIndex]
            return [(index, nodes(ofLayerAt: index))]
        }
        let shown = composition.layers.indices.reversed().filter { !composition.layers[$0].isHidden }
        let order = camera.map(drawingOrder) ?? shown
        return order.map { ($0, nodes(ofLayerAt: $0)) }
    }

    /// Returns a renderer of the layer that `path` leads to, and of nothing else.
    func only(_ path: [Int]) -> CompositionRenderer {
        var renderer = self
        renderer.path = path[...]
        return renderer
    }

    /// Returns the renderer of a precomposition that one of the layers shows.
    func renderer(of inner: Precomposition) -> CompositionRenderer {
        CompositionRenderer(
            composition: inner.composition, frame: inner.frame(at: frame, in: context), context: context,
            path: path.dropFirst())
    }

    /// Returns a layer in the composition's coordinates, with its track matte.
    ///
    /// - Parameter isMatte: true if the layer is drawn as the matte of another one. Its own track
    ///   matte then has no effect, as in After Effects and lottie-web.
    private func nodes(ofLayerAt index: Int, isMatte: Bool = false) -> [Node] {
        // Copying a layer takes time, so invisible ones are not copied.
        guard composition.layers[index].isVisible(at: frame) else { return [] }
        let layer = composition.layers[index]
        let nodes = unmixedNodes(of: layer, isMatte: isMatte)
        return layer.isHardMix ? Self.hardMixed(nodes) : nodes
    }

    /// The darkest colour other than black.
    private static let almostBlack = Color(1, 1, 1)

    /// Returns nodes in the blend mode Hard Mix, whose components are 1 where those of source and
    /// backdrop add up to at least 1, and otherwise 0. Color Dodge turns the former into 1, and
    /// then Color Burn with an almost black source turns everything below 1 into 0.
    private static func hardMixed(_ nodes: [Node]) -> [Node] {
        guard !nodes.isEmpty else { return [] }
        return [
            .group(Group(nodes: nodes, blendMode: .colorDodge)),
            .group(Group(nodes: nodes, blendMode: .colorBurn, effects: [.fill(almostBlack, amount: 1)])),
        ]
    }

    private func unmixedNodes(of layer: Layer, isMatte: Bool) -> [Node] {
        let opacity = layer.transform.opacity(at: frame, in: context)
        guard opacity > 0 else { return [] }
        guard let matte = layer.matte, matte.isEffect || !isMatte else {
            return nodesWithoutMatte(of: layer, opacity, layer.blendMode)
        }
        let inner = nodesWithoutMatte(of: layer, opacity, .normal)
        guard !inner.isEmpty else { return [] }
        // The path leads to the layer, and its matte is drawn whole.
        var matteNodes = only([]).nodes(ofLayerAt: matte.source, isMatte: !matte.isEffect)
        if matte.isLuma, !matteNodes.isEmpty {
            matteNodes = [.group(Group(nodes: matteNodes, effects: [.luminanceToAlpha]))]
        }
        if matteNodes.isEmpty, !matte.isInverted { return [] }
        let mask = Mask(matteNodes, isInverted: matte.isInverted)
        return [.group(Group(nodes: inner, blendMode: layer.blendMode, mask: mask))]
    }

    /// Returns the contents of a layer with its masks and effects.
    private func masked(_ contents: [Node], of layer: Layer) -> [Node] {
        var nodes = contents
        let isBlended = nodes.contains(where: \.isBlended)
        let isMasked = !layer.masks.isEmpty && !nodes.isEmpty
        let bounds = isBlended || isMasked ? Node.bounds(of: nodes) ?? Rect(size: Size(0, 0)) : Rect(size: Size(0, 0))
        if isBlended {
            // Items with a blend mode only blend with items of the same layer. A group with a mask
            // is flattened before it is composited.
            let everything = Shape(.rectangle(bounds.expanded(by: 2)), fill: Color.black)
            nodes = [.group(Group(nodes: nodes, mask: Mask([.shape(everything)])))]
        }
        if isMasked {
            let masks = MaskRenderer(layer.masks, around: bounds, at: frame, in: context)
            nodes = [masks.masked(nodes)]
        }
        if !layer.effects.isEmpty {
            let isMapped = layer.effects.contains { $0.isInComposition && $0.kind.hasPosition }
            let fromComposition = isMapped ? matrix(of: layer).inverse ?? .identity : .identity
            nodes = LayerEffect.Values.apply(
                layer.effects.map { $0.values(at: frame, in: context) }, to: nodes,
                fromComposition: fromComposition, in: area(of: layer, fromComposition))
        }
        return nodes
    }

    /// Returns a layer with its masks, effects and transform.
    private func nodesWithoutMatte(of layer: Layer, _ opacity: Double, _ blendMode: BlendMode) -> [Node] {
        let contents = contentsWithEchoes(of: layer)
        guard !contents.isEmpty || layer.effects.contains(where: { $0.kind.drawsAlone }) else { return [] }
        var nodes = masked(contents, of: layer)
        if layer.is3D, let camera {
            let projection = camera.projection(of: spaceMatrix(of: layer))
            if !projection.isAffine {
                nodes = [.group(Group(nodes: nodes, effects: [.perspective(projection)]))]
                return Group.nodes(nodes, transform: .identity, opacity: opacity, blendMode: blendMode)
            }
            // A layer parallel to the screen is only scaled. One behind the camera is not seen.
            guard projection.apply(.zero) != nil else { return [] }
        }
        let matrix = matrix(of: layer)
        if !layer.styles.isEmpty {
            // Styles follow the transform: the angle of a shadow stays when its layer turns.
            let plain = Group.nodes(nodes, transform: matrix, opacity: 1)
            let styled = LayerStyle.Values.apply(layer.styles.map { $0.values(at: frame, in: context) }, to: plain)
            return Group.nodes(styled, transform: .identity, opacity: opacity, blendMode: blendMode)
        }
        return Group.nodes(nodes, transform: matrix, opacity: opacity, blendMode: blendMode)
    }

    /// Returns the area of a layer in its own coordinates. Shape and text layers, which have no
    /// size, are as large as their composition.
    private func area(of layer: Layer, _ fromComposition: AffineTransform) -> Path {
        switch layer.content {
        case .solid(_, let size), .image(_, let size): .rectangle(Rect(size: size))
        case .composition(let inner): .rectangle(Rect(size: inner.size))
        case .shapes, .text, .null: .polygon(Rect(size: composition.size).corners.map(fromComposition.apply))
        }
    }

    /// Returns the transform from a layer's coordinates to the composition's, parents included.
    func matrix(of layer: Layer) -> AffineTransform {
        if layer.is3D, let camera {
            let anchor = layer.transform.anchor(at: frame, in: context)
            return camera.projection(of: spaceMatrix(of: layer)).affine(around: anchor) ?? .identity
        }
        if composition.hasDepth { return spaceMatrix(of: layer).flattened }
        var matrix = layer.transform.matrix(at: frame, in: context)
        var next = layer.parent
        while let index = next {
            matrix = matrix.then(composition.layers[index].transform.matrix(at: frame, in: context))
            next = composition.layers[index].parent
        }
        return matrix
    }

    /// Returns a layer's contents in its own coordinates, without masks and effects.
    func contents(of layer: Layer) -> [Node] {
        switch layer.content {
        case .null: return []
        case .shapes(let group):
            return layer.constantContents.nodes(in: context) {
                var renderer = ShapeRenderer(at: frame, in: context)
                return renderer.nodes(of: group)
            }
        case .solid(let color, let size): return [.shape(Shape(.rectangle(Rect(size: size)), fill: color))]
        case .image(let bitmap, let size):
            // The image is scaled to the size of the asset.
            let scaleX = size.width / Double(bitmap.width)
            let scaleY = size.height / Double(bitmap.height)
            let frame = Rect(size: Size(Double(bitmap.width), Double(bitmap.height)))
            let transform = AffineTransform(a: scaleX, b: 0, c: 0, d: scaleY, tx: 0, ty: 0)
            return Group.nodes([.image(Image(bitmap, frame: frame))], transform: transform, opacity: 1)
        case .composition(let inner):
            let nodes = renderer(of: inner).nodes()
            let canvas = Rect(size: inner.size)
            guard let bounds = Node.bounds(of: nodes) else { return [] }
            return canvas.contains(bounds) ? nodes : [.group(Group(clip: .rectangle(canvas), nodes: nodes))]
        case .text(let text):
            return layer.constantContents.nodes(in: context) { text.nodes(at: frame, in: context) }
        }
    }
}
