import Core

/// The distance between numbers on a scale: 1, 2 or 5 times a power of ten.
struct RoundStep {
    /// The distance, in the scale's unit.
    let step: Double
    /// The number of decimals of its multiples.
    let places: Int

    /// The smallest step that is at least `minimum`, which must be positive.
    init(atLeast minimum: Double) {
        let exponent = Int(log10(minimum).rounded(.down))
        let power = pow(10, Double(exponent))
        step = [1, 2, 5].map { $0 * power }.first { $0 >= minimum } ?? 10 * power
        places = max(0, -exponent)
    }
}
