import Motion

/// A moment of model time as one says it: in seconds, or as a place in a phase.
public enum ModelTime: Sendable, Hashable {
    /// Seconds from the period's beginning.
    case seconds(Rational)
    /// A phase, counted from 0, and how much of it has passed, 0...1.
    case phase(Int, fraction: Rational)

    /// Reads `1.5`, `phase:2` or `phase:2+1/2`. Anything else is nil.
    public init?(text: String) {
        let prefix = "phase:"
        guard text.hasPrefix(prefix) else {
            guard let seconds = Rational(text: text) else { return nil }
            self = .seconds(seconds)
            return
        }
        let parts = text.dropFirst(prefix.count).split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? Rational(text: parts[1]) : .zero
        guard let fraction, fraction <= 1, let index = Int(parts[0]), index >= 0 else { return nil }
        self = .phase(index, fraction: fraction)
    }

    /// The moment in seconds. Throws one line if the loader has no such phase.
    public func seconds(in loader: any Loader) throws(ParameterError) -> Rational {
        switch self {
        case .seconds(let seconds): return seconds
        case .phase(let index, let fraction):
            let phases = loader.phases
            guard phases.indices.contains(index) else {
                throw ParameterError(
                    .usage,
                    "there is no phase:\(index): the phases of \(loader.id) are 0...\(phases.count - 1)")
            }
            return phases[index].start + phases[index].duration * fraction
        }
    }
}
