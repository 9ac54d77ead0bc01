import Core

extension ObjectBuilder {
    /// Sets the angles at which an arc begins and ends.
    func setArc(
        _ object: inout ReconstructedObject, _ poses: [ShapePose], _ kind: ShapeKind, _ tolerance: Double,
        fading gaps: [Gaps.Gap], _ breaks: [Double]
    ) {
        guard kind.isArc else { return }
        object.start = curve(poses, tolerance, accumulates: true, breaks: breaks, \.start)
        if gaps.isEmpty, let extent = constantExtent(poses, tolerance) {
            object.end = object.start.map { $0 + extent }
            return
        }
        object.end = curve(poses, tolerance, accumulates: true, breaks: breaks) { $0.start + $0.extent }
        guard !gaps.isEmpty else { return }
        // The end meets the start where the arc is too short to be seen.
        let extents = ValueSamples(times: poses.map { times[$0.frame] }, values: poses.map(\.extent))
        let all = filled(extents, gaps)
        let known = Set(extents.times)
        var ends = ValueSamples(times: all.times, values: all.values)
        for (index, time) in all.times.enumerated() {
            let start =
                known.contains(time)
                ? poses.first { times[$0.frame] == time }?.start : Optional(self.start(object, at: time))
            ends.values[index] += start ?? 0
        }
        object.end = curve(ends, tolerance, accumulates: true, breaks: breaks)
    }

    /// Returns the angle that an arc covers; nil if it changes. Its two ends then have one motion.
    private func constantExtent(_ poses: [ShapePose], _ tolerance: Double) -> Double? {
        guard let extent = poses.map(\.extent).median, extent < 2 * .pi else { return nil }
        let radius = (poses.map(\.width).median ?? 0) / 2
        let limit = max(2 * tolerance, pixel / max(1, radius))
        let distance = poses.map { abs($0.extent - extent) }.percentile(95) ?? 0
        return distance <= limit ? extent : nil
    }

    /// Returns the angle at which an arc begins at a time of any period.
    private func start(_ object: ReconstructedObject, at time: Double) -> Double {
        guard isPeriodic else { return object.start.value(at: time) }
        let turns = (time / duration).rounded(.down)
        let growth = object.start.value(at: duration) - object.start.value(at: 0)
        return object.start.value(at: time - turns * duration) + turns * growth
    }
}

extension ReconstructedObject {
    /// The angle that an arc covers over time.
    var extent: KeyframeCurve { end.minus(start, tolerance: ObjectBuilder.tolerances.angle) }
}
