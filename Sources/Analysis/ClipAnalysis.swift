import Pipeline
import Scene

/// An object that moves in a clip.
public struct TrackedObject: Sendable {
    /// Its colour as it is seen.
    public let color: Color
    /// Its area in pixels of the clip.
    public let area: Double
    /// Whether it keeps its shape; if not, its positions are centres of its visible area.
    public let isRigid: Bool
    /// Where its centre is in each picture, in pixels of the clip from the upper left corner.
    public internal(set) var positions: [Point]
    /// For each picture how well it is seen, 0...1; where it is 0 the position comes from the motion around.
    public let visibility: [Double]
    /// How sure its stages are, 0...1.
    public internal(set) var confidence: Double
}

/// What moves in a video clip, and how.
public struct ClipAnalysis: Sendable {
    /// Width of the clip in pixels.
    public let width: Int
    /// Height of the clip in pixels.
    public let height: Int
    /// Length of the clip in seconds.
    public let duration: Double
    /// When each picture is shown, in seconds from the first.
    public let times: [Double]
    /// What the clip shows behind the objects, on the whole.
    public let background: Color
    /// What moves, in the order of the places where the clip begins: from left to right, or from top to bottom.
    public let objects: [TrackedObject]
    /// The phases of their motion; nil if there are none.
    public let phases: PhaseModel?
    /// The loader it shows; nil if it is none of the known ones.
    public internal(set) var match: LoaderMatch?
    /// Reads the clip once more.
    let reader: ClipReader

    /// How sure the table is, 0...1: as sure as the least sure object; 0 without a table.
    public var confidence: Double {
        guard let phases else { return 0 }
        return phases.members.map { objects[$0].confidence }.min() ?? 0
    }

    /// Looks at the pixels first coarsely, and again more finely if the objects are small.
    private static let budgets = [45_000, 240_000]
    /// Objects of fewer pixels across are looked at more finely.
    private static let smallest = 9.0

    /// Analyses a video file that libav can decode. Decodes it three times, after counting its packets, and holds at most
    /// sixty pictures of the part in which something moves.
    ///
    /// Throws `RenderError`: `missingInput` if there is no such file, `badData` if it is no whole video, is larger than
    /// the limits, has a cut, or shows no moving objects.
    public init(path: String, limits: ClipLimits = ClipLimits()) throws {
        let reader = try ClipReader(path: path, limits: limits)
        do { try self.init(reader) } catch { throw RenderError(error) }
        match = LoaderMatch.best(for: self)
    }

    private init(_ reader: ClipReader) throws {
        let survey = try ClipSurvey(reader)
        let (segmentation, view, models) = try ClipAnalysis.models(reader, survey)
        guard !models.isEmpty else {
            throw RenderError(
                .badData, "\(reader.path): something changes, but nothing moves that stands out from the background")
        }
        var tracker = ObjectTracker(view, segmentation, models)
        let scaler = try view.scaler()
        try reader.forEachFrame { frame, _, _ in
            tracker.add(try scaler.rgba(frame))
            return true
        }
        let chosen = ClipAnalysis.moving(tracker.tracks)
        guard !chosen.isEmpty, tracker.tracks[0].count == survey.times.count else {
            throw RenderError(.badData, "\(reader.path): nothing moves in it far enough to be followed")
        }
        self.reader = reader
        (width, height, duration, times) = (survey.width, survey.height, survey.duration, survey.times)
        background = segmentation.commonestBackground.color
        let (kept, found) = ClipAnalysis.phases(
            survey.times, chosen, tracker.tracks, models, view, background: background)
        let tracks = kept.map { tracker.tracks[$0] }
        phases = found
        let scale = view.scale
        objects = kept.enumerated().map { number, index in
            let model = models[index]
            return TrackedObject(
                color: model.color.color, area: model.area / (scale * scale), isRigid: model.isRigid,
                positions: ClipAnalysis.filled(tracks[number], survey.times, number, found),
                visibility: tracks[number].map(\.weight),
                confidence: ClipAnalysis.confidence(number, tracks[number], found))
        }
        match = nil
    }

    private static func models(_ reader: ClipReader, _ survey: ClipSurvey) throws -> (
        Segmentation, WorkView, [ObjectModel]
    ) {
        var result: (Segmentation, WorkView, [ObjectModel])?
        for budget in budgets {
            let view = WorkView(survey.region, budget: budget)
            let samples = try ClipSamples(reader, view, count: survey.times.count)
            let segmentation = Segmentation(samples)
            let models = ObjectFinder.objects(in: samples, segmentation)
            result = (segmentation, view, models)
            guard view.isReduced, models.isEmpty || models.contains(where: { $0.diameter < smallest }) else { break }
        }
        guard let result else { throw RenderError(.internal, "\(reader.path) was not looked at") }
        return result
    }

