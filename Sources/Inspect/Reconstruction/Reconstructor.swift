import Core
import Render

extension Reconstruction {
    /// Reconstructs a clip as shapes with keyframes.
    ///
    /// Throws `LoadervidError` if the file does not exist (`missingInput`), or if it is not a
    /// complete video, exceeds the limits, has a cut, shows nothing that could be reconstructed, or
    /// if the shapes differ from the clip (`badData`).
    package init(path: String, limits: ClipLimits = ClipLimits()) throws {
        let reader = try ClipReader(path: path, limits: limits)
        do { try self.init(reader, try ClipSurvey(reader)) } catch { throw LoadervidError(error) }
    }

    /// The minimum number of frames in which an object is visible, chosen to exclude compression
    /// noise.
    private static let minFrames = 3
    /// The share of the largest object's area below which a spot beside another object is a fringe
    /// of blurred chroma.
    private static let maxFringe = 0.004

    /// The share of the largest object's area, and the contrast of luma and chroma in codes, below
    /// which a spot is an error of the encoder.
    static let maxNoise = (share: 0.1, contrast: Float(32))
    /// The contrast of luma and chroma in codes below which an area is an error of the encoder,
    /// whatever its size, if there are stronger ones.
    private static let maxChromaNoise: Float = 10
    /// The time in seconds for which a small spot must be seen. An arc of two pixels, whose colour
    /// is blurred, is seen for a frame or two.
    private static let minSpotTime = 0.1
    /// The difference of colours in codes within which a piece belongs to an object.
    private static let maxPieceDifference: Float = 40

    /// True if the objects differ from the clip.
    var isMisunderstood: Bool { gaps.contains(where: \.isMisunderstood) }

    init(_ reader: ClipReader, _ survey: ClipSurvey) throws {
        let scan = try ClipScan(reader, survey)
        let timing = ClipTiming(survey, scan)
        self = try Self(understanding: reader, survey, scan, timing)
        if let other = try apart(reader, survey, scan, timing) { self = other }
        guard let gap = gaps.first(where: \.isMisunderstood) else { return }
        guard let traced = try Self(tracing: reader, survey, scan, timing, insteadOf: gap) else {
            throw Self.refusal(gap, reader)
        }
        self = traced
    }

    /// Finds the kinds of shapes and their motion. If they differ from the clip, a gap is
    /// misunderstood.
    private init(
        understanding reader: ClipReader, _ survey: ClipSurvey, _ scan: ClipScan, _ timing: ClipTiming
    ) throws {
        let built = Self.objects(scan, timing)
        guard !built.isEmpty else {
            throw LoadervidError(
                .badData, "\(reader.path): no object could be reconstructed; use a clip with a plain background")
        }
        try self.init(
            built, shownBy: timing.tracks, imageTime: scan.firstImageTime, reader, survey, scan, timing)
    }

    /// Orders and names objects, and compares them with the tracks that show them and with the
    /// clip.
    init(
        _ objects: [ReconstructedObject], shownBy tracks: [ShapeTrack], imageTime: Double?, _ reader: ClipReader,
        _ survey: ClipSurvey, _ scan: ClipScan, _ timing: ClipTiming
    ) throws {
        var built = objects
        let order = try Self.stackingOrder(&built, reader, scan, timing)
        Self.name(&built)
        self.init(built, imageTime: imageTime, survey, scan, timing)
        stackingOrder = order
        gaps += Self.doubtfulOverlap(built, tracks, scan, timing)
        let fidelity = try Self.doubtfulFidelity(layers, reader, scan, timing)
        gaps += fidelity.gaps
        decibels = fidelity.decibels
        gaps += built.compactMap { Self.doubt($0, 1 / scan.view.scale) }
        gaps.sort { $0.time < $1.time }
    }

    /// Traces the outlines of all frames; nil if they differ from the clip.
    ///
    /// - Parameter gap: the reason, which becomes a warning.
    private init?(
        tracing reader: ClipReader, _ survey: ClipSurvey, _ scan: ClipScan, _ timing: ClipTiming,
        insteadOf gap: ReconstructionGap
    ) throws {
        var traced = Self.tracedObjects(scan, timing)
        Self.name(&traced)
        guard try Self.doubtfulFidelity(traced, reader, scan, timing).gaps.isEmpty else { return nil }
        self.init(traced, imageTime: scan.firstImageTime, survey, scan, timing)
        let text = "\(gap.text); all outlines are traced frame by frame instead"
        gaps = ([ReconstructionGap(text: text, time: gap.time)] + gaps).sorted { $0.time < $1.time }
    }

    private init(
        _ objects: [ReconstructedObject], imageTime: Double?, _ survey: ClipSurvey, _ scan: ClipScan,
        _ timing: ClipTiming
    ) {
        self.objects = objects
        width = survey.width
        height = survey.height
        frameRate = timing.frameRate
        duration = timing.duration
        period = timing.period
        isLoop = timing.isLoop
        background = scan.background.color
        gaps = Self.gaps(scan, timing, imageTime: imageTime)
    }

