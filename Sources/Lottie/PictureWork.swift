import Platform
import Scene

/// How long a picture takes to draw, in microseconds or so, where its longer side is 512 pixels.
///
/// What there is to draw depends on places and sizes that only a frame tells. So pictures are measured when a file is read, at
/// instants all over it, and refused where they take too long. Every other picture is measured, too, before it is drawn, and what is
/// beyond the limit is left out of it, so that no file can keep anybody waiting.
struct PictureWork {
    /// What a second has, less some: a few kinds of work take twice as long as is said here.
    static let most = 400_000.0
    /// Groups in one another. Each is a picture of its own.
    private static let mostDepth = 400
    private static let side = 512.0
    /// Pixels from the canvas beyond which Cairo's numbers end.
    private static let farthest = 4e6

    private let canvas: Rect
    /// Pixels a point.
    private let scale: Double
    private(set) var work = 0.0

    init(canvas size: Size) {
        canvas = Rect(size: size)
        scale = Self.side / max(size.width, size.height, 1)
    }

    /// The nodes that can be drawn within the limit, from the first on.
    static func affordable(_ nodes: [Node], on canvas: Size) -> [Node] {
        var work = PictureWork(canvas: canvas)
        let end = nodes.firstIndex { node in
            work.add(node, .identity, depth: 0)
            return work.work > most
        }
        return end.map { Array(nodes[..<$0]) } ?? nodes
    }

    /// How much some nodes take; what is beyond the limit is not looked at any more.
    static func work(of nodes: [Node], on canvas: Size) -> Double {
        var work = PictureWork(canvas: canvas)
        for node in nodes { work.add(node, .identity, depth: 0) }
        return work.work
    }

    private mutating func add(_ node: Node, _ transform: AffineTransform, depth: Int) {
        guard work <= Self.most else { return }
        switch node {
        case .shape(let shape): add(shape, transform, depth)
        case .image(let image): work += 1 + 0.06 * pixels(of: transform.bounds(of: image.frame))
        case .text: work += 100
        case .group(let group): add(group, transform, depth)
        }
    }

    // MARK: Groups

    private mutating func add(_ group: Group, _ outer: AffineTransform, _ depth: Int) {
        let transform = group.transform.then(outer)
        let numbers = [transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty]
        guard depth < Self.mostDepth, numbers.allSatisfy({ abs($0) < 1e12 }) else {
            work = .infinity
            return
        }
        let isLayer = group.opacity < 1 || group.clip != nil || group.blendMode != .normal || group.mask != nil
        work += 1
        if isLayer || !group.effects.isEmpty {
            let bounds = Node.bounds(of: group.nodes).map(transform.bounds)
            // A picture of its own is made, cleared and laid over what is there; with a mask there are two.
            let area = bounds.map { pixels(of: $0) } ?? 0
            work += 20 + area * (group.blendMode.work + (group.mask == nil ? 0 : 0.003))
            add(group.effects, around: bounds, transform)
        }
        if let clip = group.clip { add(Shape(clip, fill: Color.black), transform, depth) }
        for node in group.nodes { add(node, transform, depth: depth + 1) }
        for node in group.mask?.nodes ?? [] { add(node, transform, depth: depth + 1) }
    }

    private mutating func add(_ effects: [Effect], around bounds: Rect?, _ transform: AffineTransform) {
        guard let bounds, !effects.isEmpty else { return }
        // Softened pictures are as much larger as they reach, up to a picture's side on each side.
        let isSoft = effects.contains { if case .blur = $0 { true } else if case .shadow = $0 { true } else { false } }
        let room = isSoft ? canvas.expanded(by: max(canvas.width, canvas.height)) : canvas
        let area = (bounds.expanded(by: 2).intersection(room)?.area ?? 0) * scale * scale
        for effect in effects {
            switch effect {
            case .blur: work += 0.04 * area
            case .shadow: work += 0.08 * area
            case .fill, .tint, .luminanceToAlpha: work += 0.015 * area
            }
        }
    }

    /// The pixels of a rectangle that are on the canvas.
    private func pixels(of bounds: Rect) -> Double { (bounds.intersection(canvas)?.area ?? 0) * scale * scale }

    // MARK: Shapes

