import Animations
import Core

/// The objects of an animation that a viewer sees move, found by drawing it. Results are cached,
/// because only annotations, charts and tables need them.
final class ObjectSurvey: Sendable {
    let animation: Animation
    private let cache = Locked(Cache())

    private struct Cache {
        var all: [MovingLayer]?
        var parts: [(path: [Int], name: String)]?
        var shown: [MovingLayer]?
        var colors: [[Int]: Color] = [:]
    }

    /// The number of instants at which objects are measured.
    private static let samples = 32
    /// The maximum number of objects that are shown. More would crowd the phase table and the
    /// space around the canvas.
    private static let maxShown = 8
    /// The maximum number of objects that are drawn to find those that others do not cover.
    private static let maxDrawn = 24
    /// The maximum number of nodes that are made to measure objects: 32 frames of a rich animation.
    /// Objects beyond it are not shown.
    private static let maxNodes = 200_000
    /// The maximum time for path operations to measure objects, in microseconds: that of one rich
    /// object at all instants.
    private static let maxPathWork = samples * LottieLimits.maxPathMicroseconds

    init(_ animation: Animation) { self.animation = animation }

    /// All moving objects, the topmost first.
    var all: [MovingLayer] {
        if let known = cache.withLock({ $0.all }) { return known }
        let paths = LayerSearch(animation).moving
        let names = LayerNames(paths, in: animation)
        let titles = names.titles
        let made = paths.indices.map { index in
            MovingLayer(
                paths[index], name: names.names[index], title: titles[index], depth: paths.count - 1 - index,
                in: animation)
        }
        cache.withLock { $0.all = made }
        return made
    }

    /// The paths and the unique names of all moving layers and of all other layers of the main
    /// composition that draw anything. The moving layers have the names of their objects.
    var parts: [(path: [Int], name: String)] {
        if let known = cache.withLock({ $0.parts }) { return known }
        let objects = all.map { (path: $0.path, name: $0.name) }
        let moving = Set(objects.map(\.path))
        let layers = animation.composition.layers
        let others = layers.indices.filter { index in
            if case .null = layers[index].content { return false }
            return !layers[index].isHidden && !moving.contains([index])
        }
        let used = Set(objects.map(\.name))
        let names = LayerNames(others.map { [$0] }, in: animation).names
        let made = objects + zip(others, names).map { ([$0], used.contains($1) ? "\($1), layer \($0 + 1)" : $1) }
        cache.withLock { $0.parts = made }
        return made
    }

    /// The objects that are shown by default: at most eight that a viewer sees move, by their area
    /// times their travel. The topmost comes first.
    var shown: [MovingLayer] {
        if let known = cache.withLock({ $0.shown }) { return known }
        let ranked = ranked
        var found: [MovingLayer] = []
        for layer in ranked.prefix(Self.maxDrawn) where found.count < Self.maxShown {
            guard let color = drawnColor(of: layer) else { continue }
            cache.withLock { $0.colors[layer.path] = color }
            found.append(layer)
        }
        let made = colored(found.sorted { $0.depth > $1.depth })
        cache.withLock { $0.shown = made }
        return made
    }

    /// Returns objects with the colours in which they are drawn.
    func colored(_ layers: [MovingLayer]) -> [MovingLayer] {
        layers.map { layer in
            let known = cache.withLock { $0.colors[layer.path] }
            var layer = layer
            layer.color = known ?? drawnColor(of: layer) ?? layer.color
            cache.withLock { [color = layer.color] in $0.colors[layer.path] = color }
            return layer
        }
    }

    // MARK: Measurement

    private var canvas: Rect { Rect(size: animation.size) }

    /// Returns a renderer of the frame at a fraction of the period.
    func renderer(at fraction: Double) -> CompositionRenderer {
        let start = animation.start.double
        return CompositionRenderer(
            composition: animation.composition, frame: start + fraction * (animation.end.double - start),
            context: animation.frameContext())
    }

    /// Returns an object's states at fractions of the period.
    func states(of layer: MovingLayer, at fractions: [Double]) -> [ObjectState] {
        states(of: layer, in: fractions.map { renderer(at: $0) })
    }

    /// Returns the states of several objects at fractions of the period, of as many as their nodes
    /// allow.
    func states(of layers: [MovingLayer], at fractions: [Double]) -> [(layer: MovingLayer, states: [ObjectState])] {
        let renderers = fractions.map { renderer(at: $0) }
        var nodeCount = 0
        return layers.compactMap { layer in
            guard nodeCount <= Self.maxNodes else { return nil }
            let states = states(of: layer, in: renderers)
            nodeCount += states.reduce(0) { $0 + $1.nodes.totalCount }
            return (layer, states)
        }
    }

    /// Returns an object's states at the frames of renderers. Each object has the whole budget for
    /// path operations.
    private func states(of layer: MovingLayer, in renderers: [CompositionRenderer]) -> [ObjectState] {
        renderers.map { renderer in
            renderer.context.renewPathBudget()
            return ObjectState(layer, in: renderer, on: canvas)
        }
    }

    /// The maximum number of frames that are compared to find out whether anything moves.
    private static let maxStillFrames = 600

    /// Returns true if all frames in a part of the period are equal, even if layers have keyframes.
    /// False if comparing them takes too long.
    func isStill(during part: ClosedRange<Double>, frames: Double) -> Bool {
        let renderers = renderers(during: part, count: min(Self.maxStillFrames, Int(frames.rounded(.up)) + 1))
        let first = renderers[0].nodes().compactMap(\.visible)
        var nodeCount = first.totalCount
        return renderers.dropFirst().allSatisfy { renderer in
            let nodes = renderer.nodes().compactMap(\.visible)
            nodeCount += nodes.totalCount
            return nodes == first && nodeCount <= Self.maxNodes
        }
    }

