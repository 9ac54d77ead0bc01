import Core

/// The frames of a recording that have a single colour other than the background's, such as black
/// ones, and so show neither the loader nor the background behind it.
struct BlankFrames {
    /// The times of the frames, each up to the next frame, and their colours.
    private let frames: [(time: ClosedRange<Double>, color: Color)]

    /// The range of the number of instants of the period at which the loader is drawn to see
    /// whether it fills the view with a colour.
    private static let samples = 48.0...4000
    /// The distance of two colours, in CIEDE2000, that encoders do not cause.
    private static let sameColor = 10.0

    /// The maximum difference of the pixels of a blank frame in codes: twice that of noise whose
    /// standard deviation is 4.
    static let maxSpread = 24

    /// Returns true if every `step`th code of a range differs by at most `maxSpread` from the
    /// others.
    static func isEven(_ codes: [UInt8], from first: Int, to end: Int, by step: Int) -> Bool {
        var (low, high) = (255, 0)
        for index in stride(from: first, to: end, by: step) {
            low = min(low, Int(codes[index]))
            high = max(high, Int(codes[index]))
            if high - low > maxSpread { return false }
        }
        return true
    }

    /// Removes the frames from a view, so that they are not explained as changes of the loader.
    init(
        removedFrom view: inout JudgedView, _ survey: RecordingSurvey, _ builder: ModelBuilder, _ model: LoaderModel
    ) throws {
        let colors = view.blankColors.filter(survey.isBlank)
        guard !colors.isEmpty else {
            frames = []
            return
        }
        let renderer = try ModelRenderer(view, builder.elements)
        let period = model.loader.period.double
        // A designed flash may last a single frame.
        let wanted = 2 * period / max(1e-6, view.frameStep * model.pose.speed)
        let count = Int(min(max(Self.samples.lowerBound, wanted), Self.samples.upperBound))
        let designed = try (0..<count).compactMap { step in
            try renderer.planes(model, at: period * Double(step) / Double(count)).innerColor
        }
        frames = view.removeBlankFrames { color in
            survey.isBlank(color) && designed.allSatisfy { $0.distance(to: color) > Self.sameColor }
        }
    }

    /// Returns the findings of the runs between judged frames.
    func deviations(in view: JudgedView) -> [Deviation] {
        let judged = view.frames.map(\.time)
        return runs.filter { run in
            (judged.first ?? 0) < run.time.lowerBound && run.time.upperBound <= (judged.last ?? 0)
        }.map { time, color in
            let ends = [time.lowerBound, time.upperBound].map(DeviationWriter.seconds)
            return Deviation(
                kind: .missing, time: time, actual: color.hexString,
                text: "the loader is missing from \(ends[0]) to \(ends[1]): the frames are blank (\(color.hexString))")
        }
    }

    /// Returns the notes about the runs before and after all judged frames.
    func notes(in view: JudgedView) -> [Deviation] {
        let judged = view.frames.map(\.time)
        return runs.compactMap { time, color in
            let size = time.upperBound - time.lowerBound
            if time.upperBound <= judged.first ?? 0 {
                return Deviation(
                    kind: .lateStart, time: time, size: size, unit: "s",
                    text: "the recording is blank (\(color.hexString)) from "
                        + "\(DeviationWriter.seconds(time.lowerBound)) to \(DeviationWriter.seconds(time.upperBound))")
            }
            guard time.upperBound > judged.last ?? 0 else { return nil }
            return Deviation(
                kind: .earlyEnd, time: time, size: size, unit: "s",
                text: "from \(DeviationWriter.seconds(time.lowerBound)) on, the recording is blank "
                    + "(\(color.hexString))")
        }
    }

    /// The frames in runs of one colour.
    private var runs: [(time: ClosedRange<Double>, color: Color)] {
        frames.reduce(into: []) { runs, frame in
            if let last = runs.last, last.time.upperBound == frame.time.lowerBound,
                last.color.distance(to: frame.color) < Self.sameColor
            {
                runs[runs.count - 1].time = last.time.lowerBound...frame.time.upperBound
            } else {
                runs.append(frame)
            }
        }
    }
}
