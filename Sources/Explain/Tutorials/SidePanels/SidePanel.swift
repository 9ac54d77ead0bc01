import Animations
import Core
import Render

/// A panel beside the loader that is animated in sync with it.
protocol SidePanel: Sendable {
    /// Returns the sizes in points that the panel can have in an area of a given width, the best
    /// first. The number of sizes must not depend on the width.
    func sizes(width: Double, style: LessonStyle) -> [Size]
    /// Lays the panel out in a frame. Throws `DocumentError` if a part of it does not fit.
    func placed(in frame: Rect, style: LessonStyle) throws(DocumentError) -> any PlacedPanel
}

/// A panel that is laid out in a frame.
protocol PlacedPanel: Sendable {
    /// Returns the nodes at an instant.
    func nodes(at instant: PanelInstant) -> [Node]
}

/// The time and phase that panels show at an instant of a shot, and how far their rows, cells and
/// highlights have moved to that phase.
struct PanelInstant {
    /// The model time in 0..<period, in seconds.
    let time: Rational
    /// The phase at that time.
    let phase: Phase
    /// The phase from which rows, cells and highlights move to the current one.
    let previous: Phase
    /// The time since the start of the shot, in seconds of output.
    let elapsed: Rational
    /// The share of the move from the previous phase that is over, 0...1.
    var move = 1.0
    /// The share of a chart's curves that has been drawn, 0...1.
    var drawn = 1.0
    /// The seconds of output per second of model time; nil if the loader stands still or panels do
    /// not move.
    var slowmo: Rational?

    /// The length of a move from one phase's row, cell or lines to the next one's, in seconds.
    static let maxMove = Rational(7, 20)

    /// Returns the strength with which a phase is highlighted as the current one, 0...1.
    func share(ofPhase index: Int) -> Double {
        index == phase.index ? move : index == previous.index ? 1 - move : 0
    }

    /// Returns a value between the previous phase's and the current phase's, by the share of the
    /// move that is over.
    func moved(_ value: (Phase) -> Double) -> Double {
        move >= 1 ? value(phase) : lerp(value(previous), value(phase), move)
    }
}
