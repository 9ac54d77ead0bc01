import Animations
import Core
import Render

/// The approximate position of a loader in a recording, from small frames.
struct RecordingLocation {
    let survey: RecordingSurvey
    /// The position; its speed is the expected one unless the recording clearly has another.
    let pose: ModelPose
    /// The mean difference of small frames relative to that of unrelated times; 0 means equal.
    let cost: Double
    /// The loader that was found: the designed one, or the same with another timing function.
    let loader: any Loader

    /// The number of periods whose small frames are kept. Over four periods, the finest step of the
    /// speed, 0.25%, shifts the end by a hundredth of a period, one of the 96 frames of
    /// `ModelActivity`.
    private static let sampledPeriods = 4.0
    /// The cost above which the loader is also searched for with other timing functions, and the
    /// cost, relative to it, below which one of these is preferred.
    private static let poorCost = 0.2
    private static let easedCost = 0.6

    init(_ reader: ClipReader, _ loader: any Loader, _ options: JudgeOptions, name: String) throws {
        let period = loader.period.double
        var survey = try RecordingSurvey(
            reader, options, sampledDuration: Self.sampledPeriods * period / max(1e-3, options.speed))
        let search = LocationSearch(options: options, name: name)
        var found = try search.found(in: survey, loader)
        let size = Point(loader.canvas.width, loader.canvas.height) * found.pose.scale
        let canvas = Rect(x: found.pose.origin.x, y: found.pose.origin.y, width: size.x, height: size.y)
        if let background = survey.ownBackground(of: canvas) {
            let other = survey.with(background: background)
            if let better = try? search.found(in: other, loader), better.cost < found.cost {
                survey = other
                found = better
            }
        }
        var shown = loader
        if found.cost > Self.poorCost {
            let maxCost = Self.easedCost * found.cost
            for other in Self.eased(loader) {
                guard let eased = try? search.found(in: survey, other) else { continue }
                if eased.cost < min(maxCost, found.cost) { (found, shown) = (eased, other) }
            }
        }
        self.survey = survey
        self.loader = shown
        (pose, cost) = found
    }

    /// The position of a loader in a survey at the expected speed.
    init(
        atExpectedSpeedIn survey: RecordingSurvey, _ loader: any Loader, _ options: JudgeOptions, name: String
    ) throws {
        let search = LocationSearch(options: options, name: name, isSpeedFixed: true)
        self.survey = survey
        self.loader = loader
        (pose, cost) = try search.found(in: survey, loader)
    }

    /// The position of a loader in a survey whose frame its canvas fills at a scale; nil if it does
    /// not move there.
    init?(
        filling survey: RecordingSurvey, _ loader: any Loader, _ options: JudgeOptions, name: String, scale: Double
    ) throws {
        let search = LocationSearch(options: options, name: name)
        guard let found = try search.filling(survey, loader, scale: scale) else { return nil }
        self.survey = survey
        self.loader = loader
        (pose, cost) = found
    }

    /// Returns the pixels of the recording that show a part of the canvas, in points.
    func region(of part: Rect, _ options: JudgeOptions) -> PixelRect {
        let maxRight = Double(options.crop?.maxX ?? survey.width)
        let maxBottom = Double(options.crop?.maxY ?? survey.height)
        let left = max(Double(options.crop?.x ?? 0), pose.origin.x + part.x * pose.scale)
        let top = max(Double(options.crop?.y ?? 0), pose.origin.y + part.y * pose.scale)
        let right = min(maxRight, pose.origin.x + part.maxX * pose.scale)
        let bottom = min(maxBottom, pose.origin.y + part.maxY * pose.scale)
        let x = min(max(0, Int(left)), survey.width - 1)
        let y = min(max(0, Int(top)), survey.height - 1)
        return PixelRect(
            x: x, y: y, width: max(1, min(survey.width - x, Int(right.rounded(.up)) - x)),
            height: max(1, min(survey.height - y, Int(bottom.rounded(.up)) - y)))
    }

    /// Returns a Lottie file's loader with other timing functions. They change the path of an
    /// object whose coordinates have keyframes of their own, and so where the loader is found, and
    /// they change the time at which an object that grows once is halfway.
    private static func eased(_ loader: any Loader) -> [any Loader] {
        guard let loader = loader as? any KeyframedLoader else { return [] }
        let curves = loader.curves.isEmpty ? [.linear] : Array(loader.curves)
        let timing: [TimingFunction] = [.linear, .easeIn, .easeOut, .easeInEaseOut]
        return timing.filter { !curves.allSatisfy($0.looksLike) }.compactMap { loader.eased($0) }
    }
}
