import Core

/// The position of an object in one frame.
struct Detection: Sendable {
    /// Its centre in pixels of the clip.
    var position: Point
    /// The confidence in the position, 0...1; 0 if the object is hidden and the position is a
    /// guess.
    var weight: Double
}