    /// The phases of the objects, and which objects there are: what is only ever seen where an object of the table is,
    /// is no object, but a tint of two that lie over each other; nor is a shape of the background's own colour, which
    /// shows where a resting object was taken for background.
    private static func phases(
        _ times: [Double], _ chosen: [Int], _ tracks: [[Sighting]], _ models: [ObjectModel], _ view: WorkView,
        background: Color
    ) -> (kept: [Int], phases: PhaseModel?) {
        func find(_ indices: [Int]) -> PhaseModel? {
            PhaseModel(times: times, tracks: indices.map { tracks[$0] }, isRigid: indices.map { models[$0].isRigid })
        }
        let first = find(chosen)
        guard let found = first, found.members.count > 1 else { return (chosen, first) }
        let members = found.members.map { chosen[$0] }
        func isTint(_ index: Int) -> Bool {
            let seen = times.indices.filter { tracks[index][$0].weight > 0.05 }
            let covered = seen.filter { k in
                members.contains { member in
                    let radius = models[member].diameter / 2 / view.scale
                    return tracks[member][k].position.distance(to: tracks[index][k].position) < radius
                }
            }
            return covered.count * 10 >= 8 * seen.count
        }
        func isUncovered(_ index: Int) -> Bool {
            let color = models[index].color.color
            let differences = [
                color.red - background.red, color.green - background.green, color.blue - background.blue,
            ]
            return !models[index].isRigid && differences.allSatisfy { abs($0) < 0.06 }
        }
        let kept = chosen.filter { members.contains($0) || !(isTint($0) || isUncovered($0)) }
        return kept.count == chosen.count ? (chosen, found) : (kept, find(kept))
    }

    /// The objects that get somewhere, in the order of where they begin.
    private static func moving(_ tracks: [[Sighting]]) -> [Int] {
        var starts: [(index: Int, place: Point)] = []
        var bounds: [Rect] = []
        for (index, track) in tracks.enumerated() {
            let seen = track.filter { $0.weight > 0.3 }
            guard seen.count >= 2, seen.count * 20 >= track.count, let box = Rect(enclosing: seen.map(\.position)),
                max(box.width, box.height) > 1.5
            else { continue }
            starts.append((index, seen[0].position))
            bounds.append(box)
        }
        let isWide = bounds.map(\.width).max() ?? 0 >= bounds.map(\.height).max() ?? 0
        return starts.sorted { isWide ? $0.place.x < $1.place.x : $0.place.y < $1.place.y }.map(\.index)
    }

    /// Positions for all pictures: where the object was hidden from the table, or else from the sightings around.
    private static func filled(
        _ track: [Sighting], _ times: [Double], _ number: Int, _ phases: PhaseModel?
    ) -> [Point] {
        let seen = track.indices.filter { track[$0].weight > 0.05 }
        let member = phases?.members.firstIndex(of: number)
        var next = 0
        return track.indices.map { k in
            while next < seen.count, seen[next] < k { next += 1 }
            if next < seen.count, seen[next] == k { return track[k].position }
            let before = next > 0 ? seen[next - 1] : nil
            let after = next < seen.count ? seen[next] : nil
            guard let near = before ?? after else { return track[k].position }
            if let phases, let member {
                let moved =
                    phases.position(of: member, at: times[k]) - phases.position(of: member, at: times[near])
                return track[near].position + phases.axis * moved
            }
            guard let before, let after else { return track[near].position }
            let share = (times[k] - times[before]) / (times[after] - times[before])
            return track[before].position * (1 - share) + track[after].position * share
        }
    }

    /// How sure an object's stages are: falls with its distance from the table's motion and with the time it was hidden.
    private static func confidence(_ number: Int, _ track: [Sighting], _ phases: PhaseModel?) -> Double {
        guard let phases, let member = phases.members.firstIndex(of: number) else { return 0 }
        let deviation = phases.deviations[member] / phases.offset
        let seen = Double(track.filter { $0.weight > 0.05 }.count) / Double(max(1, track.count))
        return max(0, 1 - deviation / 0.12) * (0.5 + 0.5 * seen)
    }
}

extension Segmentation {
    /// The colour that the largest part of the background has, within a few codes.
    var commonestBackground: RGB {
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
        var (sum, count) = (RGB(0, 0, 0), 0)
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
