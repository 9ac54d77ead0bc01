import Scene

/// Whether something is dark letters on a bright ground or the reverse.
public enum ThemeTone: String, CaseIterable, Sendable {
    case light
    case dark
}

extension ThemeTone {
    /// The ground that colours are chosen for.
    package var ground: Color { self == .dark ? Color(23, 24, 28) : .white }
}
