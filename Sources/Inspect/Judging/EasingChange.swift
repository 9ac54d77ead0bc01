import Animations
import Core

/// The replacement of one named timing function by another in all phases of one element.
struct EasingChange: Sendable, Equatable {
    /// The names of the designed and of the shown function.
    let from: String
    let to: String
    private let designed: TimingFunction
    private let shown: TimingFunction

    /// The number of halvings that invert a timing function: a phase of one second then has an
    /// error below a microsecond.
    private static let halvings = 20

    /// All pairs of named functions.
    static let all: [EasingChange] = TimingFunction.named.flatMap { from in
        TimingFunction.named.filter { $0.name != from.name }.map { to in
            EasingChange(from: from.name, to: to.name, designed: from.function, shown: to.function)
        }
    }

    static func == (a: EasingChange, b: EasingChange) -> Bool { a.from == b.from && a.to == b.to }

    /// Returns the seconds by which the element is late at a model time; negative if it is early.
    /// Every cycle has the same delays.
    func delay(at time: Double, in loader: any Loader) -> Double {
        let (_, fraction, duration) = loader.phasePosition(at: time)
        return (fraction - designFraction(of: shown(fraction))) * duration
    }

    /// Returns the fraction of a phase at which the designed function reaches a progress.
    private func designFraction(of progress: Double) -> Double {
        guard designed != .linear else { return progress }
        var (low, high) = (0.0, 1.0)
        for _ in 0..<Self.halvings {
            let middle = (low + high) / 2
            if designed(middle) < progress { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}
