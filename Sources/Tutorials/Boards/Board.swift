import Annotations
import Documents
import Loaders
import Motion
import Scene

/// Something beside the stage that moves in step with it.
protocol Board: Sendable {
    /// The least room that it needs where it may be so wide, in points.
    func leastSize(width: Double, style: LessonStyle) -> Size
    /// The room in which it shows all that it has, in points; such a frame is found if there is one.
    func wholeSize(width: Double, style: LessonStyle) -> Size
    /// The board in a frame. Throws what has no room, with its place.
    func placed(in frame: Rect, style: LessonStyle) throws(DocumentError) -> any PlacedBoard
}

extension Board {
    func wholeSize(width: Double, style: LessonStyle) -> Size { leastSize(width: width, style: style) }
}

/// A board in its frame.
protocol PlacedBoard: Sendable {
    /// What it shows at a moment.
    func nodes(at moment: BoardMoment) -> [Node]
}

/// A moment of a shot.
struct BoardMoment {
    /// The model time in 0..<period, in seconds.
    let time: Rational
    /// The phase at that time.
    let phase: Phase
    /// How long the shot has lasted, in seconds of output.
    let elapsed: Rational
}
