/// The changes between a lesson's shots.
public enum TransitionStyle: String, CaseIterable, Sendable {
    /// Boards move, and texts, panels and annotations fade in and out.
    case ease
    /// Each shot replaces the one before.
    case cut
}
