import Render
import Animations
import Core

/// A panel beside the loader that is animated in sync with it.
protocol SidePanel: Sendable {
    /// Returns the minimum size in points, for an area of a given width.
    func minSize(width: Double, style: LessonStyle) -> Size
    /// Returns the size in points that shows all of the panel's content, for an area of a given
    /// width. The layout prefers areas of this size.
    func wholeSize(width: Double, style: LessonStyle) -> Size
    /// Lays the panel out in a frame. Throws `DocumentError` if a part of it does not fit.
    func placed(in frame: Rect, style: LessonStyle) throws(DocumentError) -> any PlacedPanel
}

extension SidePanel {
    func wholeSize(width: Double, style: LessonStyle) -> Size { minSize(width: width, style: style) }
}

/// A panel that is laid out in a frame.
protocol PlacedPanel: Sendable {
    /// Returns the nodes at an instant.
    func nodes(at instant: PanelInstant) -> [Node]
}

/// An instant of a shot.
struct PanelInstant {
    /// The model time in 0..<period, in seconds.
    let time: Rational
    /// The phase at that time.
    let phase: Phase
    /// The time since the start of the shot, in seconds of output.
    let elapsed: Rational
}
