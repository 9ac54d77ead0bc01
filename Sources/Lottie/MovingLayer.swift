import Loaders
import Motion
import Scene

/// A layer of the animation that moves: an object for telemetry, annotations and charts.
struct MovingLayer: Sendable {
    /// The place in the composition's list.
    private let place: Int
    let name: String
    private let color: Color
    /// Whether its anchor moves; else it turns about it, or what is in it moves.
    private let isPlaced: Bool
    /// Whether what is in it is drawn to find the middle; else `box` does for all times.
    private let isDrawn: Bool
    /// What it draws half way, in its own coordinates; nil if that is nothing, or not asked for.
    private let box: Rect?
    private let depth: Int
    /// Points of the largest radius that is told: an eighth of the canvas.
    private let largestRadius: Double

    /// More objects than this are not listed: names would cover the picture.
    private static let most = 24

    /// The layers that move, what is on top first.
    static func all(in animation: Animation) -> [MovingLayer] {
        let layers = animation.composition.layers
        var result: [MovingLayer] = []
        var names: Set<String> = []
        for (place, layer) in layers.enumerated() where !layer.isHidden && result.count < most {
            guard layer.start < animation.end.double, layer.end > animation.start.double else { continue }
            let chain = sequence(first: layer) { $0.parent.map { layers[$0] } }
            let isMoved = chain.contains { !$0.transform.isPlaceConstant }
            guard isMoved || !layer.transform.opacity.isConstant || layer.content.moves else { continue }
            if case .null = layer.content { continue }
            let words = plain(layer.name)
            let base = words.isEmpty ? "layer \(place + 1)" : words
            var (name, count) = (base, 1)
            while !names.insert(name).inserted {
                count += 1
                name = "\(base) (\(count))"
            }
            let isPlaced =
                !layer.transform.isAnchorStill || chain.dropFirst().contains { !$0.transform.isPlaceConstant }
            let middle =
                (max(layer.start, animation.start.double) + min(layer.end, animation.end.double)) / 2
            let drawing = LayerDrawing(
                composition: animation.composition, frame: middle, rate: animation.rate.double)
            let isDrawn = !isPlaced && layer.content.moves
            result.append(
                MovingLayer(
                    place: place, name: name, color: layer.content.color ?? .black, isPlaced: isPlaced,
                    isDrawn: isDrawn, box: isDrawn ? nil : Node.bounds(of: drawing.contents(of: layer)),
                    depth: layers.count - 1 - place,
                    largestRadius: min(animation.size.width, animation.size.height) / 8))
        }
        return result
    }

    /// The object at the drawing's frame: where its anchor is, or the middle of what it draws if that stays in its place.
    func object(in drawing: LayerDrawing) -> MovingObject {
        let layer = drawing.composition.layers[place]
        let matrix = drawing.matrix(of: layer)
        let anchor = matrix.apply(layer.transform.anchor.value(at: drawing.frame, rate: drawing.rate))
        let bounds = (isDrawn ? Node.bounds(of: drawing.contents(of: layer)) : box).map(matrix.bounds)
        let place = isPlaced ? anchor : bounds?.center ?? anchor
        // What is too far away for numbers is nowhere.
        let position = place.isFinite ? place : .zero
        // Of what is small names keep away, as if it were a disc.
        let radius = bounds.map { min($0.width, $0.height) / 2 } ?? 0
        var object = MovingObject(
            name, color, at: position, radius: radius <= largestRadius ? radius : 0, depth: depth)
        let scale = layer.transform.scale.value(at: drawing.frame, rate: drawing.rate)
        object.pose = MovingObject.Pose(
            scale: scale * 0.01, rotation: layer.transform.rotation.value(at: drawing.frame, rate: drawing.rate),
            opacity: layer.isVisible(at: drawing.frame)
                ? layer.transform.opacity(at: drawing.frame, rate: drawing.rate) : 0)
        return object
    }

    /// A layer's name in words that need no quotes anywhere.
    private static func plain(_ name: String) -> String {
        name.plain(atMost: 80).replacing("\"", with: "").replacing("\\", with: "").plain(atMost: 40)
    }
}

extension Layer.Content {
    /// Whether anything in it changes.
    var moves: Bool {
        switch self {
        case .null, .solid, .image: false
        case .shapes(let group): group.moves
        case .composition(let inner):
            inner.timeRemap?.isConstant == false
                || inner.composition.layers.contains { !$0.transform.isConstant || $0.content.moves }
        case .text: true
        }
    }

    /// The colour of its first fill or line.
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
    fileprivate var moves: Bool {
        items.contains { item in
            switch item {
            case .group(let group): !group.transform.isConstant || group.moves
            case .path(let path, _): !path.isConstant
            case .primitive(.rectangle(let position, let size, let roundness), _):
                !position.isConstant || !size.isConstant || !roundness.isConstant
            case .primitive(.ellipse(let position, let size), _): !position.isConstant || !size.isConstant
            case .primitive(.star(let star), _):
                !star.position.isConstant || !star.rotation.isConstant || !star.outerRadius.isConstant
                    || !star.innerRadius.isConstant || !star.points.isConstant
            case .style(let style): style.line.map { !$0.width.isConstant || !$0.dashOffset.isConstant } ?? false
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
                    let parts = color.initial.map(clamp01)
                    return Color(red: parts[0], green: parts[1], blue: parts[2])
                }
            default: break
            }
        }
        return nil
    }
}
