import Core

/// A builder of reconstructed objects, which converts the poses of a track into keyframes.
struct ObjectBuilder {
    let background: Channels
    /// The time of each frame in seconds.
    let times: [Double]
    /// The end of the reconstructed part in seconds.
    let duration: Double
    /// Pixels of the clip per pixel of the view.
    let pixel: Double
    /// The shapes of all objects by frame.
    var seen: [Int: [ObservedShape]] = [:]
    /// The positions by frame at which an object has just gone behind another, or is about to
    /// appear. A sliver of it may still be a part of the other's outline.
    var slivers: [Int: [Point]] = [:]
    /// True if the clip repeats after the duration.
    var isPeriodic = false
    var model = MotionModel.eased

    /// The tolerances of keyframes: in pixels of the view, radians, and shares.
    static let tolerances = (length: 0.14, angle: 0.012, share: 0.012)
    /// The tolerance of sizes as a multiple of their typical error, which changes with the position
    /// of edges between pixels and looks smooth.
    private static let sizeMargin = 2.5
    /// The maximum difference, in pixels of the view, of nine in ten measured line widths from a
    /// constant share of the size: a quarter of the smallest width that can be measured
    /// (`minRing`).
    private static let maxLineError = 0.75
    /// The share of its largest size below which an object vanishes by shrinking.
    private static let vanishingShare = 0.4

    /// The number of frames in which a value beside a visible one may not have fallen to zero yet.
    private static let fadingFrames = 4
    /// The number of periods in which complete motions are sought.
    private static let maxPeriods = 2.6

    /// The index of the first frame after the reconstructed part. One more frame leads into the
    /// next period.
    var frameLimit: Int {
        let end = isPeriodic ? ObjectBuilder.maxPeriods * duration : duration
        return min(times.count, (times.firstIndex { $0 > end - 1e-6 } ?? times.count) + 1)
    }

    var frameStep: Double { ClipSurvey.medianStep(times) }

    /// Fits keyframes to a track; nil if it is not seen in the reconstructed part.
    func fitted(_ track: ClassifiedTrack) -> FittedObject? {
        let limit = frameLimit
        let shapes = track.track.shapes.filter { $0.frame < limit }
        let measured = clearlyMeasured(track, shapes, before: limit)
        let poses = measured.poses
        guard shapes.contains(where: { times[$0.frame] < duration }), !poses.isEmpty else { return nil }
        let end = isPeriodic ? limit : times.firstIndex { $0 > duration - 1e-6 } ?? times.count
        var gaps = Gaps(shapes, merged: Set(track.track.mergedFrames), limit: end, isOccupied: isOccupied)
        let breaks = gaps.hidden.flatMap(\.frames).filter { $0 < times.count }.map { times[$0] }
        let shrinks = shrinkingGaps(&gaps, poses, track.kind)
        let length = ObjectBuilder.tolerances.length * pixel
        let uncovered = uncovered(poses, shapes)
        let clear = model == .covered ? poses : uncovered
        let sized = track.kind.isArc ? poses : clear
        let sizeTolerance = sizeTolerance(track.kind, shapes)
        let fading = track.kind.isArc ? [] : shrinks
        var object = ReconstructedObject(
            name: "", kind: track.kind, x: curve(clear, length, isPosition: true, breaks: breaks, \.center.x),
            y: curve(clear, length, isPosition: true, breaks: breaks, \.center.y),
            width: curve(sized, sizeTolerance, fading: fading, isSize: true, breaks: breaks, \.width),
            height: curve(sized, sizeTolerance, fading: fading, isSize: true, breaks: breaks, \.height),
            rotation: KeyframeCurve(constant: 0),
            lineWidth: curve(measured.linePoses, length, breaks: breaks, \.lineWidth),
            start: KeyframeCurve(constant: 0), end: KeyframeCurve(constant: 2 * .pi),
            opacity: KeyframeCurve(constant: 1), red: KeyframeCurve(constant: 0), green: KeyframeCurve(constant: 0),
            blue: KeyframeCurve(constant: 0))
        let angleTolerance = angleTolerance(track.kind, poses, shapes)
        if track.kind != .circle, track.kind != .ring {
            object.rotation = curve(poses, angleTolerance, accumulates: true, \.rotation)
        }
        setArc(&object, poses, track.kind, angleTolerance, fading: shrinks, breaks)
        scaleLine(&object, measured)
        setColor(&object, measured.colored, gaps, breaks)
        setCorners(&object, poses)
        setOutline(&object, track, shapes)
        setExtent(&object, poses, shapes)
        anchorSides(&object, uncovered)
        object.guessed = gaps.guessed(poses, times).filter { $0.lowerBound < duration }
        object.deviation = deviation(of: object, from: poses)
        return withCoveredError(object, poses, clear: uncovered, shapes)
    }