    /// The maximum number of frames that are drawn to find out whether anything changes visibly.
    private static let maxDrawnStillFrames = 24
    /// The longer side of these frames in pixels.
    private static let stillSide = 240

    /// Returns true if the frames in a part of the period have the same pixels, such as those in
    /// which only covered objects move.
    func looksStill(during part: ClosedRange<Double>, frames: Double) -> Bool {
        let count = min(Self.maxDrawnStillFrames, Int(frames.rounded(.up)) + 1)
        var first: [Int]?
        return renderers(during: part, count: count).allSatisfy { renderer in
            let nodes = RenderCost.affordable(renderer.nodes(), on: animation.size)
            guard let pixels = DrawnColors.pixels(of: nodes, in: canvas, side: Self.stillSide) else { return false }
            defer { first = first ?? pixels }
            return first == nil || pixels == first
        }
    }

    /// Returns renderers at equal intervals, with both ends.
    private func renderers(during part: ClosedRange<Double>, count: Int) -> [CompositionRenderer] {
        let last = max(1, count - 1)
        return (0...last).map { renderer(at: lerp(part.lowerBound, part.upperBound, Double($0) / Double(last))) }
    }

    private static let fractions = (0..<samples).map { (Double($0) + 0.5) / Double(samples) }

    /// The objects that move visibly, by their area times their travel.
    private var ranked: [MovingLayer] {
        var nodeCount = 0
        // Sums of coordinates round to values that differ by less than this.
        let minTravel = 0.01 * min(animation.size.width, animation.size.height)
        var weights: [(layer: MovingLayer, weight: Double)] = []
        // All objects share the results of expressions at each instant.
        let renderers = Self.fractions.map { renderer(at: $0) }
        var pathWork = 0
        for layer in all {
            let states = states(of: layer, in: renderers)
            nodeCount += states.reduce(0) { $0 + $1.nodes.totalCount }
            pathWork += renderers.reduce(0) {
                $0 + LottieLimits.maxPathMicroseconds - max(0, $1.context.pathBudget.remaining)
            }
            guard nodeCount <= Self.maxNodes, pathWork <= Self.maxPathWork else { break }
            let areas = states.map { ($0.bounds.map { $0.width * $0.height } ?? 0) * $0.opacity }
            let isSeen = zip(states, areas).contains { $0.opacity > Self.minOpacity && $1 > 0 }
            let travel = zip(states, states.dropFirst()).reduce(0) { $0 + Self.travel(from: $1.0, to: $1.1) }
            guard isSeen, travel >= minTravel else { continue }
            weights.append((layer, areas.reduce(0, +) / Double(areas.count) * travel))
        }
        return weights.sorted { ($1.weight, $0.layer.depth) < ($0.weight, $1.layer.depth) }.map(\.layer)
    }

    /// The opacity above which an object is visible.
    private static let minOpacity = 0.02
    /// The share of an object's side that a change without motion counts for as travel, such as a
    /// part of a turn or a new shape.
    private static let changeShare = 0.1
    /// The share of an object's side that a complete fade counts for as travel.
    private static let fadeShare = 0.25

    /// Returns the distance that a viewer sees an object travel between two instants, in points.
    private static func travel(from first: ObjectState, to second: ObjectState) -> Double {
        guard let a = first.bounds, let b = second.bounds else {
            let rest = first.bounds ?? second.bounds
            return rest.map { changeShare * min($0.width, $0.height) } ?? 0
        }
        let side = min(b.width, b.height)
        let moved = [b.x - a.x, b.y - a.y, b.maxX - a.maxX, b.maxY - a.maxY].map(abs).max() ?? 0
        let isTurned = first.rotation != second.rotation
        let changed = first.nodes == second.nodes || moved > 0 && !isTurned ? 0 : changeShare * side
        return max(moved, changed, fadeShare * side * abs(second.opacity - first.opacity))
    }

    // MARK: Drawn colours

    /// The number of instants at which an object is drawn to find its colour.
    private static let drawnInstants = 5

    /// Returns the dominant colour in which an object is drawn; nil if other layers cover it.
    private func drawnColor(of layer: MovingLayer) -> Color? {
        let states = zip(Self.fractions, states(of: layer, at: Self.fractions)).compactMap { fraction, state in
            state.bounds.map { (fraction: fraction, bounds: $0, opacity: state.opacity) }
        }
        let opacities = states.map(\.opacity)
        guard let strongest = opacities.max(), strongest > Self.minOpacity else { return nil }
        let seen = states.filter { $0.opacity >= strongest / 2 }
        let stride = max(1, seen.count / Self.drawnInstants)
        var colors = DrawnColors()
        for index in Swift.stride(from: stride / 2, to: seen.count, by: stride) {
            let renderer = renderer(at: seen[index].fraction)
            colors.add(
                renderer.only(layer.path).nodes(), in: seen[index].bounds,
                among: RenderCost.affordable(renderer.nodes(), on: animation.size))
        }
        return colors.dominant
    }
}

extension [Node] {
    /// The number of nodes, including those in groups and in their masks.
    var totalCount: Int {
        reduce(0) { count, node in
            guard case .group(let group) = node else { return count + 1 }
            return count + 1 + group.nodes.totalCount + (group.mask?.nodes.totalCount ?? 0)
        }
    }
}
