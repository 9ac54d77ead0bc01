import Core

/// An estimate of the time to draw a frame whose longer side is 512 pixels, in approximate
/// microseconds.
///
/// The cost depends on positions and sizes that are only known for a given frame. When a file is
/// read, a few frames are measured and the file is refused if one of them exceeds the limit. Any
/// other frame is measured before it is drawn, and the nodes beyond the limit are left out, so that
/// a hostile file cannot block rendering.
struct RenderCost {
    /// The maximum cost of a frame: less than half a second, because a few kinds of work take twice
    /// as long as estimated and a frame should never take more than a second.
    static let maxCost = 400_000.0
    /// The maximum nesting depth of groups. Each can be a surface of its own.
    private static let maxDepth = 400
    /// The longer side of the frame, in pixels.
    private static let referenceSide = 512.0
    /// The maximum coordinate, in pixels. Cairo's 24.8 fixed-point numbers end at 2^23, about
    /// 8.4e6.
    private static let maxCoordinate = 4e6

    private let canvas: Rect
    /// The number of pixels per point.
    private let scale: Double
    /// True if the cost is an upper bound, which is found without looking at the points of paths.
    private let isUpperBound: Bool
    /// The cost so far, in approximate microseconds.
    private(set) var cost = 0.0
    /// The number of groups with effects around the current node.
    private var effectDepth = 0

    init(canvas size: Size, isUpperBound: Bool = false) {
        canvas = Rect(size: size)
        scale = Self.referenceSide / max(size.width, size.height, 1)
        self.isUpperBound = isUpperBound
    }

    /// Returns the longest prefix of the nodes that stays within the limit.
    static func affordable(_ nodes: [Node], on canvas: Size) -> [Node] {
        // Usually, even an upper bound is within the limit.
        if maximumCost(of: nodes, on: canvas) <= maxCost { return nodes }
        var total = RenderCost(canvas: canvas)
        let end = nodes.firstIndex { node in
            total.add(node, .identity, depth: 0)
            return total.cost > maxCost
        }
        return end.map { Array(nodes[..<$0]) } ?? nodes
    }

    /// Returns the cost of nodes. It stops counting once the cost exceeds the limit.
    static func cost(of nodes: [Node], on canvas: Size) -> Double {
        var total = RenderCost(canvas: canvas)
        for node in nodes { total.add(node, .identity, depth: 0) }
        return total.cost
    }

    /// Returns an upper bound of the cost of nodes. It stops counting once the bound exceeds the
    /// limit.
    static func maximumCost(of nodes: [Node], on canvas: Size) -> Double {
        var total = RenderCost(canvas: canvas, isUpperBound: true)
        for node in nodes { total.add(node, .identity, depth: 0) }
        return total.cost
    }

    private mutating func add(_ node: Node, _ transform: AffineTransform, depth: Int) {
        guard cost <= Self.maxCost else { return }
        switch node {
        case .shape(let shape): add(shape, transform, depth)
        case .image(let image): cost += 1 + 0.06 * pixels(of: transform.bounds(of: image.frame))
        case .text: cost += 100
        case .group(let group): add(group, transform, depth)
        }
    }

    // MARK: Groups

    private mutating func add(_ group: Group, _ outer: AffineTransform, _ depth: Int) {
        var transform = group.transform.then(outer)
        if case .perspective(let projection)? = group.effects.first, let bounds = group.contentBounds {
            let corners = projection.visibleCorners(of: bounds)
            guard !corners.isEmpty else { return }
            let middle = corners.reduce(.zero, +) * (1 / Double(corners.count))
            guard let around = projection.affine(around: middle) else { return }
            transform = around.then(transform)
            // The plane is drawn on a surface of its own first, at the resolution of its closest
            // part: up to eight times that of the middle, and 8 million pixels.
            let distance = projection.divisor(middle)
            let closest = max(corners.map(projection.divisor).min() ?? distance, distance / 4)
            let area = abs(transform.determinant) * bounds.area * scale * scale
            cost += 50 + 0.01 * min(area * pow(distance / closest, 3), 8_000_000)
        }
        guard depth < Self.maxDepth, transform.isModerate else {
            cost = .infinity
            return
        }
        cost += 1
        if group.needsFlattening || !group.effects.isEmpty {
            let bounds = group.contentBounds.map(transform.bounds)
            // A surface is allocated, cleared and composited; with a mask there are two.
            let area = bounds.map { pixels(of: $0) } ?? 0
            cost += 20 + area * (group.blendMode.cost + (group.mask == nil ? 0 : 0.003))
            add(effectsOf: group, around: bounds, transform)
        }
        if !group.effects.isEmpty { effectDepth += 1 }
        defer { if !group.effects.isEmpty { effectDepth -= 1 } }
        if let clip = group.clip { add(Shape(clip, fill: Color.black), transform, depth) }
        for node in group.nodes { add(node, transform, depth: depth + 1) }
        for node in group.mask?.nodes ?? [] { add(node, transform, depth: depth + 1) }
    }

