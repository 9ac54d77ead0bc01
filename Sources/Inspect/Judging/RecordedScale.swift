import Animations
import Core
import Render

/// The scales in pixels per point that a loader may have in a recording.
struct RecordedScale {
    private let loader: any Loader
    /// The scale that the recording should have; nil if it is unknown.
    let expected: Double?
    /// The scale that the size of the frame shows (`filling`); nil if it shows none.
    private let shown: Double?

    /// The scales of devices; 4 is the default of `encode`.
    static let devices = [1.0, 2, 3, 4]
    /// The ratio of successive searched scales. Templates of 28 pixels distinguish a difference of
    /// 6%.
    private static let step = 1.06
    /// The smallest searched scale of a loader that is designed in points.
    private static let minimum = 0.4
    /// The smallest searched scale of a Lottie file: that of a canvas of 2000 units that is 100
    /// pixels wide.
    private static let minFree = 0.05
    /// The largest searched scale. A loader of 120 points at 18 pixels per point fills 4K.
    private static let maximum = 18.0
    /// The factor of the cost of a scale that no device has: these are rare.
    private static let rareCost = 1.15
    /// The maximum relative difference of a free scale from a device's at which it is rounded to
    /// the device's: a pixel in 300, which a fit cannot distinguish.
    private static let snap = 0.003
    /// The maximum logarithm of the ratio of a free scale to that at which the canvas fills the
    /// frame, and the maximum distance of both centres relative to the frame's shorter side. What
    /// the canvas shows may be a third larger or smaller than designed, and displaced.
    private static let maxFillingChange = 0.3
    private static let maxFillingShift = 0.1
    /// The maximum relative difference from a device's scale at which a loader has that scale, and
    /// the frame shows more than its canvas.
    private static let maxDeviceChange = 0.01

    /// - Parameter shown: the scale that the size of the frame shows.
    init(_ loader: any Loader, _ options: JudgeOptions, shown: Double? = nil) {
        self.loader = loader
        self.shown = shown
        expected = options.scale
    }

    /// True if any scale is right and the frame does not show which.
    var isFree: Bool { isAny && shown == nil }

    /// True if any scale is right. The canvas of a Lottie file is not in points: the view that
    /// shows it scales it to its own size.
    private var isAny: Bool { expected == nil && loader is any KeyframedLoader }

    /// Returns the variables of the position that every explanation may change. If a free scale
    /// were fixed, a larger loader would explain half of a larger element.
    func placement(_ pose: ModelPose) -> [FitVariable] {
        [.originX, .originY] + (isFree && !Self.devices.contains(pose.scale) ? [.scale] : [])
    }

    /// Returns the scales to search in a recording.
    func searched(_ survey: RecordingSurvey) -> [Double] {
        if let expected { return [expected] }
        let lowest = isFree ? Self.minFree : Self.minimum
        let steps = Int(log(Self.maximum / lowest) / log(Self.step))
        let grid = (0...steps).map { lowest * pow(Self.step, Double($0)) }
        return Self.devices + [fitting(survey.frame)] + grid
    }

    /// The scales to try near a candidate's; empty if the scale is free.
    var likely: [Double] { expected.map { [$0] } ?? (isFree ? [] : Self.devices) }

    /// Returns the factor of the cost of a candidate with a scale.
    func costFactor(_ scale: Double) -> Double { isFree || Self.devices.contains(scale) ? 1 : Self.rareCost }

    /// Returns the scale at which the canvas fills the frame.
    private func fitting(_ frame: Size) -> Double {
        min(frame.width / loader.canvas.width, frame.height / loader.canvas.height)
    }

    /// Returns the scale nearest to that of a pose that a recording may have: one of a device, or
    /// the one at which the canvas fills the frame if it does; any scale if it is free.
    func plausible(near pose: ModelPose, _ survey: RecordingSurvey) -> Double {
        if let shown { return shown }
        let fitting = fitting(survey.frame)
        let slack = 3 * pose.scale
        let left = (Double(survey.width) - fitting * loader.canvas.width) / 2
        let top = (Double(survey.height) - fitting * loader.canvas.height) / 2
        let isCentred = pose.origin.distance(to: Point(left, top)) < slack && abs(fitting / pose.scale - 1) < 0.02
        let scales = Self.devices + (isCentred ? [fitting] : [])
        let nearest = scales.min { abs(log($0 / pose.scale)) < abs(log($1 / pose.scale)) } ?? pose.scale
        return isFree && abs(nearest / pose.scale - 1) > Self.snap ? pose.scale : nearest
    }

