import Core

/// A property of a 3D layer as expressions see it. Its x and y components have the curves between
/// keyframes; its z component comes from a separate property.
struct SpaceProperty: ExpressionProperty {
    let plane: Property<Point>
    let space: Property<[Double]>

    var expression: Expression? { plane.expression }
    var keyCount: Int { plane.keyCount }
    func frameOfKeyframe(_ index: Int) -> Double { plane.frameOfKeyframe(index) }

    func keyframedResult(at frame: Double) -> ExpressionResult {
        Self.result(plane.keyframed(at: frame), space.keyframed(at: frame))
    }

    func result(of loop: LoopExpression, at frame: Double, rate: Double) -> ExpressionResult {
        Self.result(loop.value(of: plane, at: frame, rate: rate), loop.value(of: space, at: frame, rate: rate))
    }

    private static func result(_ point: Point, _ numbers: [Double]) -> ExpressionResult {
        .numbers([point.x, point.y] + numbers.dropFirst(2))
    }

    /// Evaluates the expression with all components, so that its result is known when the plane and
    /// the z component are read.
    func evaluate(at frame: Double, in context: FrameContext) {
        guard let expression, expression.loopExpression == nil else { return }
        _ = try? context.result(of: expression, self, at: frame)
    }
}
