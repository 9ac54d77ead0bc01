import Animations
import Core

/// An animated layer of the main composition: an object for telemetry, annotations and charts.
struct MovingLayer: Sendable {
    /// The index in the composition's list of layers.
    private let index: Int
    let name: String
    private let color: Color
    /// True if the layer's anchor point moves on the canvas. Otherwise the layer turns about its
    /// anchor point, or only its contents are animated.
    private let followsAnchor: Bool
    /// True if the contents are drawn at each frame to find their centre. Otherwise `contentBounds`
    /// holds at all times.
    private let measuresContents: Bool
    /// The bounds of the contents halfway through the layer's duration, in the layer's coordinates;
    /// nil if the layer is empty or `measuresContents` is true.
    private let contentBounds: Rect?
    private let depth: Int
    /// The largest radius that is reported, in points: an eighth of the canvas's shorter side.
    private let maxRadius: Double

    /// The maximum number of layers that are reported. The labels of more would cover the canvas.
    private static let maxLayers = 24

    /// Returns the animated layers, the topmost first.
    static func all(in animation: Animation) -> [MovingLayer] {
        let layers = animation.composition.layers
        var result: [MovingLayer] = []
        var names: Set<String> = []
        for (index, layer) in layers.enumerated() where !layer.isHidden && result.count < maxLayers {
            guard layer.start < animation.end.double, layer.end > animation.start.double else { continue }
            let chain = sequence(first: layer) { $0.parent.map { layers[$0] } }
            let isTransformed = chain.contains { !$0.transform.isMatrixConstant }
            guard isTransformed || !layer.transform.opacity.isConstant || layer.content.isAnimated else { continue }
            if case .null = layer.content { continue }
            let givenName = plainName(layer.name)
            let base = givenName.isEmpty ? "layer \(index + 1)" : givenName
            var name = base
            var count = 1
            while !names.insert(name).inserted {
                count += 1
                name = "\(base) (\(count))"
            }
            let followsAnchor =
                !layer.transform.isPositionConstant || chain.dropFirst().contains { !$0.transform.isMatrixConstant }
            let middle =
                (max(layer.start, animation.start.double) + min(layer.end, animation.end.double)) / 2
            let renderer = CompositionRenderer(
                composition: animation.composition, frame: middle, context: animation.frameContext())
            let measuresContents = !followsAnchor && layer.content.isAnimated
            result.append(
                MovingLayer(
                    index: index, name: name, color: layer.content.color ?? .black, followsAnchor: followsAnchor,
                    measuresContents: measuresContents,
                    contentBounds: measuresContents ? nil : Node.bounds(of: renderer.contents(of: layer)),
                    depth: layers.count - 1 - index,
                    maxRadius: min(animation.size.width, animation.size.height) / 8))
        }
        return result
    }

    /// Returns the object at the renderer's frame. Its position is the layer's anchor point if that
    /// moves, and otherwise the centre of the layer's contents.
    func object(in renderer: CompositionRenderer) -> MovingObject {
        let layer = renderer.composition.layers[index]
        let matrix = renderer.matrix(of: layer)
        let anchor = matrix.apply(layer.transform.anchor.value(at: renderer.frame, in: renderer.context))
        let localBounds = measuresContents ? Node.bounds(of: renderer.contents(of: layer)) : contentBounds
        let bounds = localBounds.map(matrix.bounds)
        let center = followsAnchor ? anchor : bounds?.center ?? anchor
        // Expressions can overflow the coordinates.
        let position = center.isFinite ? center : .zero
        // Labels keep clear of a small object as if it were a disc of this radius.
        let radius = bounds.map { min($0.width, $0.height) / 2 } ?? 0
        var object = MovingObject(
            name, color, at: position, radius: radius <= maxRadius ? radius : 0, depth: depth)
        let scale = layer.transform.scale.value(at: renderer.frame, in: renderer.context)
        object.pose = MovingObject.Pose(
            scale: scale * 0.01, rotation: layer.transform.rotation.value(at: renderer.frame, in: renderer.context),
            opacity: layer.isVisible(at: renderer.frame)
                ? layer.transform.opacity(at: renderer.frame, in: renderer.context) : 0)
        return object
    }

    /// Returns a layer's name without characters that would need escaping in CSV or YAML.
    private static func plainName(_ name: String) -> String {
        // Filters scalars: a quote with a combining mark after it is a single `Character`, which is
        // not equal to the quote.
        let scalars = name.singleLine(atMost: 80).unicodeScalars.filter { $0 != "\"" && $0 != "\\" }
        return String(String.UnicodeScalarView(scalars)).singleLine(atMost: 40)
    }
}

extension Layer.Content {
    /// True if the contents change over time.
    var isAnimated: Bool {
        switch self {
        case .null, .solid, .image: false
        case .shapes(let group): group.isAnimated
        case .composition(let inner):
            inner.timeRemap?.isConstant == false
                || inner.composition.layers.contains { !$0.transform.isConstant || $0.content.isAnimated }
        case .text: true
        }
    }

    /// The colour of the first fill or stroke.
    var color: Color? {
        switch self {
        case .shapes(let group): group.color
        case .solid(let color, _): color
        case .composition(let inner): inner.composition.layers.lazy.compactMap(\.content.color).first
        case .null, .image, .text: nil
        }
    }
}

extension ShapeGroup {
    fileprivate var isAnimated: Bool {
        items.contains { item in
            switch item {
            case .group(let group): !group.transform.isConstant || group.isAnimated
            case .path(let path, _): !path.isConstant
            case .primitive(.rectangle(let position, let size, let roundness), _):
                !position.isConstant || !size.isConstant || !roundness.isConstant
            case .primitive(.ellipse(let position, let size), _): !position.isConstant || !size.isConstant
            case .primitive(.star(let star), _):
                !star.position.isConstant || !star.rotation.isConstant || !star.outerRadius.isConstant
                    || !star.innerRadius.isConstant || !star.points.isConstant
            case .style(let style): style.stroke.map { !$0.width.isConstant || !$0.dashOffset.isConstant } ?? false
            case .modifier(.trim(let start, let end, let offset, _)):
                !start.isConstant || !end.isConstant || !offset.isConstant
            case .modifier(.roundCorners(let amount)), .modifier(.puckerBloat(let amount)),
                .modifier(.offset(let amount, _, _)):
                !amount.isConstant
            case .modifier(.twist(let angle, _)): !angle.isConstant
            case .modifier(.zigZag(let size, _, _)): !size.isConstant
            case .modifier(.merge): false
            case .repeater(let repeater): !repeater.transform.isConstant || !repeater.copies.isConstant
            }
        }
    }

    fileprivate var color: Color? {
        for item in items {
            switch item {
            case .group(let group): if let color = group.color { return color }
            case .style(let style):
                if case .color(let color) = style.paint {
                    let components = color.initial.map(clamp01)
                    return Color(red: components[0], green: components[1], blue: components[2])
                }
            default: break
            }
        }
        return nil
    }
}