    /// Returns the scale at which the canvas of a loader with a free scale fills the frame exactly,
    /// if the loader was found near it; nil otherwise. A frame with the size of the canvas shows
    /// nothing else, so that a loader at another scale, which no device has, is drawn larger or
    /// smaller than designed.
    ///
    /// - Parameter frame: the width and height of the recording in pixels.
    func filling(near pose: ModelPose, frame: Size) -> Double? {
        let isDevice = Self.devices.contains { abs(pose.scale / $0 - 1) < Self.maxDeviceChange }
        guard isFree, !isDevice else { return nil }
        let (width, height) = (frame.width, frame.height)
        let centre = pose.origin + Point(loader.canvas.width, loader.canvas.height) * (pose.scale / 2)
        guard centre.distance(to: Point(width / 2, height / 2)) < Self.maxFillingShift * min(width, height) else {
            return nil
        }
        return filling(frame).flatMap { abs(log(pose.scale / $0)) < Self.maxFillingChange ? $0 : nil }
    }

    /// Returns the scale at which the canvas fills a frame exactly; nil if there is none, or if the
    /// scale is known.
    func filling(_ frame: Size) -> Double? {
        guard expected == nil else { return nil }
        return (Self.devices + [fitting(frame)]).first { scale in
            // Encoders of 4:2:0 need even sizes.
            abs(frame.width - scale * loader.canvas.width) <= 1
                && abs(frame.height - scale * loader.canvas.height) <= 1
        }
    }

    /// Returns the finding for a loader at a scale that no device has.
    func finding(_ scale: Double) -> Deviation {
        let text = DeviationWriter.decimal(scale, 3)
        return Deviation(
            kind: .size, size: scale, unit: "x", expected: "1, 2, 3 or 4", actual: text,
            text: "the loader has \(text) pixels per point, which no device has; \(Hint.recordedScale) \(text) if it "
                + "should")
    }

    /// Returns the finding for a loader that players stretch, because the recording's pixels are
    /// not square; nil within tolerance.
    ///
    /// - Parameter width: the width of the recording in pixels.
    func stretchFinding(
        pixelAspect: Double, width: Int, _ pose: ModelPose, _ tolerance: JudgeTolerance
    ) -> Deviation? {
        let change = abs(pixelAspect - 1)
        // The limit for the edges is that for a loader of another size (`DeviationWriter`), so that
        // the same shift counts in both. Less than a pixel of the width comes from rounding by
        // programs that scale clips.
        guard change * loader.canvas.width / 2 > 2 * tolerance.points * pose.judgedPoint, change * Double(width) >= 1
        else { return nil }
        let text = DeviationWriter.decimal(pixelAspect, 3)
        return Deviation(
            kind: .size, size: pixelAspect, unit: "x", expected: "1:1", actual: "\(text):1",
            text: "the recording's pixels are \(text) times as wide as high, so players stretch the loader")
    }

    /// Returns the note about a free scale; nil for a scale of a device, which needs no remark.
    func note(_ scale: Double) -> Deviation? {
        guard isAny, !Self.devices.contains(where: { abs($0 - scale) < 1e-9 }) else { return nil }
        let text = DeviationWriter.decimal(scale, 3)
        let canvas = loader.canvas
        let designed = "\(DeviationWriter.decimal(canvas.width, 0)) x \(DeviationWriter.decimal(canvas.height, 0))"
        let shown = [canvas.width, canvas.height].map { DeviationWriter.decimal($0 * scale, 0) }
        return Deviation(
            kind: .scale, size: scale, unit: "x", actual: text,
            text: "the canvas of \(designed) is shown at \(shown.joined(separator: " x ")) pixels, a scale of \(text)")
    }
}

extension ModelPose {
    /// The length in points that counts as one in tolerances. A canvas that is shown smaller than
    /// designed is judged in pixels of the recording, because nothing smaller can be measured.
    var judgedPoint: Double { max(1, 1 / scale) }
}