    /// Returns an object with its distance from the positions that were measured while others hid a
    /// part of it.
    private func withCoveredError(
        _ object: ReconstructedObject, _ poses: [ShapePose], clear: [ShapePose], _ shapes: [ObservedShape]
    ) -> FittedObject {
        let unreliable = mixtures(shapes).union(clear.map(\.frame))
        let covered = poses.filter { !unreliable.contains($0.frame) }
        return FittedObject(object: object, clear: clear, coveredError: coveredError(object, covered, between: clear))
    }

    /// Keeps the size from falling below zero, and sets the area and the share of covered frames.
    private func setExtent(_ object: inout ReconstructedObject, _ poses: [ShapePose], _ shapes: [ObservedShape]) {
        object.width = object.width.map { max(0, $0) }
        object.height = object.height.map { max(0, $0) }
        object.area = shapes.map(\.area).max() ?? 0
        object.coveredShare = Double(poses.count { $0.isCovered } + shapes.count - poses.count) / Double(shapes.count)
    }

    func curve(
        _ poses: [ShapePose], _ tolerance: Double, fading gaps: [Gaps.Gap] = [], accumulates: Bool = false,
        isPosition: Bool = false, isSize: Bool = false, breaks: [Double] = [], _ value: (ShapePose) -> Double
    ) -> KeyframeCurve {
        let samples = ValueSamples(times: poses.map { times[$0.frame] }, values: poses.map(value))
        return curve(
            filled(samples, gaps, mayRestart: isSize), tolerance, accumulates: accumulates, isPosition: isPosition,
            isSize: isSize, breaks: breaks)
    }

    /// Returns samples with those of the gaps in which the value falls to zero.
    ///
    /// - Parameter mayRestart: true for a value such as a size, which grows until the object is too
    ///   faint to be seen, and restarts at zero.
    func filled(_ samples: ValueSamples, _ gaps: [Gaps.Gap], mayRestart: Bool = false) -> ValueSamples {
        let inside = Set(gaps.flatMap(\.frames).map { times[$0] })
        let kept = zip(samples.times, samples.values).filter { !inside.contains($0.0) }
        let samples = ValueSamples(times: kept.map(\.0), values: kept.map(\.1))
        var points = kept.map { (time: $0.0, value: $0.1) }
        var open: [Gaps.Gap] = []
        var hasRestart = false
        for gap in gaps {
            let ends = (times[max(0, gap.frames.lowerBound - 1)], times[min(times.count - 1, gap.frames.upperBound)])
            if gap.before != nil, gap.after != nil, let fading = FadingGap(samples, after: ends.0, before: ends.1) {
                guard !mayRestart || !fading.isRestart else {
                    hasRestart = true
                    continue
                }
                points += gap.frames.map { (times[$0], fading.value(at: times[$0])) }
            } else {
                open.append(gap)
            }
        }
        // An object restarts in all periods, also in the one that the clip shows in part.
        if isPeriodic, hasRestart { open = [] }
        // Values that are unknown at the ends of the clip may be known from another period.
        let known = points.map(\.time)
        points += open.flatMap(unseenFrames).filter { !isKnown(times[$0], by: known) }.map { (times[$0], 0) }
        points.sort { $0.time < $1.time }
        return ValueSamples(times: points.map(\.time), values: points.map(\.value))
    }

    /// Returns the frames of a gap at an end of the clip in which the value has certainly fallen to
    /// zero: not those beside a visible one, which another period may show.
    private func unseenFrames(_ gap: Gaps.Gap) -> [Int] {
        guard isPeriodic else { return Array(gap.frames) }
        return gap.frames.filter { frame in
            [gap.before, gap.after].compactMap { $0 }.allSatisfy { abs($0 - frame) > ObjectBuilder.fadingFrames }
        }
    }

    /// Returns the tolerance of widths and heights in pixels of the clip. Those of an outline are
    /// factors.
    private func sizeTolerance(_ kind: ShapeKind, _ shapes: [ObservedShape]) -> Double {
        let length = ObjectBuilder.tolerances.length * pixel
        // Both edges have the error of a position.
        return kind == .outline ? 0.25 * length / max(4, shapes[0].diameter / 2) : 2 * length
    }

    /// Returns the tolerance of angles in radians. The width of an outline is a factor.
    private func angleTolerance(_ kind: ShapeKind, _ poses: [ShapePose], _ shapes: [ObservedShape]) -> Double {
        let size = kind == .outline ? shapes[0].diameter : poses.map { max($0.width, $0.height) }.max() ?? 1
        return max(ObjectBuilder.tolerances.angle, 1.5 * ObjectBuilder.tolerances.length * pixel / max(1, size))
    }

