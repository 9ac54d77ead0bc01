/// A fitted hypothesis.
struct FittedHypothesis: Sendable {
    var hypothesis: Hypothesis
    var model: LoaderModel
    var energy: Double
    var frameEnergies: [Double]
}
