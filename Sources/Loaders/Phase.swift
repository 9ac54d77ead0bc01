import Motion

/// A stretch of a loader's period with a name of its own.
public struct Phase: Sendable, Hashable {
    /// Counted from 0.
    public let index: Int
    /// What happens in it, in a word or two.
    public let name: LocalizedText
    /// When it begins, in seconds of model time from the period's beginning; exact.
    public let start: Rational
    /// How long it lasts, in seconds of model time; exact.
    public let duration: Rational

    /// When it ends, in seconds of model time from the period's beginning; exact.
    public var end: Rational { start + duration }

    /// Its number and what happens in it, such as `Phase 1: erase`, in a language.
    public func title(in language: Language) -> String {
        switch language {
        case .en: "Phase \(index): \(name.text(in: .en))"
        case .zh: "阶段 \(index)：\(name.text(in: .zh))"
        }
    }
}
