import Core

/// An object that moves in a clip.
package struct TrackedObject: Sendable {
    /// Its visible colour.
    package let color: Color
    /// Its area in pixels of the clip.
    package let area: Double
    /// True if it keeps its shape. Otherwise its positions are the centres of its visible area.
    package let isRigid: Bool
    /// Its centre in each frame, in pixels of the clip from the upper left corner.
    package internal(set) var positions: [Point]
    /// Its visibility in each frame, 0...1. Positions of hidden frames are interpolated.
    package let visibility: [Double]
    /// The confidence in its steps, 0...1.
    package internal(set) var confidence: Double

    /// Returns true if the object was hidden in a frame, so that its position is interpolated.
    package func isGuessed(at frame: Int) -> Bool { visibility[frame] <= TrackedObject.minVisibility }

    /// The visibility above which a position is measured.
    static let minVisibility = 0.05
}
