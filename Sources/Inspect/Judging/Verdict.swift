import Core

/// The result of judging a recording against a loader.
package struct Verdict: Sendable {
    /// The answer, which decides the exit code.
    package enum Outcome: String, Sendable, Encodable {
        /// The recording shows the loader within the tolerance.
        case matches
        /// The recording shows the loader with at least one deviation.
        case differs
        /// The recording does not show enough of the loader to be judged.
        case cannotJudge
    }

    /// The path of the recording.
    package let file: String
    /// The loader's name, as the caller wrote it.
    package let loader: String
    /// The answer.
    package let outcome: Outcome
    /// The position of the loader in the recording and in time; nil if it was not found.
    package let fit: RecordingFit?
    /// The differences that decide the outcome, the heaviest first.
    package let deviations: [Deviation]
    /// Facts that do not change the outcome, such as a late start.
    package let notes: [Deviation]
    /// Model time against recorded time, one point per judged frame.
    package let curve: [CurvePoint]
    /// The reason why the recording cannot be judged, with the object and time that prevent it; nil
    /// otherwise.
    package let reason: String?

    /// A verdict with all its parts.
    init(
        file: String, loader: String, outcome: Outcome, fit: RecordingFit, deviations: [Deviation],
        notes: [Deviation], curve: [CurvePoint]
    ) {
        self.file = file
        self.loader = loader
        self.outcome = outcome
        self.fit = fit
        self.deviations = deviations
        self.notes = notes
        self.curve = curve
        reason = nil
    }

    /// The verdict on a recording that cannot be judged.
    package init(file: String, loader: String, reason: String) {
        self.file = file
        self.loader = loader
        self.reason = reason
        outcome = .cannotJudge
        fit = nil
        deviations = []
        notes = []
        curve = []
    }
}

/// The position of a loader in a recording, in pixels and time.
package struct RecordingFit: Sendable {
    /// Pixels of the recording per point of the canvas.
    package var scale: Double
    /// The upper left corner of the canvas in pixels of the recording.
    package var origin: Point
    /// Seconds of model time per second of the recording, as measured.
    package var speed: Double
    /// The speed that the recording should have.
    package var expectedSpeed: Double
    /// The model time of the first frame in seconds, in 0..<period.
    package var start: Double
    /// The background colour of the recording.
    package var background: Color
}

/// A point of the curve of model time against recorded time.
package struct CurvePoint: Sendable {
    /// The index of the frame, from 0.
    package var frame: Int
    /// The time of the frame in seconds.
    package var time: Double
    /// The model time that explains the frame best, not reduced modulo the period, in seconds.
    package var modelTime: Double
    /// The model time that the loader has then by design.
    package var expectedTime: Double
    /// True if the frame determines its model time.
    package var isCertain: Bool
}
