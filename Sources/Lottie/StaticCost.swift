/// An upper bound of the work for one frame, in units of about one vertex of a path, computed from
/// the file alone. A file above the limit is refused when it is read, because a loader cannot fail
/// later.
struct StaticCost {
    /// The costs of compositions, by identity. Several layers can show one composition.
    private var cache: [ObjectIdentifier: Int] = [:]

    /// Throws `LottieError` if a frame of a composition can cost more than `LottieLimits.maxWork`.
    static func check(_ composition: Composition) throws {
        var estimate = StaticCost()
        let cost = estimate.cost(of: composition)
        guard cost <= LottieLimits.maxWork else {
            let limit = LottieLimits.maxWork
            throw LottieError(
                "a frame takes \(cost == Self.saturated ? "more than \(limit)" : "\(cost)") drawing steps, "
                    + "including all copies and precompositions; the maximum is \(limit): use fewer copies, layers or "
                    + "points"
            )
        }
    }

    private mutating func cost(of composition: Composition) -> Int {
        if let cached = cache[ObjectIdentifier(composition)] { return cached }
        let layers = composition.layers
        var costs: [Int] = []
        for layer in layers { costs.append(cost(of: layer, in: composition)) }
        // A matte is drawn once for each layer that uses it, as are the matte's own mattes.
        func drawingCost(_ index: Int) -> Int {
            let matte = layers[index].matte.map { drawingCost($0.source) } ?? 0
            // Hard Mix is drawn as two other modes.
            return Self.product(Self.sum(costs[index], matte), layers[index].isHardMix ? 2 : 1)
        }
        var sum = 0
        for (index, layer) in layers.enumerated() where !layer.isHidden { sum = Self.sum(sum, drawingCost(index)) }
        cache[ObjectIdentifier(composition)] = sum
        return sum
    }

    private mutating func cost(of layer: Layer, in composition: Composition) -> Int {
        var cost = 4 + layer.effects.count + layer.styles.count
        var next = layer.parent
        while let parent = next {
            cost += 2
            next = composition.layers[parent].parent
        }
        for mask in layer.masks { cost = Self.sum(cost, 4 + Self.maxVertexCount(of: mask.path)) }
        for effect in layer.effects { cost = Self.sum(cost, effect.maxLineCount / Self.linesPerStep) }
        for style in layer.styles { cost = Self.sum(cost, Self.gradientCost(of: style.stops)) }
        switch layer.content {
        case .shapes(let group): cost = Self.sum(cost, Self.cost(of: group))
        case .composition(let inner): cost = Self.sum(cost, self.cost(of: inner.composition))
        case .text(let text): cost = Self.sum(cost, text.staticCost)
        case .null, .solid, .image: break
        }
        // An echo draws the contents again, at other times.
        for effect in layer.effects { cost = Self.product(cost, effect.maxTimes) }
        // A shadow or a glow draws the contents once more.
        return Self.product(cost, 1 + layer.styles.count { $0.drawsContents })
    }

    /// Returns the cost of the items of a group.
    static func cost(of group: ShapeGroup) -> Int { cost(of: group.items[...]).total }

    /// The number of lines of a path that cost as much as a vertex: a vertex can begin a curve, and
    /// a curve becomes up to 256 lines when a frame is drawn, usually about 16. A million lines
    /// take about 100 MB.
    private static let linesPerStep = 16

    /// Returns the maximum number of vertices of a path.
    static func maxVertexCount(of path: Property<BezierContour>) -> Int {
        let count = path.keyValues.map(\.vertices.count).max() ?? 0
        guard let expression = path.expression, expression.loopExpression == nil else { return count }
        return max(count, LottieLimits.maxExpressionVertices)
    }

    /// The work for the items of a group.
    private struct GroupCost {
        /// The number of vertices of paths with curves.
        var curved = 0
        /// The number of vertices of the polygons that Merge Paths has made.
        var merged = 0
        /// The work for styles and repeaters.
        var other = 0

