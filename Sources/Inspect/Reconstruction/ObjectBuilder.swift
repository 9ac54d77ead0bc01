import Core

/// Turns the poses of a track into keyframes.
struct ObjectBuilder {
    let background: Channels
    /// The time of each frame in seconds.
    let times: [Double]
    /// The end of the reconstructed part in seconds.
    let duration: Double
    /// Pixels of the clip per pixel of the view.
    let pixel: Double
    let translucency: Translucency
    /// True if the clip repeats after the duration.
    var isPeriodic = false

    /// The tolerances of keyframes: in pixels of the view, radians, and shares.
    private static let tolerances = (length: 0.14, angle: 0.012, share: 0.012)
    /// The distance in codes of a colour from the line to the background above which an object
    /// changes its colour rather than its opacity.
    private static let colorTolerance: Float = 22
    /// The share of its largest size to which an object shrinks before it vanishes for good.
    private static let vanishingShare = 0.4

    /// The number of periods in which complete motions are sought.
    private static let maxPeriods = 2.6

    /// The index of the first frame after the reconstructed part. One frame more leads on to the
    /// next period.
    var frameLimit: Int {
        let end = isPeriodic ? ObjectBuilder.maxPeriods * duration : duration
        return min(times.count, (times.firstIndex { $0 > end - 1e-6 } ?? times.count) + 1)
    }

    private var frameStep: Double { ClipSurvey.medianStep(times) }

    /// Returns the object, without a name; nil if it is never seen in the reconstructed part.
    func object(_ track: ClassifiedTrack) -> ReconstructedObject? {
        let limit = frameLimit
        let shapes = track.track.shapes.filter { $0.frame < limit }
        let poses = track.poses.filter { $0.frame < limit }
        guard shapes.contains(where: { times[$0.frame] < duration }), !poses.isEmpty else { return nil }
        let end = isPeriodic ? limit : times.firstIndex { $0 > duration - 1e-6 } ?? times.count
        var gaps = Gaps(shapes, merged: Set(track.track.mergedFrames), limit: end)
        let shrinks = shrinkingGaps(&gaps, poses, track.kind)
        let length = ObjectBuilder.tolerances.length * pixel
        let size = poses.map { max($0.width, $0.height) }.max() ?? 1
        let sizeTolerance = track.kind == .outline ? 0.25 * length / max(4, shapes[0].diameter / 2) : length
        var object = ReconstructedObject(
            name: "", kind: track.kind, x: curve(poses, length, \.center.x), y: curve(poses, length, \.center.y),
            width: curve(poses, sizeTolerance, fading: track.kind.isArc ? [] : shrinks, \.width),
            height: curve(poses, sizeTolerance, fading: track.kind.isArc ? [] : shrinks, \.height),
            rotation: MotionCurve(constant: 0), lineWidth: curve(poses, length, \.lineWidth),
            start: MotionCurve(constant: 0), end: MotionCurve(constant: 2 * .pi),
            opacity: MotionCurve(constant: 1), red: MotionCurve(constant: 0), green: MotionCurve(constant: 0),
            blue: MotionCurve(constant: 0))
        let angleTolerance = max(ObjectBuilder.tolerances.angle, 1.5 * length / max(1, size))
        if track.kind != .circle, track.kind != .ring {
            object.rotation = curve(poses, angleTolerance, accumulates: true, \.rotation)
        }
        setArc(&object, poses, track.kind, angleTolerance, fading: shrinks)
        setColor(&object, shapes, gaps)
        setCorners(&object, poses)
        object.outline = track.template?.contours ?? []
        if track.kind == .morph {
            object.morph = MorphFit(tolerance: 0.3 * pixel, times: times).keys(
                shapes.filter { times[$0.frame] <= duration + 1e-6 })
        }
        object.area = shapes.map(\.area).max() ?? 0
        object.coveredShare = Double(poses.count { $0.isCovered } + shapes.count - poses.count) / Double(shapes.count)
        object.guessed = gaps.guessed(poses, times).filter { $0.lowerBound < duration }
        object.deviation = deviation(of: object, from: poses)
        return object
    }