    /// - Parameter isPosition: true for positions, whose errors are random. Those of sizes depend
    ///   on how edges lie between pixels, and are alike in each period.
    func curve(
        _ samples: ValueSamples, _ tolerance: Double, accumulates: Bool = false, isPosition: Bool = false,
        isSize: Bool = false, breaks: [Double] = []
    ) -> KeyframeCurve {
        var fitter = CurveFitter(tolerance: tolerance, frame: frameStep)
        fitter.isLinear = isPosition && model == .linear
        fitter.breaks = breaks
        if isSize { fitter.minNoise = tolerance / ObjectBuilder.sizeMargin }
        let last = duration + frameStep / 2
        guard isPeriodic, let end = samples.times.last, end > last else { return fitter.curve(samples) }
        if let folded = PeriodicSamples(
            samples, period: duration, frame: frameStep, tolerance: tolerance, accumulates: accumulates,
            breaks: breaks)
        {
            if isPosition { fitter.repeatedNoise = folded.noise }
            fitter.breaks = breaks.map(folded.folded)
            fitter.reach = folded.unseen
            return folded.repeated(fitter.curve(folded.samples, cycle: folded.cycle))
        }
        let one = samples.slice(-1, last)
        return fitter.curve(one.times.isEmpty ? samples : one)
    }

    /// Returns true if there is a value at a time, or whole periods before or after it.
    private func isKnown(_ time: Double, by known: [Double]) -> Bool {
        isPeriodic
            && known.contains { other in
                let turns = (other - time) / duration
                return abs(turns - turns.rounded()) * duration <= 0.6 * frameStep
            }
    }

    /// Returns the gaps in which an object that shrank is too small to be seen. Removes them from
    /// `gaps`, unless the object is large on one side.
    private func shrinkingGaps(_ gaps: inout Gaps, _ poses: [ShapePose], _ kind: ShapeKind) -> [Gaps.Gap] {
        guard kind != .morph else { return [] }
        func size(_ pose: ShapePose) -> Double { kind.isArc ? pose.extent : max(pose.width, pose.height) }
        let largest = poses.map(size).max() ?? 0
        func isSmall(_ pose: ShapePose?) -> Bool {
            pose.map { size($0) < ObjectBuilder.vanishingShare * largest } ?? false
        }
        var shrunk: [Gaps.Gap] = []
        gaps.hidden.removeAll { gap in
            // An arc without length has a shape, and no pose.
            let before = gap.before.flatMap { frame in poses.last { $0.frame <= frame } }
            let after = gap.after.flatMap { frame in poses.first { $0.frame >= frame } }
            guard isSmall(before) || isSmall(after) else { return false }
            let first = before.map { $0.frame + 1 } ?? gap.frames.lowerBound
            shrunk.append(
                Gaps.Gap(frames: first..<(after?.frame ?? gap.frames.upperBound), before: gap.before, after: gap.after))
            // A large object that vanishes is hidden as well, so the gap remains.
            return [before, after].allSatisfy { $0 == nil || isSmall($0) }
        }
        return shrunk
    }

    /// Makes the line's width a share of the size if that agrees with the measurements: a ring that
    /// grows as a whole is also seen while its line is too thin to be measured.
    private func scaleLine(_ object: inout ReconstructedObject, _ measured: ClearMeasurements) {
        let poses = measured.linePoses
        guard poses.count < measured.poses.count, !object.width.isConstant, !object.lineWidth.isConstant else { return }
        guard let share = poses.map({ $0.lineWidth / max(1e-6, $0.width) }).median,
            let error = poses.map({ abs($0.lineWidth - share * $0.width) }).percentile(90),
            error <= ObjectBuilder.maxLineError * pixel
        else { return }
        object.lineWidth = object.width.map { share * max(0, $0) }
    }

    /// Sets the corner radius, or its share of the width if that varies less; 0 for a radius that
    /// blurred corners explain.
    private func setCorners(_ object: inout ReconstructedObject, _ poses: [ShapePose]) {
        guard let radius = poses.map(\.cornerRadius).median, radius >= 1.1 * pixel else { return }
        let share = poses.map { $0.cornerRadius / max(1e-6, $0.width) }.median ?? 0
        let (fixed, scaled) = poses.reduce((0.0, 0.0)) { sums, pose in
            (sums.0 + abs(pose.cornerRadius - radius), sums.1 + abs(pose.cornerRadius - share * pose.width))
        }
        object.scalesCorners = !object.width.isConstant && scaled < fixed
        object.cornerRadius = object.scalesCorners ? share * object.width.range.upperBound : radius
    }

    /// Sets the traced contours, with keyframes if they change their form.
    private func setOutline(_ object: inout ReconstructedObject, _ track: ClassifiedTrack, _ shapes: [ObservedShape]) {
        object.outline = track.template?.contours ?? []
        guard track.kind == .morph else { return }
        let shown = shapes.filter { times[$0.frame] <= duration + 1e-6 }
        object.morph = MorphFit(tolerance: 0.3 * pixel, times: times).keys(shown)
    }
}