        var vertices: Int { StaticCost.sum(curved, merged) }
        var total: Int { StaticCost.sum(vertices, other) }

        mutating func add(_ inner: GroupCost) {
            curved = StaticCost.sum(curved, inner.curved)
            merged = StaticCost.sum(merged, inner.merged)
            other = StaticCost.sum(other, inner.other)
        }

        /// Counts a modifier that multiplies the vertices, also those of styles above it.
        mutating func multiply(by factor: Int) {
            curved = StaticCost.product(vertices, factor)
            merged = 0
            other = StaticCost.product(other, factor)
        }
    }

    private static func cost(of items: ArraySlice<ShapeItem>) -> GroupCost {
        var cost = GroupCost()
        for item in items {
            switch item {
            case .path(let path, _): cost.curved = sum(cost.curved, maxVertexCount(of: path))
            case .primitive(.star(let star), _):
                cost.curved = sum(cost.curved, 2 * maxCount(star.points, limit: LottieLimits.maxCopies))
            case .primitive: cost.curved = sum(cost.curved, 8)
            case .group(let group):
                cost.add(Self.cost(of: group.items[...]))
                cost.other = sum(cost.other, 2)
            // Each style paints all paths above it.
            case .style(let style):
                cost.other = sum(cost.other, sum(2 + cost.vertices, style.gradientCost))
            case .repeater(let repeater):
                let copies = maxCount(repeater.copies, limit: LottieLimits.maxCopies)
                cost.other = max(cost.other, 1)
                cost.multiply(by: 1 + copies)
            case .modifier(let modifier): apply(modifier, to: &cost)
            }
        }
        return cost
    }

    private static func apply(_ modifier: PathModifier, to cost: inout GroupCost) {
        switch modifier {
        case .zigZag(_, let ridges, _): cost.multiply(by: 1 + maxCount(ridges, limit: 500))
        case .offset: cost.multiply(by: 4)
        case .twist: cost.multiply(by: 4)
        case .roundCorners: cost.multiply(by: 2)
        case .merge(let mode, _):
            cost.other = sum(cost.other, sum(cost.vertices, 8))
            // The mode that only joins paths keeps their curves.
            guard mode != .merge else { return }
            // Curves become polygons, but polygons that are merged again keep their vertices.
            cost.merged = sum(cost.merged, product(cost.curved, 4))
            cost.curved = 0
        case .trim, .puckerBloat: cost.other = sum(cost.other, cost.vertices)
        }
    }

    /// Returns the maximum value of a count, or `limit` if that is less or if the property has an
    /// expression.
    static func maxCount<Value>(
        _ property: Property<Value>, limit: Int, component: (Value) -> Double
    ) -> Int {
        guard property.expression == nil else { return limit }
        return Int(min(max(property.maximum(of: component).rounded(.up), 0), Double(limit)))
    }

    private static func maxCount(_ property: Property<Double>, limit: Int) -> Int {
        maxCount(property, limit: limit) { $0 }
    }

    /// The value at which sums and products stop growing, so that they cannot overflow.
    private static let saturated = Int(Int32.max)
    private static func sum(_ a: Int, _ b: Int) -> Int { min(a + b, saturated) }
    private static func product(_ a: Int, _ b: Int) -> Int { min(a * b, saturated) }
}

extension ShapeStyle {
    /// The work for the gradient's stops, which are computed for every frame.
    fileprivate var gradientCost: Int {
        guard case .gradient(let gradient) = paint else { return 0 }
        return StaticCost.gradientCost(of: gradient.stops)
    }
}

extension StaticCost {
    /// Returns the work for the stops of a gradient, if there is one.
    fileprivate static func gradientCost(of stops: Property<[Double]>?) -> Int {
        2 * (stops?.keyValues.first?.count ?? 0)
    }
}