    private func curve(
        _ poses: [ShapePose], _ tolerance: Double, fading gaps: [Gaps.Gap] = [], accumulates: Bool = false,
        _ value: (ShapePose) -> Double
    ) -> MotionCurve {
        let samples = ValueSamples(times: poses.map { times[$0.frame] }, values: poses.map(value))
        return curve(filled(samples, gaps), tolerance, accumulates: accumulates)
    }

    /// Returns samples with those of the gaps in which the value falls to zero.
    private func filled(_ samples: ValueSamples, _ gaps: [Gaps.Gap]) -> ValueSamples {
        let inside = Set(gaps.flatMap(\.frames).map { times[$0] })
        let kept = zip(samples.times, samples.values).filter { !inside.contains($0.0) }
        let samples = ValueSamples(times: kept.map(\.0), values: kept.map(\.1))
        var points = kept.map { (time: $0.0, value: $0.1) }
        var open: [Gaps.Gap] = []
        for gap in gaps {
            let ends = (times[max(0, gap.frames.lowerBound - 1)], times[min(times.count - 1, gap.frames.upperBound)])
            if gap.before != nil, gap.after != nil, let fading = FadingGap(samples, after: ends.0, before: ends.1) {
                points += gap.frames.map { (times[$0], fading.value(at: times[$0])) }
            } else {
                open.append(gap)
            }
        }
        // What is unknown at the ends of the clip may be known from another period.
        let known = points.map(\.time)
        points += open.flatMap(\.frames).filter { !isKnown(times[$0], by: known) }.map { (times[$0], 0) }
        points.sort { $0.time < $1.time }
        return ValueSamples(times: points.map(\.time), values: points.map(\.value))
    }

    private func curve(_ samples: ValueSamples, _ tolerance: Double, accumulates: Bool = false) -> MotionCurve {
        let fitter = CurveFitter(tolerance: tolerance, frame: frameStep)
        let last = duration + frameStep / 2
        guard isPeriodic, let end = samples.times.last, end > last else { return fitter.curve(samples) }
        if let folded = PeriodicSamples(
            samples, period: duration, frame: frameStep, tolerance: tolerance, accumulates: accumulates)
        {
            return folded.repeated(fitter.curve(folded.samples))
        }
        let one = samples.slice(-1, last)
        return fitter.curve(one.times.isEmpty ? samples : one)
    }

    /// True if there is a value at a time, or whole periods before or after it.
    private func isKnown(_ time: Double, by known: [Double]) -> Bool {
        isPeriodic
            && known.contains { other in
                let turns = (other - time) / duration
                return abs(turns - turns.rounded()) * duration <= 0.6 * frameStep
            }
    }

    /// Returns the gaps in which an object that shrank is too small to be seen, and removes them.
    private func shrinkingGaps(_ gaps: inout Gaps, _ poses: [ShapePose], _ kind: ShapeKind) -> [Gaps.Gap] {
        guard kind != .morph else { return [] }
        func size(_ pose: ShapePose) -> Double { kind.isArc ? pose.extent : max(pose.width, pose.height) }
        let largest = poses.map(size).max() ?? 0
        func isSmall(_ frame: Int?) -> Bool {
            guard let frame, let pose = poses.first(where: { $0.frame == frame }) else { return false }
            return size(pose) < ObjectBuilder.vanishingShare * largest
        }
        let shrunk = gaps.hidden.filter { isSmall($0.before) || isSmall($0.after) }
        gaps.hidden.removeAll { isSmall($0.before) || isSmall($0.after) }
        return shrunk
    }

    private func setArc(
        _ object: inout ReconstructedObject, _ poses: [ShapePose], _ kind: ShapeKind, _ tolerance: Double,
        fading gaps: [Gaps.Gap]
    ) {
        guard kind.isArc else { return }
        object.start = curve(poses, tolerance, accumulates: true, \.start)
        object.end = curve(poses, tolerance, accumulates: true) { $0.start + $0.extent }
        guard !gaps.isEmpty else { return }
        // The end meets the start where the arc is too short to be seen.
        let extents = ValueSamples(times: poses.map { times[$0.frame] }, values: poses.map(\.extent))
        let all = filled(extents, gaps)
        let known = Set(extents.times)
        var ends = ValueSamples(times: all.times, values: all.values)
        for (index, time) in all.times.enumerated() {
            let start =
                known.contains(time)
                ? poses.first { times[$0.frame] == time }?.start : Optional(object.start.value(at: time))
            ends.values[index] += start ?? 0
        }
        object.end = curve(ends, tolerance, accumulates: true)
    }