    private mutating func add(effectsOf group: Group, around bounds: Rect?, _ transform: AffineTransform) {
        guard let bounds, let first = group.effects.first else { return }
        if case .perspective = first {
            // Effects around the plane can draw beyond the canvas.
            let visible = effectDepth > 0 ? canvas.expanded(by: max(canvas.width, canvas.height)) : canvas
            cost += 0.3 * (bounds.expanded(by: 2).intersection(visible)?.area ?? 0) * scale * scale
            return
        }
        let toPixels = transform.then(.scale(scale))
        let size = Size(canvas.width * scale, canvas.height * scale)
        guard let surface = group.effectBounds(toPixels, in: size) else { return }
        // Surfaces are allocated, cleared and composited for what effects paint, too.
        cost += 0.003 * surface.area
        for effect in group.effects { add(effect, in: surface, toPixels) }
    }

    /// Adds the cost of an effect, measured per pixel of the surface.
    ///
    /// - Parameters:
    ///   - surface: the bounds of the surface in pixels.
    ///   - toPixels: the transform from points to pixels.
    private mutating func add(_ effect: Effect, in surface: Rect, _ toPixels: AffineTransform) {
        let area = surface.area
        switch effect {
        // Measured: up to 0.06 if all rows of the surface have contents, else 0.03 to 0.045.
        case .blur: cost += 0.04 * area
        case .shadow: cost += 0.08 * area
        case .innerShadow(_, _, let choke, _):
            cost += 0.08 * area
            if choke > 0 { add(.grow(choke), in: surface, toPixels) }
        // Two blurs of up to two boxes, or of three.
        case .boxBlur, .crossBlur: cost += 0.06 * area
        // Each row within the radius is combined with each row, for two whole radii.
        case .grow(let radius):
            let reach = min(abs(radius) * toPixels.maxScale, Self.referenceSide)
            cost += 0.02 * (2 * reach + 3) * area
        // Only the ellipse is redrawn.
        case .bulge(let bulge):
            cost += 0.003 * area + 0.3 * (toPixels.bounds(of: bulge.bounds).intersection(surface)?.area ?? 0)
        case .fourColors: cost += 0.2 * area
        case .paint: cost += 0.03 * area
        case .tritone, .curves, .hueSaturation: cost += 0.05 * area
        case .fill, .tint, .luminanceToAlpha: cost += 0.015 * area
        case .perspective: break
        }
    }

    /// Returns the number of pixels of a rectangle that are on the canvas.
    private func pixels(of bounds: Rect) -> Double { (bounds.intersection(canvas)?.area ?? 0) * scale * scale }

    // MARK: Shapes

    private mutating func add(_ shape: Shape, _ transform: AffineTransform, _ depth: Int) {
        // Each enclosing group computes the bounds of its contents.
        cost += 0.05 + 0.02 * Double(shape.path.elements.count * (depth + 2))
        guard let bounds = shape.path.bounds.map(transform.bounds) else { return }
        let toPixels = transform.then(.scale(scale))
        let height = canvas.height * scale
        let metrics =
            isUpperBound
            ? PathMetrics(maximumOf: shape.path, toPixels, height: height)
            : PathMetrics(shape.path, toPixels, height: height)
        guard metrics.maxCoordinate < Self.maxCoordinate else {
            if bounds.intersection(canvas) != nil || !metrics.maxCoordinate.isFinite { cost = .infinity }
            return
        }
        let width = shape.stroke.map { $0.width * transform.maxScale } ?? 0
        guard bounds.expanded(by: width * 5).intersection(canvas) != nil else { return }
        if let fill = shape.fill {
            cost += metrics.rows * 0.08 + metrics.segments * 0.4 + pixels(of: bounds) * fill.cost
        }
        guard let stroke = shape.stroke else { return }
        let pixelWidth = min(width * scale, Self.maxCoordinate)
        var segments = metrics.segments
        if let dash = stroke.visibleDash {
            let period = dash.lengths.reduce(0, +) * transform.maxScale * scale / Double(dash.lengths.count)
            // A stroke scaled to a point has neither dashes nor a period.
            if period > 0 { segments += metrics.length / period }
        }
        // A stroke has two sides, and round caps and joins add segments.
        let isRound = stroke.join == .round || stroke.cap == .round
        cost +=
            segments * (2 + (isRound ? pixelWidth.squareRoot() : 0))
            + (2 * metrics.rows + segments * min(pixelWidth, Self.referenceSide)) * 0.08
        cost += pixels(of: bounds.expanded(by: width)) * stroke.paint.cost
    }
}

extension AffineTransform {
    /// True if all coefficients are finite and small enough to draw with.
    fileprivate var isModerate: Bool {
        let limit = 1e12
        return abs(a) < limit && abs(b) < limit && abs(c) < limit && abs(d) < limit && abs(tx) < limit
            && abs(ty) < limit
    }
}

extension Rect {
    fileprivate var area: Double { width * height }
}

extension Paint {
    /// The cost per pixel.
    fileprivate var cost: Double {
        switch self {
        case .color: 0.001
        case .linearGradient, .radialGradient, .conicGradient: 0.01
        }
    }
}

extension BlendMode {
    /// The cost per pixel.
    fileprivate var cost: Double {
        switch self {
        case .normal, .add, .destinationIn, .destinationOut, .xor: 0.002
        case .multiply, .screen, .overlay, .darken, .lighten, .hardLight, .difference, .exclusion: 0.006
        case .colorDodge, .colorBurn, .softLight, .hue, .saturation, .color, .luminosity: 0.05
        }
    }
}
