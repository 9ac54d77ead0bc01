/// A motion fitted to detections.
protocol MotionFit {
    /// The weighted rms residual in pixels.
    var rms: Double { get }
}

/// A pattern search (Hooke and Jeeves 1961) for the best fit in two parameters. Halves the step
/// sizes when no step improves the fit.
struct PatternSearch {
    /// The initial step sizes of both parameters.
    var steps: (Double, Double)
    /// The search directions, in steps.
    var directions = [(1.0, 0.0), (-1, 0), (0, 1), (0, -1)]
    /// The number of times that the step sizes are halved.
    var halvings: Int
    /// The maximum number of rounds through all directions with the same step sizes.
    var rounds: Int

    /// Returns the best fit that the search finds.
    ///
    /// - Parameter varied: returns a fit near the given one, with changed parameters; nil if there
    ///   is none.
    func best<Fit: MotionFit>(from first: Fit, _ varied: (Fit, Double, Double) -> Fit?) -> Fit {
        var best = first
        var steps = self.steps
        for _ in 0..<halvings {
            var isBetter = true
            var round = 0
            while isBetter, round < rounds {
                isBetter = false
                round += 1
                for (a, b) in directions {
                    guard let next = varied(best, a * steps.0, b * steps.1), next.rms < best.rms else { continue }
                    best = next
                    isBetter = true
                }
            }
            steps = (steps.0 / 2, steps.1 / 2)
        }
        return best
    }
}
