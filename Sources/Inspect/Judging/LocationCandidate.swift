import Core

/// A possible position of a loader in a recording.
struct LocationCandidate {
    /// Pixels of the recording per point.
    var scale: Double
    /// The upper left corner of the canvas in pixels of the recording.
    var origin: Point
    /// The correlation of both activities, up to 1.
    var score: Double

    /// Returns the upper left corner of the loader's moving part in pixels of the recording.
    func corner(of activity: ModelActivity) -> Point {
        origin + Point(activity.bounds.x, activity.bounds.y) * scale
    }

    /// Returns the side of a cell, a pixel of the loader's small frames, in pixels of the
    /// recording.
    func cellSize(of activity: ModelActivity) -> Double { scale / activity.scale }

    /// Returns the candidate with another scale and the same position of a point of the canvas.
    func with(scale: Double, about point: Point) -> LocationCandidate {
        var changed = self
        changed.origin = origin - point * (scale - self.scale)
        changed.scale = scale
        return changed
    }
}
