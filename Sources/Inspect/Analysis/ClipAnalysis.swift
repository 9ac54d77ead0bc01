import Core
import Render

/// The moving objects of a video clip and the table of phases that they follow.
package struct ClipAnalysis: Sendable {
    /// The width of the clip in pixels.
    package let width: Int
    /// The height of the clip in pixels.
    package let height: Int
    /// The duration of the clip in seconds.
    package let duration: Double
    /// The time of each frame, in seconds from the first.
    package let times: [Double]
    /// The dominant background colour.
    package let background: Color
    /// The moving objects, sorted by their first positions: from left to right or from top to
    /// bottom.
    package let objects: [TrackedObject]
    /// The phases of their motion; nil if there are none.
    package let phases: PhaseModel?
    /// The reason why there are no phases; nil if there are.
    package let doubt: String?
    /// The loader that the clip shows; nil if none was recognized.
    package internal(set) var match: LoaderMatch?
    /// Reads the clip again for the annotated version.
    let reader: ClipReader

    /// The confidence in the table, 0...1: the minimum of the objects' confidences, or 0 without a
    /// table.
    package var confidence: Double {
        guard let phases else { return 0 }
        return phases.members.map { objects[$0].confidence }.min() ?? 0
    }

    /// The confidence below which a table is not reported, so that a weak guess is not taken for a
    /// measurement. The tables of all 330 clips of scripts/test-analysis reach it. A false table of
    /// a recording had 0.64.
    private static let minConfidence = 0.65
    /// The distance from the table's motion, in offsets, at which the confidence is 0. A third of
    /// it leaves about `minConfidence`.
    private static let maxDeviation = 0.12
    /// The percentage of an object's frames in which it must be at the position of an object of the
    /// table to be a blend of two objects. The rest allows for misplaced detections.
    private static let blendPercent = 80
    /// The maximum difference of a channel, 0...1, between the background's colour and that of a
    /// shape which a resting object left in the background: 15 codes, which includes noise.
    private static let maxGroundDifference = 0.06
    /// The visibility above which a detection tells where an object moves.
    private static let minTrackedVisibility = 0.3
    /// The minimum percentage of frames with such a detection. Less is a spot of noise.
    private static let minTrackedPercent = 5
    /// The minimum extent of a motion in pixels of the clip: three times the error of tracking.
    private static let minExtent = 1.5
    /// The numbers of pixels to analyse per frame: first a coarse pass, then a finer one if objects
    /// are small.
    private static let pixelBudgets = [45_000, 240_000]
    /// The diameter in pixels below which an object needs the finer pass, which has more than twice
    /// the resolution along each side.
    private static let minDiameter = 9.0

    /// Analyses a video file that libav can decode. Decodes it three times, after counting its
    /// packets, and holds at most sixty frames of the moving region.
    ///
    /// Throws `LoadervidError` if the file does not exist (`missingInput`), or if it is not a
    /// complete video, exceeds the limits, has a cut or shows no moving objects (`badData`).
    package init(path: String, limits: ClipLimits = ClipLimits()) throws {
        let reader = try ClipReader(path: path, limits: limits)
        do { try self.init(reader, try ClipSurvey(reader)) } catch { throw LoadervidError(error) }
    }

    /// Analyses a surveyed clip.
    init(_ reader: ClipReader, _ survey: ClipSurvey) throws {
        try self.init(tracking: reader, survey)
        match = LoaderMatch.best(for: self)
    }

    private init(tracking reader: ClipReader, _ survey: ClipSurvey) throws {
        let (segmentation, view, models) = try ClipAnalysis.models(reader, survey)
        guard !models.isEmpty else {
            throw LoadervidError(
                .badData, "\(reader.path): no moving object stands out from the background; use a plain background")
        }
        var tracker = ObjectTracker(view, segmentation, models)
        try reader.forEachFrame(in: try view.scaler()) { pixels, _, _ in
            tracker.add(pixels)
            return true
        }
        let candidates = ClipAnalysis.movingObjects(tracker.tracks)
        guard !candidates.isEmpty, tracker.tracks[0].count == survey.times.count else {
            throw LoadervidError(
                .badData, "\(reader.path): nothing moves far enough to be tracked; use a clip with larger motion")
        }
        self.reader = reader
        width = survey.width
        height = survey.height
        duration = survey.duration
        times = survey.times
        background = segmentation.dominantBackground.color
        let (kept, likely) = ClipAnalysis.phases(
            survey.times, candidates, tracker.tracks, models, view, background: background)
        let tracks = kept.map { tracker.tracks[$0] }
        doubt = ClipAnalysis.doubt(about: likely)
        let found = doubt == nil ? likely : nil
        phases = found
        let scale = view.scale
        objects = kept.enumerated().map { number, index in
            let model = models[index]
            return TrackedObject(
                color: model.color.color, area: model.area / (scale * scale), isRigid: model.isRigid,
                positions: ClipAnalysis.interpolated(tracks[number], survey.times, number, found),
                visibility: tracks[number].map(\.weight),
                confidence: ClipAnalysis.confidence(number, found))
        }
        match = nil
    }

    /// Returns the reason why a table is not reported; nil if it is.
    private static func doubt(about phases: PhaseModel?) -> String? {
        guard let phases else { return "the objects follow no common table of constant-velocity phases" }
        let certainty = phases.members.map { confidence($0, phases) }.min() ?? 0
        guard certainty < minConfidence else { return nil }
        return "the best phase table has a confidence of \(Int(certainty * 100))%, below the minimum of "
            + "\(Int((minConfidence * 100).rounded()))%"
    }

    private static func models(_ reader: ClipReader, _ survey: ClipSurvey) throws -> (
        Segmentation, RegionView, [ObjectModel]
    ) {
        var result: (Segmentation, RegionView, [ObjectModel])?
        for budget in pixelBudgets {
            let view = RegionView(survey.region, budget: budget)
            let samples = try ClipSamples(reader, view, count: survey.times.count)
            let segmentation = Segmentation(samples)
            let models = ObjectFinder.objects(in: samples, segmentation)
            result = (segmentation, view, models)
            guard view.isReduced, models.isEmpty || models.contains(where: { $0.diameter < minDiameter }) else { break }
        }
        guard let result else { throw LoadervidError(.internal, "\(reader.path) was not analysed") }
        return result
    }

    /// Finds the phases of the objects and drops false objects. An object that is seen only at the
    /// positions of an object of the table is a blend of two overlapping objects. A shape in the
    /// background's own colour shows where a resting object was mistaken for background.
    private static func phases(
        _ times: [Double], _ candidates: [Int], _ tracks: [[Detection]], _ models: [ObjectModel], _ view: RegionView,
        background: Color
    ) -> (kept: [Int], phases: PhaseModel?) {
        func find(_ indices: [Int]) -> PhaseModel? {
            PhaseModel(times: times, tracks: indices.map { tracks[$0] }, isRigid: indices.map { models[$0].isRigid })
        }
        let first = find(candidates)
        guard let found = first, found.members.count > 1 else { return (candidates, first) }
        let members = found.members.map { candidates[$0] }
        func isTint(_ index: Int) -> Bool {
            let seen = times.indices.filter { tracks[index][$0].weight > TrackedObject.minVisibility }
            let covered = seen.filter { k in
                members.contains { member in
                    let radius = models[member].diameter / 2 / view.scale
                    return tracks[member][k].position.distance(to: tracks[index][k].position) < radius
                }
            }
            return covered.count * 100 >= blendPercent * seen.count
        }
        func isUncovered(_ index: Int) -> Bool {
            let color = models[index].color.color
            let differences = [
                color.red - background.red, color.green - background.green, color.blue - background.blue,
            ]
            return !models[index].isRigid && differences.allSatisfy { abs($0) < maxGroundDifference }
        }
        let kept = candidates.filter { members.contains($0) || !(isTint($0) || isUncovered($0)) }
        return kept.count == candidates.count ? (candidates, found) : (kept, find(kept))
    }

    /// Returns the objects that move far enough to be tracked, sorted by their first positions.
    private static func movingObjects(_ tracks: [[Detection]]) -> [Int] {
        var starts: [(index: Int, position: Point)] = []
        var bounds: [Rect] = []
        for (index, track) in tracks.enumerated() {
            let seen = track.filter { $0.weight > minTrackedVisibility }
            guard seen.count >= 2, seen.count * 100 >= minTrackedPercent * track.count,
                let box = Rect(enclosing: seen.map(\.position)),
                max(box.width, box.height) > minExtent
            else { continue }
            starts.append((index, seen[0].position))
            bounds.append(box)
        }
        let isWide = bounds.map(\.width).max() ?? 0 >= bounds.map(\.height).max() ?? 0
        return starts.sorted { isWide ? $0.position.x < $1.position.x : $0.position.y < $1.position.y }.map(\.index)
    }

    /// Returns a position for every frame. Where the object is hidden, extrapolates with the
    /// table's motion, or else interpolates between the nearest detections.
    private static func interpolated(
        _ track: [Detection], _ times: [Double], _ number: Int, _ phases: PhaseModel?
    ) -> [Point] {
        let seen = track.indices.filter { track[$0].weight > TrackedObject.minVisibility }
        let member = phases?.members.firstIndex(of: number)
        var next = 0
        return track.indices.map { k in
            while next < seen.count, seen[next] < k { next += 1 }
            if next < seen.count, seen[next] == k { return track[k].position }
            let before = next > 0 ? seen[next - 1] : nil
            let after = next < seen.count ? seen[next] : nil
            guard let nearest = before ?? after else { return track[k].position }
            if let phases, let member {
                let moved =
                    phases.position(of: member, at: times[k]) - phases.position(of: member, at: times[nearest])
                return track[nearest].position + phases.axis * moved
            }
            guard let before, let after else { return track[nearest].position }
            let share = (times[k] - times[before]) / (times[after] - times[before])
            return track[before].position * (1 - share) + track[after].position * share
        }
    }

    /// Returns the confidence in an object's steps. It falls with the distance from the table's
    /// motion and with the share of steps in which the object is hidden.
    private static func confidence(_ number: Int, _ phases: PhaseModel?) -> Double {
        guard let phases, let member = phases.members.firstIndex(of: number) else { return 0 }
        let deviation = phases.deviations[member] / phases.offset
        return max(0, 1 - deviation / maxDeviation) * (0.5 + 0.5 * phases.seenShares[member])
    }
}

extension Segmentation {
    /// The most frequent background colour. Colours within 8 codes count as one.
    var dominantBackground: RGB {
        var counts: [RGB: Int] = [:]
        background.withUnsafeBufferPointer { ground in
            for pixel in stride(from: 0, to: width * height, by: 7) {
                let color = RGB(ground, pixel)
                counts[RGB(color.red / 8, color.green / 8, color.blue / 8), default: 0] += 1
            }
            return
        }
        guard let cell = counts.max(by: { ($0.value, $1.key.red) < ($1.value, $0.key.red) })?.key else {
            return RGB(255, 255, 255)
        }
        var sum = RGB(0, 0, 0)
        var count = 0
        background.withUnsafeBufferPointer { ground in
            for pixel in stride(from: 0, to: width * height, by: 7) {
                let color = RGB(ground, pixel)
                guard RGB(color.red / 8, color.green / 8, color.blue / 8) == cell else { continue }
                sum = RGB(sum.red + color.red, sum.green + color.green, sum.blue + color.blue)
                count += 1
            }
        }
        return RGB(sum.red / count, sum.green / count, sum.blue / count)
    }
}
