import Animations
import Core
import Render

/// The search for content that a recording shows in or beside the loader's canvas although the
/// loader does not draw it.
struct ExtraContent {
    let view: JudgedView
    let survey: RecordingSurvey
    let builder: ModelBuilder
    let model: LoaderModel
    /// The weights of the samples that the fit compares.
    let mask: [Float]

    /// The difference from the background above which a pixel shows content, in codes. It excludes
    /// noise: that of an empty area at crf 38 stays below 2 in the mean, and ringing near the
    /// loader's edges is excluded by `emptyReach`.
    private static let maxBackgroundDifference: Float = 24
    /// The difference from the background above which the loader draws in a pixel, in codes:
    /// conversion to YUV and back changes samples by up to 2.
    private static let maxEmptyDifference: Float = 2
    /// The distance in pixels within which displacements and ringing of the loader's drawing show,
    /// and the step in which pixels at that distance are examined.
    private static let emptyReach = 4
    private static let emptyStep = 2
    /// The minimum sum of squared differences of extra content that the fit compares: a spot of
    /// `ExtraFindings.minPixels` has at least twice that.
    private static let minEnergy =
        0.5 * Double(ExtraFindings.minPixels) * Double(maxBackgroundDifference * maxBackgroundDifference)
    /// The number of frames whose common content is that of a page, not of the loader.
    private static let maxPageFrames = 12
    /// The distance in pixels from such content within which content at the border of the canvas
    /// may belong to it, such as the changing digits of a clock.
    private static let pageReach = 8
    /// The number of frames before and after, whose drawing an encoder may leave behind.
    private static let ghostReach = 2
    /// The difference of a pixel, relative to the largest, above which it has the content's colour
    /// and above which it belongs to its box. The planes are blurred.
    private static let colorShare: Float = 0.8
    private static let boxShare: Float = 0.5
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

    /// Returns the content of each frame; nil for frames without any.
    func spots(_ aligned: [AlignedFrame]) throws -> [ExtraSpot?] {
        let page = try page()
        return try inParallel(aligned.count) { range in
            let renderer = try ModelRenderer(view, builder.elements)
            let ground = try renderer.background(model)
            var drawn: [Int: [Float]] = [:]
            return try range.map { frame in
                let planes = view.planes(frame)
                let content = planes.distances(to: ground)
                let shown = content.indices.filter { pixel in
                    content[pixel] > Self.maxBackgroundDifference && belongsToCanvas(pixel, content[pixel], page)
                }
                // In most frames, the fit compares and explains everything that is shown.
                guard aligned[frame].alignedEnergy > Self.minEnergy || shown.contains(where: { mask[$0] == 0 }) else {
                    return nil
                }
                let near = (frame - Self.ghostReach..<frame + Self.ghostReach + 1).clamped(to: aligned.indices)
                drawn = drawn.filter { near.contains($0.key) }
                for index in near where drawn[index] == nil {
                    drawn[index] = try renderer.planes(model, at: aligned[index].modelTime).distances(to: ground)
                }
                let other = shown.filter { pixel in
                    drawn.values.allSatisfy { isEmpty($0, around: pixel, Self.emptyReach) }
                }
                return spot(other, content, planes)
            }
        }
    }

    /// Returns the content in some pixels of a frame, described by its largest connected part; nil
    /// if there are none.
    private func spot(_ pixels: [Int], _ content: [Float], _ planes: DifferencePlanes) -> ExtraSpot? {
        let grid = CellGrid(width: view.width, height: view.height)
        var rest = Set(pixels)
        let parts = pixels.compactMap { pixel in
            rest.contains(pixel) ? grid.connected(to: pixel) { rest.remove($0) != nil } : nil
        }
        guard let largest = parts.max(by: { $0.count < $1.count }) else { return nil }
        let strongest = largest.map { content[$0] }.max() ?? 0
        let box = grid.box(of: largest.filter { content[$0] >= Self.boxShare * strongest })
        let colors = largest.filter { content[$0] >= Self.colorShare * strongest }.map(planes.color)
        let mean = [\Color.red, \.green, \.blue].map { path in
            colors.reduce(0) { $0 + $1[keyPath: path] } / Double(max(1, colors.count))
        }
        func energy(_ pixels: [Int]) -> Double { pixels.reduce(0) { $0 + Double(content[$1] * content[$1]) } }
        return ExtraSpot(
            pixels: largest.count, box: box, color: Color(red: mean[0], green: mean[1], blue: mean[2]),
            energy: energy(pixels), judgedEnergy: energy(pixels.filter { mask[$0] > 0 }))
    }

    /// Returns the minimum difference of each pixel from the background: a page around a card
    /// differs from the card's background by the same amount in all frames.
    private func page() throws -> [Float] {
        let ground = try ModelRenderer(view, builder.elements).background(model)
        let contents = Judge.sampled(view.frames.count, Self.maxPageFrames).map {
            view.planes($0).distances(to: ground)
        }
        return (0..<ground.layout.pixels).map { pixel in contents.lazy.map { $0[pixel] }.min() ?? 0 }
    }

    /// Returns true if a pixel does not show the page around the canvas.
    private func belongsToCanvas(_ pixel: Int, _ content: Float, _ page: [Float]) -> Bool {
        if isCentral(pixel) { return true }
        return content - page[pixel] >= Self.maxBackgroundDifference
            && isEmpty(page, around: pixel, Self.pageReach, below: Self.maxBackgroundDifference)
    }

    /// Returns true if a pixel lies well within the canvas, where nothing but the loader belongs.
    private func isCentral(_ pixel: Int) -> Bool {
        let canvas = model.loader.canvas
        let x = (Double(pixel % view.width) / view.factor + Double(view.region.x) - model.pose.origin.x)
        let y = (Double(pixel / view.width) / view.factor + Double(view.region.y) - model.pose.origin.y)
        let (u, v) = (x / model.pose.scale / canvas.width, y / model.pose.scale / canvas.height)
        return Self.central.contains(u) && Self.central.contains(v)
    }

    /// Returns true if all differences from the background near a pixel are below a limit.
    private func isEmpty(
        _ differences: [Float], around pixel: Int, _ reach: Int, below limit: Float = maxEmptyDifference
    ) -> Bool {
        let (x, y) = (pixel % view.width, pixel / view.width)
        let rows = stride(from: max(0, y - reach), through: min(view.height - 1, y + reach), by: Self.emptyStep)
        let columns = stride(from: max(0, x - reach), through: min(view.width - 1, x + reach), by: Self.emptyStep)
        for row in rows {
            for column in columns where differences[row * view.width + column] > limit { return false }
        }
        return true
    }

    /// Returns the finding of motion beside the canvas; nil if there is none.
    func beside() -> Deviation? {
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

/// The content of a frame that the loader does not draw.
struct ExtraSpot: Sendable {
    /// The number of pixels of its largest connected part in the view.
    var pixels: Int
    /// The box of its largest connected part in pixels of the view, and its colour.
    var box: PixelRect
    var color: Color
    /// The sums of squared differences from the background, of all its pixels and of those that the
    /// fit compares.
    var energy: Double
    var judgedEnergy: Double
}
