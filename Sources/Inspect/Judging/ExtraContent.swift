import Animations
import Core
import Render

/// Finds what a recording shows in or beside the loader's canvas although the loader does not draw
/// it.
struct ExtraContent {
    let view: JudgedView
    let survey: RecordingSurvey
    let builder: ModelBuilder
    let model: LoaderModel

    /// The difference from the background above which a pixel shows content, in codes. It excludes
    /// noise: that of an empty area at crf 38 stays below 2 in the mean, and ringing near the
    /// loader's edges is excluded by `emptyReach`.
    private static let maxBackgroundDifference: Float = 24
    /// The difference from the background above which the loader draws in a pixel, in codes:
    /// conversion to YUV and back changes samples by up to 2.
    private static let maxEmptyDifference: Float = 2
    /// The distance in pixels within which displacements and ringing of what the loader draws show,
    /// and the step in which pixels at that distance are examined.
    private static let emptyReach = 4
    private static let emptyStep = 2
    /// The maximum number of frames that are examined.
    private static let maxFrames = 12
    /// The smallest area in square points: encoders do not invent spots of this size.
    private static let minArea = 12.0
    /// The share of frames that must show it, three of `maxFrames`. It is low because content such
    /// as a clock changes rarely.
    private static let minFrames = 0.25
    /// The number of moving pixels beside the canvas, relative to those on it, above which they
    /// count, and the width of the examined margin, relative to the canvas. Motion farther away
    /// belongs to the page.
    private static let besideShare = 0.15
    private static let besideReach = 0.5
    /// The width of the margin that is not examined, relative to the canvas: in the pixels of the
    /// survey, what moves at the edge of the canvas also shows beside it.
    private static let edgeReach = 0.03
    /// The part of the canvas, from 0 to 1, where content that stands still counts. At the border
    /// of a canvas as large as the screen there are bars.
    private static let central = 0.1...0.9
    /// The standard deviation over time above which a pixel moves, in codes: three times that of
    /// the loader's own motion (`ModelActivity`), because a recording has noise.
    private static let maxStillActivity: Float = 12

    /// Returns a finding if the recording shows anything that the loader does not draw.
    func deviations(_ aligned: [AlignedFrame]) throws -> [Deviation] {
        if let deviation = try onCanvas(aligned) { return [deviation] }
        return beside().map { [$0] } ?? []
    }

    private func onCanvas(_ aligned: [AlignedFrame]) throws -> Deviation? {
        let renderer = try ModelRenderer(view, builder.elements)
        let ground = try renderer.background(model)
        let chosen = Judge.sampled(aligned.count, Self.maxFrames)
        var shown: [(count: Int, box: Rect)] = []
        let planes = chosen.map { view.planes($0) }
        let contents = planes.map { $0.distances(to: ground) }
        // A page around a card differs from the card's background by the same amount in all frames.
        let minContent = (contents.first ?? []).indices.map { pixel in
            contents.lazy.map { $0[pixel] }.min() ?? 0
        }
        for (frame, content) in zip(chosen, contents) {
            let drawn = try renderer.planes(model, at: aligned[frame].modelTime).distances(to: ground)
            var points: [Point] = []
            for pixel in content.indices where content[pixel] > Self.maxBackgroundDifference {
                guard content[pixel] - minContent[pixel] >= Self.maxBackgroundDifference || isCentral(pixel),
                    isEmpty(drawn, around: pixel)
                else { continue }
                points.append(Point(Double(pixel % view.width), Double(pixel / view.width)))
            }
            if let box = Rect(enclosing: points) { shown.append((points.count, box)) }
        }
        let pixelsPerPoint = model.pose.scale * model.pose.judgedPoint * view.factor
        let large = shown.filter { Double($0.count) / (pixelsPerPoint * pixelsPerPoint) > Self.minArea }
        guard Double(large.count) > Self.minFrames * Double(chosen.count), let first = large.first else { return nil }
        let corner = model.pose.origin - Point(Double(view.region.x), Double(view.region.y))
        let position = (first.box.center * (1 / view.factor) - corner) * (1 / model.pose.scale)
        return Deviation(
            kind: .extra,
            text: "something that the loader does not draw is shown, such as at "
                + "(\(DeviationWriter.decimal(position.x, 0)), \(DeviationWriter.decimal(position.y, 0))) points; "
                + "\(Hint.judgedPart) to judge a part of the frame")
    }

    /// True if a pixel lies well within the canvas, where nothing but the loader belongs.
    private func isCentral(_ pixel: Int) -> Bool {
        let canvas = model.loader.canvas
        let x = (Double(pixel % view.width) / view.factor + Double(view.region.x) - model.pose.origin.x)
        let y = (Double(pixel / view.width) / view.factor + Double(view.region.y) - model.pose.origin.y)
        let (u, v) = (x / model.pose.scale / canvas.width, y / model.pose.scale / canvas.height)
        return Self.central.contains(u) && Self.central.contains(v)
    }

    /// True if the model draws nothing near a pixel.
    private func isEmpty(_ drawn: [Float], around pixel: Int) -> Bool {
        let (x, y) = (pixel % view.width, pixel / view.width)
        let reach = Self.emptyReach
        let rows = stride(from: max(0, y - reach), through: min(view.height - 1, y + reach), by: Self.emptyStep)
        let columns = stride(from: max(0, x - reach), through: min(view.width - 1, x + reach), by: Self.emptyStep)
        for row in rows {
            for column in columns
            where drawn[row * view.width + column] > Self.maxEmptyDifference { return false }
        }
        return true
    }

    private func beside() -> Deviation? {
        let canvas = model.loader.canvas
        let own = Rect(
            x: model.pose.origin.x, y: model.pose.origin.y, width: canvas.width * model.pose.scale,
            height: canvas.height * model.pose.scale)
        let near = own.expanded(by: Self.besideReach * max(own.width, own.height))
        let edge = own.expanded(by: Self.edgeReach * max(own.width, own.height))
        var inside = 0
        var outside: [Point] = []
        for (index, activity) in survey.activity.enumerated() where activity > Self.maxStillActivity {
            let x = (Double(index % survey.size.width) + 0.5) / survey.reduction.x
            let y = (Double(index / survey.size.width) + 0.5) / survey.reduction.y
            let point = Rect(x: x, y: y, width: 0, height: 0)
            if own.contains(point) {
                inside += 1
            } else if near.contains(point), !edge.contains(point) {
                outside.append(Point(x, y))
            }
        }
        guard Double(outside.count) > Self.besideShare * Double(inside), let box = Rect(enclosing: outside) else {
            return nil
        }
        let position = (box.center - model.pose.origin) * (1 / model.pose.scale)
        return Deviation(
            kind: .extra,
            text: "something else moves beside the loader's canvas, at (\(DeviationWriter.decimal(position.x, 0)), "
                + "\(DeviationWriter.decimal(position.y, 0))) points; \(Hint.judgedPart) to judge a part of the frame")
    }
}
