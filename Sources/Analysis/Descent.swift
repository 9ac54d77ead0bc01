/// A motion laid over what was seen.
protocol MotionFit {
    /// Rms distance from what was seen, in pixels.
    var rms: Double { get }
}

/// A search for the best fit in two numbers, one step at a time; steps that no longer help are halved.
struct Descent {
    /// The first steps of both numbers.
    var steps: (Double, Double)
    /// Where to look, in steps.
    var directions = [(1.0, 0.0), (-1, 0), (0, 1), (0, -1)]
    /// How often steps are halved.
    var halvings: Int
    /// How often all directions are tried with the same steps, at most.
    var rounds: Int

    /// The best fit that the search comes to.
    ///
    /// - Parameter varied: the fit beside one, by so much of either number; nil if there is none.
    func best<Fit: MotionFit>(from first: Fit, _ varied: (Fit, Double, Double) -> Fit?) -> Fit {
        var (best, steps) = (first, steps)
        for _ in 0..<halvings {
            var (isBetter, round) = (true, 0)
            while isBetter, round < rounds {
                (isBetter, round) = (false, round + 1)
                for (a, b) in directions {
                    guard let next = varied(best, a * steps.0, b * steps.1), next.rms < best.rms else { continue }
                    (best, isBetter) = (next, true)
                }
            }
            steps = (steps.0 / 2, steps.1 / 2)
        }
        return best
    }
}
