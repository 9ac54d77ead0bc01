import Core

/// The tone of a theme: light or dark.
public enum ThemeTone: String, CaseIterable, Sendable {
    /// Dark text on a light background.
    case light
    /// Light text on a dark background.
    case dark
}

extension ThemeTone {
    /// The background colour for which a theme's colours are chosen.
    package var background: Color { self == .dark ? Color(23, 24, 28) : .white }
}
