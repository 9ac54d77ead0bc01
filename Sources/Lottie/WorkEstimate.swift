/// How much there is to draw for one picture at most, found before anything is drawn: a loader cannot fail later.
struct WorkEstimate {
    private let composition: Composition
    private var known: [ObjectIdentifier: Int] = [:]

    init(_ composition: Composition) { self.composition = composition }

    /// Throws if it is more than a picture may take.
    func check() throws {
        var estimate = self
        let work = try estimate.work(of: composition)
        guard work <= LottieLimits.mostWork else {
            throw LottieError(
                "a picture takes \(work) steps of drawing, with all copies and compositions; \(LottieLimits.mostWork) "
                    + "are possible")
        }
    }

    private mutating func work(of composition: Composition) throws -> Int {
        if let known = known[ObjectIdentifier(composition)] { return known }
        var sum = 0
        for layer in composition.layers {
            // Layers are drawn once for themselves and once for each that they are the matte of: at most for all.
            sum = Self.sum(sum, 1 + layer.masks.reduce(0) { $0 + Self.work(of: $1.path) })
            switch layer.content {
            case .shapes(let group): sum = Self.sum(sum, Self.work(of: group.items[...]))
            case .composition(let inner): sum = Self.sum(sum, try work(of: inner.composition))
            case .null, .solid, .image: break
            case .text(let text): sum = Self.sum(sum, text.work)
            }
        }
        known[ObjectIdentifier(composition)] = sum
        return sum
    }

    private static func work(of path: Property<Contour>) -> Int { path.keyValues.map(\.vertices.count).max() ?? 0 }

    private static func work(of items: ArraySlice<ShapeItem>) -> Int {
        var sum = 0
        for item in items {
            switch item {
            case .path(let path, _): sum = Self.sum(sum, work(of: path))
            case .primitive(.star(let star), _): sum = Self.sum(sum, 2 * Int(largest(star.points)))
            case .primitive: sum = Self.sum(sum, 8)
            case .group(let group): sum = Self.sum(sum, 1 + work(of: group.items[...]))
            case .style: sum = Self.sum(sum, 1)
            case .repeater(let repeater): sum = Self.product(max(sum, 1), 1 + Int(largest(repeater.copies)))
            case .modifier(.zigZag(_, let ridges, _)): sum = Self.product(sum, 1 + Int(largest(ridges)))
            case .modifier(.offset), .modifier(.merge): sum = Self.product(sum, 8)
            case .modifier(.twist): sum = Self.product(sum, 4)
            case .modifier: break
            }
        }
        return sum
    }

    private static func largest(_ property: Property<Double>) -> Double {
        min(max(property.keyValues.max() ?? 0, 0), Double(LottieLimits.mostCopies))
    }

    private static func sum(_ a: Int, _ b: Int) -> Int { min(a + b, Int(Int32.max)) }
    private static func product(_ a: Int, _ b: Int) -> Int { min(a * b, Int(Int32.max)) }
}
