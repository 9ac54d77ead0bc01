import Core

/// A named interval of a loader's period.
public struct Phase: Sendable, Hashable {
    /// The phase's index, counted from 0.
    public let index: Int
    /// A short description of the phase, such as `erase`.
    public let name: LocalizedText
    /// The exact start time in seconds of model time from the start of the period.
    public let start: Rational
    /// The exact duration in seconds of model time.
    public let duration: Rational

    /// The exact end time in seconds of model time from the start of the period.
    public var end: Rational { start + duration }

    /// Returns the index and name in a language, such as `Phase 1: erase`.
    public func title(in language: Language) -> String {
        switch language {
        case .en: "Phase \(index): \(name.text(in: .en))"
        case .zh: "阶段 \(index)：\(name.text(in: .zh))"
        }
    }
}