    /// Sorts objects from the lowest to the topmost by the colours where they overlap, and gives
    /// them their opacities. Returns the order by time, empty if it does not change.
    private static func stackingOrder(
        _ objects: inout [ReconstructedObject], _ reader: ClipReader, _ scan: ClipScan, _ timing: ClipTiming
    ) throws -> [StackingOrder.Interval] {
        let overlaps = OverlapReader(objects, over: scan.background, duration: timing.duration)
        let seen = try overlaps.observations(reader, times: timing.times)
        let order = StackingOrder(seen, count: objects.count, duration: timing.duration, frame: timing.step)
        for (index, opacity) in order.opacities.enumerated() {
            if let opacity { objects[index].makeTranslucent(opacity, over: scan.background) }
        }
        guard order.intervals.count == 1 else { return order.intervals }
        objects = order.intervals[0].order.map { objects[$0] }
        return []
    }

    /// Returns the objects that a clip's tracks show, the lowest first.
    private static func objects(_ scan: ClipScan, _ timing: ClipTiming) -> [ReconstructedObject] {
        let pixel = 1 / scan.view.scale
        let tracks = RestartJoiner().joined(JumpJoiner().joined(timing.tracks))
        let largest = tracks.map(\.largestArea).max() ?? 0
        let long = withoutNoise(tracks, over: scan.background).filter { track in
            let isSpot = track.largestArea < maxNoise.share * largest && isBrief(track, timing)
            return !isSpot && !isPiece(track, of: tracks) && (track.shapes.count >= minFrames || timing.times.count < 8)
        }
        let lag = timing.period.map { $0 / timing.step }
        let seen = Dictionary(grouping: tracks.flatMap(\.shapes), by: \.frame)
        let united = SplitJoiner(seen: seen).joined(long)
        let whole = lag.map { PeriodJoiner(period: $0).joined(united) } ?? united
        let classifier = ShapeClassifier(pixel: pixel)
        let classified = TrackJoiner(pixel: pixel).joined(whole.map(classifier.classified))
        let builder = ObjectBuilder(
            background: scan.background, times: timing.times, duration: timing.duration, pixel: pixel,
            seen: seen, slivers: ObjectBuilder.slivers(of: whole), isPeriodic: timing.period != nil)
        // Objects that are often covered lie below; small ones lie over large ones.
        func isLower(_ a: ReconstructedObject, _ b: ReconstructedObject) -> Bool {
            let first = (a.coveredShare * 10).rounded()
            let second = (b.coveredShare * 10).rounded()
            return (second, b.area, a.x.value(at: 0), a.y.value(at: 0)) < (
                first, a.area, b.x.value(at: 0), b.y.value(at: 0)
            )
        }
        let objects = CoveredShapes(pixel: pixel).restored(classified).compactMap(builder.object)
        let joints = lag.map { PeriodJoiner(period: $0).completed(timing.joints) } ?? timing.joints
        let joined = JointShapes(scan, timing, builder).objects(joints.map(classifier.morph), beside: objects)
        let all = (objects + joined).sorted(by: isLower)
        return timing.period.map { CommonMotion(timing, period: $0, builder).unified(all) } ?? all
    }

    /// Returns the areas of each colour, traced in all frames.
    private static func tracedObjects(_ scan: ClipScan, _ timing: ClipTiming) -> [ReconstructedObject] {
        let pixel = 1 / scan.view.scale
        let areas = withoutNoise(scan.tracker.tracks, over: scan.background) + scan.tracker.joints
        let builder = ObjectBuilder(
            background: scan.background, times: timing.times, duration: timing.duration, pixel: pixel,
            isPeriodic: timing.period != nil)
        let classifier = ShapeClassifier(pixel: pixel)
        return ColorAreas(areas).tracks.map(classifier.morph).compactMap(builder.object)
    }

    /// Returns true for a track that is seen for a frame or two at a time.
    private static func isBrief(_ track: ShapeTrack, _ timing: ClipTiming) -> Bool {
        track.longestRun < minFrames && Double(track.longestRun) * timing.step < minSpotTime
    }

    /// Returns the tracks that are neither fringes of blurred chroma nor errors of the encoder.
    private static func withoutNoise(_ tracks: [ShapeTrack], over background: Channels) -> [ShapeTrack] {
        let largest = tracks.map(\.largestArea).max() ?? 0
        func contrast(_ track: ShapeTrack) -> Float {
            track.shapes.map { ($0.color - background).planeContrast }.max() ?? 0
        }
        let strongest = tracks.map(contrast).max() ?? 0
        return tracks.filter { track in
            let isSmall = track.largestArea < maxNoise.share * largest
            guard contrast(track) >= min(maxChromaNoise, strongest / 4) else { return false }
            guard !isSmall || contrast(track) >= min(maxNoise.contrast, strongest / 4) else { return false }
            return track.shapes.contains(where: \.isAlone) || track.largestArea >= maxFringe * largest
        }
    }

