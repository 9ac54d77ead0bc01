import Core

/// The check of all expressions that a file is drawn with, at a few times when it is read.
enum ExpressionCheck {
    /// Records the expressions that fail as unsupported features. After Effects disables an
    /// expression that fails, but exporters also leave out what expressions refer to, such as guide
    /// layers, so the value of the keyframes is not always what the designer saw.
    ///
    /// Throws `LottieError` if an expression exceeds a limit or refers to itself.
    static func run(
        _ composition: Composition, from start: Double, to end: Double, root: Field,
        makeContext: () -> FrameContext
    ) throws {
        var reported: Set<String> = []
        for step in 0..<LottieLimits.checkedFrames {
            let frame = start + (end - start) * Double(step) / Double(LottieLimits.checkedFrames)
            let context = makeContext()
            _ = CompositionRenderer(composition: composition, frame: frame, context: context).nodes()
            for (expression, error) in context.failures where reported.insert(expression.path).inserted {
                let path = expression.path + ".x"
                guard error.kind != .limit else { throw LottieError("the expression \(error.message)", at: path) }
                let reason =
                    error.kind == .unsupported ? "it \(error.message)" : "it fails: it \(error.message)"
                root.context.reportUnsupported(
                    UnsupportedFeature(
                        path: path, feature: "the expression '\(expression.text.expressionExcerpt)' (\(reason))"))
            }
        }
    }
}
