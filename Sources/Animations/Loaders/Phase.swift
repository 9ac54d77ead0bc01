import Core

/// A named interval of a loader's period.
public struct Phase: Sendable, Hashable {
    /// The phase's index, counted from 0, as in options, scripts and tables of data.
    public let index: Int
    /// A short description of the phase, such as `erase`.
    public let name: LocalizedText
    /// The exact start time in seconds of model time from the start of the period.
    public let start: Rational
    /// The exact duration in seconds of model time.
    public let duration: Rational

    /// The exact end time in seconds of model time from the start of the period.
    public var end: Rational { start + duration }

    /// The phase's number for viewers, counted from 1, as in annotations and chapter titles.
    public var number: Int { index + 1 }

    /// Returns the number and name in a language, such as `Phase 2: erase`.
    public func title(in language: Language) -> String {
        switch language {
        case .en: "Phase \(number): \(name.text(in: .en))"
        case .zh: "阶段 \(number)：\(name.text(in: .zh))"
        }
    }
}
