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

/// A difference between a recording and its loader, or a note about the recording.
package struct Deviation: Sendable {
    /// The kind of difference. The names are stable.
    package enum Kind: String, Sendable, Encodable, CaseIterable {
        // Time.
        case speed, phaseDuration, easing, late, frozen, missingFrames, swappedFrames, backwards
        // The loader as a whole, and its parameters.
        case parameter, size, position
        // One element.
        case color, opacity, missing, extra, order, elementSize, elementPosition, lineWidth
        // A difference that no other kind explains.
        case unexplained
        // Notes.
        case background, lateStart, earlyEnd, sampling, scale
    }

    /// The kind of difference.
    package let kind: Kind
    /// The loader's object, parameter or element; nil for the whole loader.
    package var object: String?
    /// The name of the phase; nil if the difference is not confined to one.
    package var phase: String?
    /// The seconds of the recording in which the difference shows; nil for all.
    package var time: ClosedRange<Double>?
    /// The size of the difference in `unit`, never negative; nil if it has none.
    package var size: Double?
    /// `pt`, `s`, `frames`, `x` (a factor), `deltaE` (CIEDE2000) or the unit of a parameter.
    package var unit: String?
    /// The designed value.
    package var expected: String?
    /// The recorded value.
    package var actual: String?
    /// The finding in words, without the object's location in the file.
    package var text: String
    /// The share of all differences that would not be there without it, 0...1; 0 if unknown.
    package var weight: Double = 0
    /// True if another finding explains the same difference equally well.
    package var isAlternative = false
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