    /// Returns the largest distance of the keyframes' position or size from those that were
    /// measured, and its time.
    private func deviation(of object: ReconstructedObject, from poses: [ShapePose]) -> (distance: Double, time: Double)
    {
        var worst = (distance: 0.0, time: 0.0)
        guard object.kind != .morph else { return worst }
        for pose in poses where !pose.isCovered && times[pose.frame] < duration {
            let time = times[pose.frame]
            let center = Point(object.x.value(at: time), object.y.value(at: time))
            let scale = object.kind == .outline ? object.area.squareRoot() : 1
            let growth = max(
                abs(object.width.value(at: time) - pose.width), abs(object.height.value(at: time) - pose.height))
            let distance = max(center.distance(to: pose.center), growth / 2 * scale)
            if distance > worst.distance { worst = (distance, time) }
        }
        return worst
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

    // MARK: Colour

    /// Sets opacity and colour. An object whose colours lie between one colour and the background
    /// fades; any other changes its colour.
    private func setColor(
        _ object: inout ReconstructedObject, _ shapes: [ObservedShape], _ gaps: Gaps
    ) {
        let largest = shapes.map(\.diameter).max() ?? 0
        // Edges take most of a small shape's colour.
        let clear = shapes.filter { $0.diameter >= min(8 * pixel, 0.9 * largest) }
        let contrasts = clear.map { ($0.color - background).largest }.sorted()
        let strongest = contrasts[contrasts.count * 95 / 100]
        let full = clear.filter { ($0.color - background).largest >= strongest - 3 }
        let color = full.reduce(Channels()) { $0 + $1.color } / Float(full.count)
        let line = color - background
        let shares = clear.map { ($0.color - background).dot(line) / max(1, line.dot(line)) }
        let distance = zip(clear, shares).map { ($0.color - background - line * $1).largest }.sorted()
        var opacities = zip(clear, shares).map { (time: times[$0.frame], value: min(1, Double($1))) }
        if distance[distance.count * 95 / 100] > ObjectBuilder.colorTolerance {
            let times = clear.map { self.times[$0.frame] }
            func channel(_ index: Int) -> MotionCurve {
                let values = clear.map { min(1, max(0, Double($0.color[index]) / 255)) }
                return curve(ValueSamples(times: times, values: values), ObjectBuilder.tolerances.share)
            }
            object.red = channel(0)
            object.green = channel(1)
            object.blue = channel(2)
            opacities = clear.map { (self.times[$0.frame], 1) }
        } else {
            object.red = MotionCurve(constant: min(1, max(0, Double(color.x) / 255)))
            object.green = MotionCurve(constant: min(1, max(0, Double(color.y) / 255)))
            object.blue = MotionCurve(constant: min(1, max(0, Double(color.z) / 255)))
        }
        let seen = ValueSamples(times: opacities.map(\.time), values: opacities.map(\.value))
        object.opacity = curve(filled(seen, gaps.hidden), ObjectBuilder.tolerances.share)
        // A constant is the full opacity of the measured colour.
        if object.opacity.isConstant { object.opacity = MotionCurve(constant: 1) }
        setTranslucency(&object, color)
    }
}

extension ObjectBuilder {
    /// Gives an object that others show through its opacity, and the colour that it then has.
    private func setTranslucency(_ object: inout ReconstructedObject, _ color: Channels) {
        let opacity = translucency.opacity(of: color)
        guard opacity < 1, object.red.isConstant, object.green.isConstant, object.blue.isConstant else { return }
        let own = (color - background * Float(1 - opacity)) / Float(opacity) / 255
        object.red = MotionCurve(constant: min(1, max(0, Double(own.x))))
        object.green = MotionCurve(constant: min(1, max(0, Double(own.y))))
        object.blue = MotionCurve(constant: min(1, max(0, Double(own.z))))
        object.opacity = object.opacity.map { $0 * opacity }
    }
}
