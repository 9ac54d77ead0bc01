import Animations
import Core

/// An animated layer of any composition: an object for telemetry, annotations and charts.
struct MovingLayer: Sendable {
    /// The indices of layers from the main composition inward; the last one is this layer.
    let path: [Int]
    let name: String
    /// The name in captions.
    var title: String
    /// The dominant colour in which it is drawn.
    var color = Color.black
    /// True if the layer draws itself with an animated Trim Paths.
    let isDrawnGradually: Bool
    /// True if the layer's position is its anchor point, which moves on the canvas and lies on the
    /// layer's contents. Otherwise the position is the centre of the contents.
    private let followsAnchor: Bool
    /// True if the contents are drawn at each frame to find their centre. Otherwise `contentBounds`
    /// holds at all times.
    private let measuresContents: Bool
    /// The bounds of the contents halfway through the layer's duration, in the layer's coordinates;
    /// nil if the layer is empty or `measuresContents` is true.
    private let contentBounds: Rect?
    /// The stacking order; 0 is at the back.
    let depth: Int
    /// True if labels keep clear of the layer as if it were a disc.
    private var isDisc = true
    /// The animation's canvas.
    private let canvas: Rect

    init(_ path: [Int], name: String, title: String, depth: Int, in animation: Animation) {
        self.path = path
        self.name = name
        self.title = title
        self.depth = depth
        canvas = Rect(size: animation.size)
        let layers = animation.layers(along: path)
        let layer = layers[layers.count - 1]
        let shown = animation.frames(of: path)
        let middle = (shown.lowerBound + shown.upperBound) / 2
        let renderer = CompositionRenderer(
            composition: animation.composition, frame: middle, context: animation.frameContext()
        ).descending(path)
        let bounds = Node.bounds(of: renderer.contents(of: layer))
        let anchor = layer.transform.anchor(at: renderer.frame, in: renderer.context)
        let chain = layer.withParents(in: renderer.composition).dropFirst()
        let isMoved =
            !layer.transform.isPositionConstant || chain.contains { !$0.transform.isMatrixConstant }
            || layers.dropLast().contains { !$0.transform.isMatrixConstant }
        followsAnchor = isMoved && bounds?.expanded(by: Self.anchorSlack).contains(anchor) ?? true
        measuresContents = !followsAnchor && layer.content.isAnimated
        contentBounds = measuresContents ? nil : bounds
        isDrawnGradually = layer.content.isDrawnGradually
        isDisc = staysSmall(in: animation)
    }

    /// The largest radius of a disc, as a share of the canvas's shorter side.
    private static let maxDiscRadius = 1.0 / 8
    /// The number of instants at which the radius is measured.
    private static let radiusSamples = 5

    /// Returns true if the layer is at all times small enough to be labelled like a disc.
    private func staysSmall(in animation: Animation) -> Bool {
        let shown = animation.frames(of: path)
        let maxRadius = Self.maxDiscRadius * min(animation.size.width, animation.size.height)
        return (0..<Self.radiusSamples).allSatisfy { sample in
            let fraction = (Double(sample) + 0.5) / Double(Self.radiusSamples)
            let renderer = CompositionRenderer(
                composition: animation.composition, frame: lerp(shown.lowerBound, shown.upperBound, fraction),
                context: animation.frameContext())
            return object(in: renderer).radius <= maxRadius
        }
    }

    /// The distance in points from the contents within which an anchor point still lies on them.
    private static let anchorSlack = 1.0

    /// Returns the object at the renderer's frame.
    func object(in renderer: CompositionRenderer) -> MovingObject {
        var renderer = renderer
        var matrix = AffineTransform.identity
        var opacity = 1.0
        for index in path.dropLast() {
            let layer = renderer.composition.layers[index]
            matrix = renderer.matrix(of: layer).then(matrix)
            opacity *= renderer.opacity(of: layer)
            guard case .composition(let inner) = layer.content else { break }
            renderer = renderer.renderer(of: inner)
        }
        let layer = renderer.composition.layers[path[path.count - 1]]
        matrix = renderer.matrix(of: layer).then(matrix)
        let anchor = matrix.apply(layer.transform.anchor(at: renderer.frame, in: renderer.context))
        let localBounds = measuresContents ? Node.bounds(of: renderer.contents(of: layer)) : contentBounds
        let bounds = localBounds.map(matrix.bounds)
        let center = followsAnchor ? anchor : bounds?.center ?? anchor
        // Expressions can overflow the coordinates.
        let position = center.isFinite ? center : .zero
        let extent = isDisc ? bounds.map { min($0.width, $0.height) / 2 } ?? 0 : 0
        let radius = extent.isFinite ? extent : 0
        // A ball that is squashed on the ground has its anchor point at its lower edge.
        let middle = radius > 0 ? bounds?.center : nil
        var object = MovingObject(
            name, title: LocalizedText(title), color, at: position, radius: radius, depth: depth,
            discCenter: middle.flatMap { $0.isFinite ? $0 : nil }, labelSide: .margin)
        let scale = layer.transform.scale.value(at: renderer.frame, in: renderer.context)
        opacity *= renderer.opacity(of: layer)
        object.pose = MovingObject.Pose(
            scale: scale * 0.01, rotation: layer.transform.rotation.value(at: renderer.frame, in: renderer.context),
            opacity: opacity)
        object.strokeTrim = layer.content.strokeTrim(at: renderer.frame, in: renderer.context)
        object.hasPosition = !isDrawnGradually || followsAnchor
        object.isVisible =
            opacity >= minVisibleOpacity && (!measuresContents || localBounds != nil)
            && bounds.map { !$0.corners.allSatisfy(\.isFinite) || canvas.intersection($0) != nil } ?? true
        return object
    }
}

extension CompositionRenderer {
    /// Returns the layer's opacity, without its parents' and its composition's.
    fileprivate func opacity(of layer: Layer) -> Double {
        layer.isVisible(at: frame) ? layer.transform.opacity(at: frame, in: context) : 0
    }

    /// Returns the renderer of the composition in which a path ends.
    fileprivate func descending(_ path: [Int]) -> CompositionRenderer {
        path.dropLast().reduce(self) { renderer, index in
            guard case .composition(let inner) = renderer.composition.layers[index].content else { return renderer }
            return renderer.renderer(of: inner)
        }
    }
}

extension Animation {
    /// Returns the layers of a path, from the main composition inward.
    func layers(along path: [Int]) -> [Layer] {
        var layers: [Layer] = []
        var current = composition
        for index in path {
            layers.append(current.layers[index])
            if case .composition(let inner) = current.layers[index].content { current = inner.composition }
        }
        return layers
    }

    /// Returns the frames in which the outermost layer of a path is visible.
    fileprivate func frames(of path: [Int]) -> ClosedRange<Double> {
        let layer = composition.layers[path[0]]
        let first = max(layer.start, start.double)
        return first...max(first, min(layer.end, end.double))
    }
}

extension Layer {
    /// Returns the layer and its parents, the nearest first.
    func withParents(in composition: Composition) -> [Layer] {
        Array(sequence(first: self) { $0.parent.map { composition.layers[$0] } })
    }
}

extension Rect {
    /// Returns true if the point is in the rectangle or on its edge.
    fileprivate func contains(_ point: Point) -> Bool { nearest(to: point) == point }
}
