import Core

/// A model time as a user writes it: in seconds, as a percentage of the period, or relative to a
/// phase.
public enum ModelTime: Sendable, Hashable {
    /// The time from the start of the period, in seconds.
    case seconds(Rational)
    /// The elapsed fraction of the period, in 0...1.
    case period(fraction: Rational)
    /// A phase, counted from 0, and the elapsed fraction of it in 0...1.
    case phase(Int, fraction: Rational)

    /// Parses `1.5`, `50%`, `phase:2` or `phase:2+1/2`. Returns nil for any other text.
    public init?(text: String) {
        if text.hasSuffix("%") {
            guard let percentage = Rational(text: String(text.dropLast())), percentage <= 100 else { return nil }
            self = .period(fraction: percentage / 100)
            return
        }
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

    /// Returns the reason why a text is not a valid time, with the limit; nil if it is valid or
    /// does not resemble a time.
    public static func problem(in text: String) -> String? {
        guard ModelTime(text: text) == nil else { return nil }
        if text.hasSuffix("%") {
            let number = String(text.dropLast())
            guard let percentage = Rational(text: number) else { return Rational.problem(in: number) }
            return percentage > 100 ? "\(text) is above the maximum of 100%" : nil
        }
        let prefix = "phase:"
        guard text.hasPrefix(prefix) else { return Rational.problem(in: text) }
        let parts = text.dropFirst(prefix.count).split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
        if let index = Int(parts[0]), index < 0 { return "\(index) is below the minimum of 0" }
        guard parts.count == 2, let fraction = Rational(text: parts[1]) else {
            return parts.count == 2 ? Rational.problem(in: String(parts[1])) : nil
        }
        return fraction > 1 ? "the fraction \(parts[1]) is above the maximum of 1" : nil
    }

    /// Returns the time in seconds. Throws `ParameterError` if the loader has no such phase.
    public func seconds(in loader: any Loader) throws(ParameterError) -> Rational {
        switch self {
        case .seconds(let seconds): return seconds
        case .period(let fraction): return loader.period * fraction
        case .phase(let index, let fraction):
            let phases = loader.phases
            guard phases.indices.contains(index) else {
                let valid = phases.count == 1 ? "phase:0" : "phase:0 to phase:\(phases.count - 1)"
                throw ParameterError(.usage, "phase:\(index): \(loader.id) has no such phase; use \(valid)")
            }
            return phases[index].start + phases[index].duration * fraction
        }
    }
}
