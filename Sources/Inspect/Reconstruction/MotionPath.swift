import Core

/// The path of an object's centre. Lengths are in pixels of the clip.
package enum MotionPath: Sendable {
    case still(at: Point)
    case straight(from: Point, to: Point)
    /// A part of a circle, or a whole one.
    case circle(center: Point, radius: Double)
    /// Any other path, with its bounding box.
    case curve(box: Rect)
}
