/// How much there is to compute for one picture at most, found before anything is drawn: a loader cannot fail later.
struct WorkEstimate {
    private var known: [ObjectIdentifier: Int] = [:]

    /// Throws if a composition's pictures may take more than one may.
    static func check(_ composition: Composition) throws {
        var estimate = WorkEstimate()
        let work = estimate.work(of: composition)
        guard work <= LottieLimits.mostWork else {
            let most = LottieLimits.mostWork
            throw LottieError(
                "a picture takes \(work == Self.endless ? "more than \(most)" : "\(work)") steps of drawing, with all copies and "
                    + "compositions; \(most) are possible")
        }
    }

    private mutating func work(of composition: Composition) -> Int {
        if let known = known[ObjectIdentifier(composition)] { return known }
        let layers = composition.layers
        var works: [Int] = []
        for layer in layers { works.append(work(of: layer, in: composition)) }
        var sum = 0
        for (place, layer) in layers.enumerated() where !layer.isHidden {
            sum = Self.sum(sum, works[place])
            // A matte is drawn for each layer that has it, and so are its own.
            var matte = layer.matte?.source
            while let source = matte {
                sum = Self.sum(sum, works[source])
                matte = layers[source].matte?.source
            }
        }
        known[ObjectIdentifier(composition)] = sum
        return sum
    }

    private mutating func work(of layer: Layer, in composition: Composition) -> Int {
        var work = 4 + layer.effects.count
        var next = layer.parent
        while let parent = next {
            work += 2
            next = composition.layers[parent].parent
        }
        for mask in layer.masks { work = Self.sum(work, 4 + Self.work(of: mask.path)) }
        switch layer.content {
        case .shapes(let group): return Self.sum(work, Self.work(of: group.items[...]))
        case .composition(let inner): return Self.sum(work, self.work(of: inner.composition))
        case .text(let text): return Self.sum(work, text.work)
        case .null, .solid, .image: return work
        }
    }

    private static func work(of path: Property<Contour>) -> Int { path.keyValues.map(\.vertices.count).max() ?? 0 }

    private static func work(of items: ArraySlice<ShapeItem>) -> Int {
        // Corners, which modifiers multiply; and what else there is.
        var (corners, rest) = (0, 0)
        for item in items {
            switch item {
            case .path(let path, _): corners = sum(corners, work(of: path))
            case .primitive(.star(let star), _):
                corners = sum(corners, 2 * largest(star.points, LottieLimits.mostCopies))
            case .primitive: corners = sum(corners, 8)
            case .group(let group): corners = sum(corners, 2 + work(of: group.items[...]))
            // Each paints all that is above it.
            case .style(let style):
                rest = sum(rest, sum(2 + corners, style.gradientWork))
            case .repeater(let repeater):
                let copies = largest(repeater.copies, LottieLimits.mostCopies)
                (corners, rest) = (product(max(corners, 1), 1 + copies), product(max(rest, 1), 1 + copies))
            case .modifier(.zigZag(_, let ridges, _)): corners = product(corners, 1 + largest(ridges, 500))
            case .modifier(.offset), .modifier(.merge): corners = sum(product(corners, 4), 8)
            case .modifier(.twist): corners = product(corners, 4)
            case .modifier(.roundCorners): corners = product(corners, 2)
            case .modifier: rest = sum(rest, corners)
            }
        }
        return sum(corners, rest)
    }

    /// The most that a count can be. An expression may come to anything.
    private static func largest(_ property: Property<Double>, _ limit: Int) -> Int {
        guard property.expression == nil else { return limit }
        // Easing may go beyond both its ends.
        let values = property.keyValues
        let (low, high) = (values.min() ?? 0, values.max() ?? 0)
        let most = values.count > 1 ? high + (high - low) : high
        return Int(min(max(most.rounded(.up), 0), Double(limit)))
    }

    private static let endless = Int(Int32.max)
    private static func sum(_ a: Int, _ b: Int) -> Int { min(a + b, endless) }
    private static func product(_ a: Int, _ b: Int) -> Int { min(a * b, endless) }
}

extension ShapeStyle {
    /// Stops are put together anew for every picture.
    fileprivate var gradientWork: Int {
        guard case .gradient(let gradient) = paint else { return 0 }
        return 2 * (gradient.stops.keyValues.first?.count ?? 0)
    }
}
