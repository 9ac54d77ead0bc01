import Core

extension ObjectBuilder {
    /// The distance in pixels of the view, and as a share of the extent of a motion, by which its
    /// keyframes may leave the measured positions while it is hidden.
    private static let maxStray = (pixels: 8.0, share: 0.5)

    /// Returns the largest distance of the keyframes' position or size from those that were
    /// measured, and its time.
    func deviation(of object: ReconstructedObject, from poses: [ShapePose]) -> (distance: Double, time: Double) {
        var worst = (distance: 0.0, time: 0.0)
        guard object.kind != .morph else { return worst }
        let scale = object.kind == .outline ? object.area.squareRoot() : 1
        func distance(_ pose: ShapePose, at time: Double) -> Double {
            let center = Point(object.x.value(at: time), object.y.value(at: time))
            let growth = max(
                abs(object.width.value(at: time) - pose.width), abs(object.height.value(at: time) - pose.height))
            return max(center.distance(to: pose.center), growth / 2 * scale)
        }
        for pose in poses where !pose.isCovered && times[pose.frame] < duration {
            let time = times[pose.frame]
            // Keyframes of jumps are rounded.
            let nearest = [0, frameStep / 4, -frameStep / 4].map { distance(pose, at: time + $0) }.min() ?? 0
            if nearest > worst.distance { worst = (nearest, time) }
        }
        for away in [strays(object.x, poses.map(\.center.x)), strays(object.y, poses.map(\.center.y))]
        where away.distance > worst.distance {
            worst = away
        }
        return worst
    }

    /// Returns the largest distance of a keyframe from the range of the measured positions, with
    /// its time; 0 if all keyframes are within `maxStray`. Such a motion is extrapolated, not seen.
    private func strays(_ curve: KeyframeCurve, _ values: [Double]) -> (distance: Double, time: Double) {
        guard let low = values.min(), let high = values.max() else { return (0, 0) }
        let margin = max(ObjectBuilder.maxStray.pixels * pixel, ObjectBuilder.maxStray.share * (high - low))
        let far = curve.keys.filter {
            $0.time >= 0 && $0.time <= duration && !(low - margin...high + margin ~= $0.value)
        }
        let worst = far.map { (distance: max(low - $0.value, $0.value - high), time: $0.time) }
        return worst.max { $0.distance < $1.distance } ?? (0, 0)
    }
}

extension ReconstructedObject {
    /// The deviation above which a difference is visible, in pixels of the view and as a share of
    /// the object's size.
    static let maxDeviation = (pixels: 2.0, share: 0.08)

    /// Returns true if the keyframes visibly miss the measured values.
    ///
    /// - Parameter pixel: the size of a pixel of the view in pixels of the clip.
    func isVisiblyOff(pixel: Double) -> Bool {
        deviation.distance > max(Self.maxDeviation.pixels * pixel, Self.maxDeviation.share * area.squareRoot())
    }
}
