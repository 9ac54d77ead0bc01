/// A frame of a recording, aligned with a model in time.
struct AlignedFrame: Sendable {
    /// The index in the view's `frames`.
    var index: Int
    /// Seconds from the recording's first frame.
    var time: Double
    /// The model time according to the model's pose (fitted start and speed), in seconds.
    var expected: Double
    /// The model time that explains the frame best; where several do, the one that continues its
    /// neighbours'.
    var modelTime: Double
    /// The sums of squared differences at both times.
    var energy: Double
    var alignedEnergy: Double
    /// The energy of the drawing: the sum of squared differences of the recorded frame from the
    /// empty background.
    var drawingEnergy: Double
    /// The increase of the energy per squared second of error. The larger it is, the better the
    /// frame determines its time.
    var sensitivity: Double
    /// The sum of squared differences of the recorded frame from the previous one.
    var change: Double
}
