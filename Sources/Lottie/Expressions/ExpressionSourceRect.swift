import Core

/// `sourceRectAtTime`: the bounds of a layer's contents in expressions.
extension ExpressionInterpreter {
    /// The number of steps that take as long as building simple contents.
    private static let stepsPerLayer = 5_000
    /// The number of steps that take as long as a unit of `StaticCost`.
    private static let stepsPerUnit = 2

    func sourceRect(_ reference: ExpressionReference, _ arguments: [ExpressionValue]) throws -> ExpressionValue {
        let frame = Self.number(arguments, 0, or: time) * context.rate
        guard frame.isFinite else { throw EvaluationError("measures a layer at a time that is not a number") }
        let composition = model(reference).composition
        let layer = try composition.layers[layerIndex(reference)]
        try charge(Self.stepsPerLayer + Self.stepsPerUnit * cost(of: layer, at: frame))
        let renderer = CompositionRenderer(composition: composition, frame: frame, context: context)
        var bounds = Rect(size: Size(0, 0))
        switch layer.content {
        case .solid, .image, .composition: bounds = Rect(size: try layerSize(reference))
        case .shapes, .text: bounds = Node.tightBounds(of: renderer.contents(of: layer)) ?? bounds
        case .null: if Self.sizeKeys(try layerJSON(reference)) != nil { bounds = Rect(size: try layerSize(reference)) }
        }
        return try object([
            "top": .number(bounds.y), "left": .number(bounds.x), "width": .number(bounds.width),
            "height": .number(bounds.height),
        ])
    }

    private func cost(of layer: Layer, at frame: Double) -> Int {
        switch layer.content {
        case .shapes(let group): StaticCost.cost(of: group)
        case .text(let text): text.staticCost(at: frame, in: context)
        case .null, .solid, .image, .composition: 0
        }
    }
}