    /// Returns true if a track shows a piece of an object of its colour that others cover.
    private static func isPiece(_ track: ShapeTrack, of tracks: [ShapeTrack]) -> Bool {
        guard !track.isObject else { return false }
        return tracks.contains { other in
            other.isObject && other.largestArea > track.largestArea
                && (other.shapes[0].color - track.shapes[0].color).largest <= maxPieceDifference
        }
    }

    /// Names the objects by kind, with numbers in the order of their positions at the start.
    private static func name(_ objects: inout [ReconstructedObject]) {
        let order = objects.indices.sorted {
            (objects[$0].x.value(at: 0).rounded(), objects[$0].y.value(at: 0), $0)
                < (objects[$1].x.value(at: 0).rounded(), objects[$1].y.value(at: 0), $1)
        }
        let totals = Dictionary(objects.map { ($0.kindName, 1) }, uniquingKeysWith: +)
        var counts: [String: Int] = [:]
        for index in order {
            let kind = objects[index].kindName
            counts[kind, default: 0] += 1
            objects[index].name = totals[kind] == 1 ? kind : "\(kind) \(counts[kind] ?? 0)"
        }
    }
}

extension ReconstructedObject {
    /// The kind in words: a long rectangle is a line.
    package var kindName: String {
        switch kind {
        case .circle: return "circle"
        case .ellipse: return "ellipse"
        case .rectangle:
            let long = max(width.first, height.first)
            let short = min(width.first, height.first)
            let isRound = cornerRadius > 0.4 * short
            if long > 4 * short, isRound || short < 4 { return "line" }
            return cornerRadius > 0 ? "rounded rectangle" : "rectangle"
        case .ring: return "ring"
        case .arc, .roundArc: return "arc"
        case .outline: return "shape"
        case .morph: return "changing shape"
        }
    }
}

/// The frame times of a clip, its period, and the tracks with the first frame repeated at the end
/// of a loop.
struct ClipTiming {
    private(set) var times: [Double]
    let period: Double?
    let isLoop: Bool
    /// The reconstructed duration in seconds.
    let duration: Double
    let frameRate: Double
    /// The mean interval between frames in seconds.
    let step: Double
    let tracks: [ShapeTrack]
    /// The shapes that several objects of one colour form together.
    let joints: [ShapeTrack]

    /// The distance in frames from a whole number within which a period counts as whole.
    private static let wholeTolerance = 0.04
    /// The change over the seam, in multiples of the changes between frames, that a loop may have.
    private static let maxSeam = 3.0

    init(_ survey: ClipSurvey, _ scan: ClipScan) {
        let count = scan.signatures.count
        let times = Array(survey.times.prefix(count))
        let step = count > 1 ? (times[count - 1] - times[0]) / Double(count - 1) : survey.duration
        self.step = step
        let steady = scan.signatures.atConstantRate(times, until: survey.duration)
        let frames = steady.signatures.period().map { lag in
            abs(lag - lag.rounded()) < Self.wholeTolerance ? lag.rounded() : lag
        }
        period = frames.map { frames in
            let lag = frames * steady.step
            let cycles = ObjectCycles(scan.tracker.tracks, lag: lag / step)
            return lag * Double(cycles?.count(frames: count) ?? 1)
        }
        let length = scan.isPartial ? times[count - 1] + step : survey.duration
        duration = min(period ?? length, length)
        frameRate = Self.commonRate(1 / step)
        let changes = scan.signatures.changes()
        let steps = changes.steps.sorted()
        let typical = steps.isEmpty ? 0 : steps[steps.count * 9 / 10]
        isLoop = period != nil || changes.seam <= Self.maxSeam * typical + 1e-4
        var links = scan.tracker
        self.times = times
        if period == nil, isLoop, !scan.isPartial {
            links.add(
                scan.tracker.tracks.compactMap { $0.shapes.first { $0.frame == 0 } }.map { shape in
                    var repeated = shape
                    repeated.frame = count
                    return repeated
                }, frame: count)
            self.times.append(duration)
        }
        tracks = links.tracks
        joints = links.joints
    }

    /// Returns the usual frame rate within 0.02%, which keeps 29.97 apart from 30; otherwise the
    /// rate itself, in thousandths.
    private static func commonRate(_ rate: Double) -> Double {
        let common = [24, 25, 30, 48, 50, 60, 90, 100, 120, 240].first { abs(Double($0) / rate - 1) < 2e-4 }
        return common.map(Double.init) ?? (rate * 1000).rounded() / 1000
    }
}
