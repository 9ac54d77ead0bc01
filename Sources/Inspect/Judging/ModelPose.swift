import Core

/// The position of a loader in a recording, in space and time: model time = start + speed × time.
struct ModelPose: Sendable {
    /// Pixels of the recording per point.
    var scale: Double
    /// The upper left corner of the canvas in pixels of the recording.
    var origin: Point
    /// The model time at time 0 of the recording, in seconds.
    var start: Double
    /// Seconds of model time per second of the recording.
    var speed: Double

    /// Returns the model time at a time of the recording.
    func modelTime(at time: Double) -> Double { start + speed * time }
}
