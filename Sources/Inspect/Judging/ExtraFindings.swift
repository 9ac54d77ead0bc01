import Core
import Render

/// The findings of content that a recording shows although the loader does not draw it.
struct ExtraFindings {
    private let view: JudgedView
    private let pose: ModelPose
    private let aligned: [AlignedFrame]
    private let spots: [ExtraSpot?]
    /// The finding of motion beside the canvas, which counts if there is nothing on it.
    private let beside: Deviation?
    /// The frames that show the loader moving, without those of flashes.
    private let frames: [Int]

    /// The smallest area in square points, and in pixels of the view: encoders do not invent spots
    /// of this size.
    private static let minArea = 12.0
    static let minPixels = 6
    /// The minimum number of successive judged frames that show it. Encoders draw a wrong block in
    /// one frame and correct it in the next.
    private static let minFrames = 2
    /// The number of successive frames without it that do not end it.
    private static let maxGap = 2
    /// The maximum number of findings, the longest first.
    private static let maxFindings = 3
    /// The share of the differences of some frames above which extra content explains them. A
    /// displaced object leaves as much where it is missing.
    private static let explainedShare = 0.75

    init(_ content: ExtraContent, _ aligned: [AlignedFrame], _ times: TimeFindings) throws {
        view = content.view
        pose = content.model.pose
        self.aligned = aligned
        spots = try content.spots(aligned)
        beside = content.beside()
        let flashing = Set(times.flashes.flatMap(\.frames))
        frames = times.body.filter { !flashing.contains($0) }
    }

    /// The part of all drawing on the canvas that the loader does not draw, 0...1.
    var share: Double {
        let extra = frames.reduce(0) { $0 + (spots[$1]?.energy ?? 0) }
        let drawing = frames.reduce(0) { $0 + aligned[$1].drawingEnergy - (spots[$1]?.judgedEnergy ?? 0) }
        return extra / max(1, extra + drawing)
    }

    /// Returns true if extra content is all that differs in some frames.
    func explain(_ range: Range<Int>) -> Bool {
        let energy = range.reduce(0) { $0 + aligned[$1].alignedEnergy }
        return range.reduce(0) { $0 + (spots[$1]?.judgedEnergy ?? 0) } > Self.explainedShare * energy
    }

    /// Returns a finding for each time in which there is extra content.
    ///
    /// - Parameter transients: the parts of the recording that have other explanations.
    func deviations(besides transients: [Range<Int>]) -> [Deviation] {
        let others = Set(transients.filter { !explain($0) }.joined())
        let runs = runs(in: frames.filter { !others.contains($0) }).sorted { $0.count > $1.count }
        guard !runs.isEmpty else { return [beside].compactMap { $0 } }
        return runs.prefix(Self.maxFindings).sorted { $0[0] < $1[0] }.compactMap(deviation)
    }

    private func isShown(_ spot: ExtraSpot) -> Bool {
        spot.pixels >= Self.minPixels && Double(spot.pixels) / (pixelsPerPoint * pixelsPerPoint) > Self.minArea
    }

    private var pixelsPerPoint: Double { pose.scale * pose.judgedPoint * view.factor }

    /// Returns the frames with content of each time in which there is some.
    private func runs(in frames: [Int]) -> [[Int]] {
        var runs: [[Int]] = []
        var gap = Int.max
        for frame in frames {
            guard spots[frame].map(isShown) ?? false else {
                gap = gap == .max ? gap : gap + 1
                continue
            }
            if gap <= Self.maxGap { runs[runs.count - 1].append(frame) } else { runs.append([frame]) }
            gap = 0
        }
        return runs.filter { $0.count >= Self.minFrames }
    }

    private func deviation(_ run: [Int]) -> Deviation? {
        let shown = run.compactMap { spots[$0] }
        guard let first = run.first, let last = run.last, let spot = shown.max(by: { $0.pixels < $1.pixels }) else {
            return nil
        }
        let isAlways = first <= (frames.first ?? 0) + Self.maxGap && last >= (frames.last ?? 0) - Self.maxGap
        let from = aligned[first].time
        let until = last + 1 < aligned.count ? aligned[last + 1].time : aligned[last].time
        let corner = pose.origin - Point(Double(view.region.x), Double(view.region.y))
        let middle = Point(Double(spot.box.x + spot.box.maxX), Double(spot.box.y + spot.box.maxY)) * 0.5
        let position = (middle * (1 / view.factor) - corner) * (1 / pose.scale)
        let sides = [spot.box.width, spot.box.height].map { Double($0) / view.factor / pose.scale }
        let size = sides.map { DeviationWriter.decimal($0, 0) }.joined(separator: " x ")
        let place = [position.x, position.y].map { DeviationWriter.decimal($0, 0) }.joined(separator: ", ")
        let time = " from \(DeviationWriter.seconds(from)) to \(DeviationWriter.seconds(until))"
        return Deviation(
            kind: .extra, time: isAlways ? nil : from...until, size: sides.max(), unit: "pt",
            actual: spot.color.hexString,
            text: "something that the loader does not draw is shown\(isAlways ? "" : time), such as \(size) points in "
                + "\(spot.color.hexString) at (\(place)) points; \(Hint.judgedPart) to judge a part of the frame")
    }
}