    private mutating func add(_ shape: Shape, _ transform: AffineTransform, _ depth: Int) {
        // Every group asks for the bounds of all that is in it.
        work += 0.05 + 0.02 * Double(shape.path.elements.count * (depth + 2))
        guard let bounds = shape.path.bounds.map(transform.bounds) else { return }
        let outline = OutlineMeasure(shape.path, transform.then(.scale(scale)), height: canvas.height * scale)
        guard outline.farthest < Self.farthest else {
            if bounds.intersection(canvas) != nil || !outline.farthest.isFinite { work = .infinity }
            return
        }
        let width = shape.stroke.map { $0.width * transform.growth } ?? 0
        guard bounds.expanded(by: width * 5).intersection(canvas) != nil else { return }
        if let fill = shape.fill {
            work += outline.rows * 0.08 + outline.pieces * 0.4 + pixels(of: bounds) * fill.work
        }
        guard let stroke = shape.stroke else { return }
        let pixelWidth = min(width * scale, Self.farthest)
        var pieces = outline.pieces
        if let dash = stroke.visibleDash {
            let period = dash.lengths.reduce(0, +) * transform.growth * scale / Double(dash.lengths.count)
            pieces += outline.length / period
        }
        // Both sides of the line, and round ends and corners.
        let isRound = stroke.join == .round || stroke.cap == .round
        work +=
            pieces * (2 + (isRound ? pixelWidth.squareRoot() : 0))
            + (2 * outline.rows + pieces * min(pixelWidth, Self.side)) * 0.08
        work += pixels(of: bounds.expanded(by: width)) * stroke.paint.work
    }
}

/// What of a path takes time.
private struct OutlineMeasure {
    /// The length in pixels.
    var length = 0.0
    /// Rows of pixels that edges go through, all in all.
    var rows = 0.0
    /// Straight pieces that Cairo makes of it.
    var pieces = 0.0
    /// The farthest coordinate.
    var farthest = 0.0

    init(_ path: Path, _ transform: AffineTransform, height: Double) {
        var (current, first) = (Point.zero, Point.zero)
        func row(_ y: Double) -> Double { min(max(y, 0), height) }
        for element in path.elements {
            var points: [Point]
            switch element {
            case .move(let point):
                (current, first) = (transform.apply(point), transform.apply(point))
                see(current)
                continue
            case .line(let point): points = [transform.apply(point)]
            case .quadratic(let control, let end): points = [transform.apply(control), transform.apply(end)]
            case .cubic(let a, let b, let end): points = [transform.apply(a), transform.apply(b), transform.apply(end)]
            case .arc(let center, let radius, _, _):
                let reach = radius * transform.growth
                let middle = transform.apply(center)
                (length, rows, pieces) = (
                    length + 7 * reach, rows + 4 * min(reach, height), pieces + reach.squareRoot() + 8
                )
                see(Point(middle.x + reach, middle.y + reach))
                points = []
            case .close: points = [first]
            }
            var way = 0.0
            for point in points {
                way += current.distance(to: point)
                rows += abs(row(point.y) - row(current.y))
                see(point)
                current = point
            }
            length += way
            // Halving a curve until it is flat doubles the pieces where the error becomes a quarter.
            pieces += points.count > 1 ? 1 + min(way * 4, 1e8).squareRoot() : 1
        }
    }

    private mutating func see(_ point: Point) {
        let far = max(abs(point.x), abs(point.y))
        // What is no number is farther than all.
        farthest = far <= .greatestFiniteMagnitude ? max(farthest, far) : .infinity
    }
}

extension AffineTransform {
    /// By how much lengths grow at most.
    fileprivate var growth: Double { max(hypot(a, b), hypot(c, d)) }
}

extension Rect {
    fileprivate var area: Double { width * height }
}

extension Paint {
    /// For a pixel.
    fileprivate var work: Double {
        switch self {
        case .color: 0.001
        case .linearGradient, .radialGradient: 0.01
        }
    }
}

extension BlendMode {
    /// For a pixel.
    fileprivate var work: Double {
        switch self {
        case .normal, .add, .destinationIn, .destinationOut, .xor: 0.002
        case .multiply, .screen, .overlay, .darken, .lighten, .hardLight, .difference, .exclusion: 0.006
        case .colorDodge, .colorBurn, .softLight, .hue, .saturation, .color, .luminosity: 0.05
        }
    }
}
