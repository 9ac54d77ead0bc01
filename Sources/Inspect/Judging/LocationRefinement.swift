import Core

/// The search for better positions near the candidates for a recording of less than a period: those
/// where its motion correlates most with the loader's motion over the period or a part of it.
///
/// The first search knows only the whole period and eight parts of it. If none is the recorded one,
/// the best position may be a cell or two off, which is too far for comparing frames.
struct LocationRefinement {
    let survey: RecordingSurvey
    let activity: ModelActivity
    /// The activity of the loader over the whole period, and over parts of it that begin at every
    /// third frame.
    private let templates: [[Float]]

    /// The distance between the beginnings of the parts to compare with, in the loader's small
    /// frames.
    private static let templateStep = 3
    /// The steps of the position in cells of the template, each tried until it improves nothing.
    private static let steps: [Double] = [1, 0.5, 0.25]
    /// The maximum number of moves with one step: the longer side of the moving part in cells.
    private static let maxMoves = 28
    /// The maximum ratio, in either direction, between a candidate's scale and a device's scale
    /// that replaces it. The apparent size differs by as much if the recording shows only a part of
    /// the period.
    private static let scaleReach = 1.3

    /// - Parameter periods: the duration of the recording in periods.
    init(_ survey: RecordingSurvey, _ activity: ModelActivity, periods: Double) {
        self.survey = survey
        self.activity = activity
        templates = activity.templates(periods: periods, step: Self.templateStep)
    }

    /// Returns the candidates, with those near them that move more like the loader.
    ///
    /// - Parameter scales: the scales of devices, or the only possible one.
    func refined(_ candidates: [LocationCandidate], scales: [Double]) -> [LocationCandidate] {
        var result = candidates
        for candidate in candidates {
            let near = scales.filter { abs(log($0 / candidate.scale)) < log(Self.scaleReach) }
            for scale in near.isEmpty ? [candidate.scale] : near {
                let found = climbed(from: candidate.with(scale: scale, about: activity.bounds.center))
                let isKnown = result.contains {
                    $0.scale == found.scale
                        && $0.origin.distance(to: found.origin) < found.cellSize(of: activity) / 4
                }
                if !isKnown { result.append(found) }
            }
        }
        return result
    }

    /// Returns the position near a candidate at which no step increases the correlation.
    private func climbed(from candidate: LocationCandidate) -> LocationCandidate {
        var best = candidate
        best.score = score(best)
        for step in Self.steps {
            let cell = step * candidate.cellSize(of: activity)
            for _ in 0..<Self.maxMoves {
                let moves = [Point(cell, 0), Point(-cell, 0), Point(0, cell), Point(0, -cell)]
                let trials = moves.map { move in
                    var trial = best
                    trial.origin = trial.origin + move
                    trial.score = score(trial)
                    return trial
                }
                guard let next = trials.max(by: { $0.score < $1.score }), next.score > best.score else { break }
                best = next
            }
        }
        return best
    }

    /// Returns the best correlation of the recording's activity at a position with the loader's
    /// cycle or a part of it.
    private func score(_ candidate: LocationCandidate) -> Double {
        let corner = candidate.corner(of: activity)
        let unit = candidate.cellSize(of: activity)
        var patch: [Double] = []
        patch.reserveCapacity(activity.width * activity.height)
        for row in 0..<activity.height {
            for column in 0..<activity.width {
                let point = corner + Point(Double(column) + 0.5, Double(row) + 0.5) * unit
                patch.append(sample(point.x * survey.reduction.x - 0.5, point.y * survey.reduction.y - 0.5))
            }
        }
        return templates.map { Self.correlation(patch, $0) }.max() ?? 0
    }

    /// Returns the activity at a point of a small frame, by bilinear interpolation; 0 outside it.
    private func sample(_ x: Double, _ y: Double) -> Double {
        let left = x.rounded(.down)
        let top = y.rounded(.down)
        let (u, v) = (x - left, y - top)
        func value(_ column: Int, _ row: Int) -> Double {
            guard column >= 0, row >= 0, column < survey.size.width, row < survey.size.height else { return 0 }
            return Double(survey.activity[row * survey.size.width + column])
        }
        let (column, row) = (Int(left), Int(top))
        return (1 - v) * ((1 - u) * value(column, row) + u * value(column + 1, row))
            + v * ((1 - u) * value(column, row + 1) + u * value(column + 1, row + 1))
    }

    static func correlation(_ a: [Double], _ b: [Float]) -> Double {
        let count = Double(max(1, a.count))
        let meanA = a.reduce(0, +) / count
        let meanB = b.reduce(0) { $0 + Double($1) } / count
        var cross = 0.0
        var squaresA = 0.0
        var squaresB = 0.0
        for (x, y) in zip(a, b) {
            let (x, y) = (x - meanA, Double(y) - meanB)
            cross += x * y
            squaresA += x * x
            squaresB += y * y
        }
        guard squaresA > 0, squaresB > 0 else { return 0 }
        return cross / (squaresA * squaresB).squareRoot()
    }
}
