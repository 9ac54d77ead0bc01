import Core

/// A locator of the positions in a recording where something moves like a loader.
struct LoaderLocator {
    let survey: RecordingSurvey
    let activity: ModelActivity

    /// The maximum number of candidates. Each is then compared with the loader frame by frame
    /// (`CoarseTiming`), which distinguishes candidates with similar correlations.
    static let maxCandidates = 5
    /// The maximum number of candidates if any scale is right: small parts of a recording look like
    /// any spot.
    static let maxFreeCandidates = 10
    /// The maximum number of cells of the coarse activity. Loaders that need more are a few pixels
    /// large in the survey.
    private static let maxCells = 4_000_000
    /// The minimum correlation of a candidate. Unrelated motion can exceed it, at about 0.5; the
    /// later fit rejects it (`JudgedRecording.otherMotion`).
    private static let minScore = 0.35
    /// The minimum share of the loader's moving part, along each side, that lies within the
    /// recording. A loader that is cut further is not found.
    static let minVisible: Float = 0.5
    /// The minimum size of a detailed cell, in pixels of the survey. A template with such cells is
    /// searched in cells of twice their size. Smaller cells have no detail, and such a template is
    /// searched in cells of four times their size.
    private static let detailedCell = 0.5
    /// The number of coarse positions of a template that are compared in detail. The best position
    /// in small cells may only be among the best in large ones.
    private static let maxPeaks = 5
    /// The difference of two scales, as a logarithm, below which they are the same: half a step of
    /// the searched scales (`RecordedScale.step`).
    private static let sameScale = 0.03
    /// The distance of two positions, relative to the width of the moving part, below which they
    /// are the same: up to four cells of the template.
    private static let sameDistance = 0.1
    /// The minimum width of the moving part in pixels of the recording. At this width, a pixel
    /// covers four cells of a wide template.
    private static let minWidth = 8.0

    /// Returns the likeliest positions, the best first.
    func candidates(
        scales: [Double], periods: Double, limit: Int = maxCandidates
    ) throws -> [LocationCandidate] {
        let templates = activity.templates(periods: periods).map {
            ActivityTemplate(values: $0, width: activity.width, height: activity.height)
        }
        // Each worker gets a contiguous range. Small scales take the longest, so this order gives
        // each worker some of them.
        let workers = Resources.processors
        let order = scales.indices.sorted { ($0 % workers, $0) < ($1 % workers, $1) }
        let peaksOfScales = try inParallel(order.count) { range in
            order[range].map { (index: $0, peaks: peaks(scales[$0], templates)) }
        }
        var found = peaksOfScales.sorted { $0.index < $1.index }.flatMap(\.peaks)
        found.sort { $0.score > $1.score }
        var distinct: [LocationCandidate] = []
        for candidate in found where candidate.score > Self.minScore {
            let isKnown = distinct.contains { other in
                abs(log(other.scale / candidate.scale)) < Self.sameScale
                    && other.origin.distance(to: candidate.origin)
                        < Self.sameDistance * activity.bounds.width * candidate.scale
            }
            if !isKnown { distinct.append(candidate) }
            if distinct.count == limit { break }
        }
        return distinct
    }

    /// Returns the best position of each template for one scale.
    private func peaks(_ scale: Double, _ templates: [ActivityTemplate]) -> [LocationCandidate] {
        // The recording's activity is resampled so that a cell of it is a pixel of the template.
        let width = activity.width
        let height = activity.height
        let cell = scale / activity.scale * survey.reduction.x
        let maxSize = 1 / Double(Self.minVisible)
        guard Double(width) * cell < maxSize * Double(survey.size.width),
            Double(height) * cell < maxSize * Double(survey.size.height), scale * activity.bounds.width >= Self.minWidth
        else { return [] }
        let factor = cell < Self.detailedCell ? 4 : 2
        guard
            let map = ActivityMap(
                survey, cell: cell * Double(factor), around: (width / factor, height / factor), maxCells: Self.maxCells)
        else { return [] }
        return templates.map { template in
            let best = best(of: map.peaks(template.reduced(by: factor), limit: Self.maxPeaks), factor, cell, template)
            let corner = Point(Double(best.x) * cell / survey.reduction.x, Double(best.y) * cell / survey.reduction.y)
            let origin = corner - Point(activity.bounds.x, activity.bounds.y) * scale
            return LocationCandidate(scale: scale, origin: origin, score: Double(best.score))
        }
    }

    /// Returns the best position in cells near some coarse positions.
    private func best(
        of peaks: [ActivityPeak], _ factor: Int, _ cell: Double, _ template: ActivityTemplate
    ) -> ActivityPeak {
        var best = ActivityPeak(score: -1, x: 0, y: 0)
        for peak in peaks {
            let xs = (peak.x - 1) * factor...(peak.x + 1) * factor
            let ys = (peak.y - 1) * factor...(peak.y + 1) * factor
            let map = ActivityMap(
                survey, cell: cell, x: xs.lowerBound..<xs.upperBound + template.width,
                y: ys.lowerBound..<ys.upperBound + template.height)
            for y in ys {
                for x in xs {
                    let score = map.correlation(template, x: x, y: y)
                    if score > best.score { best = ActivityPeak(score: score, x: x, y: y) }
                }
            }
        }
        return best
    }
}
