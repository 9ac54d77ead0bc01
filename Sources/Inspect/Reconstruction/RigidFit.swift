import Core

/// A fit of rectangles of a known size to the visible parts of their outlines.
///
/// If another object hides a part of a rectangle, the rest may look like a smaller rectangle.
extension ShapeClassifier {
    /// The maximum spread of sizes, as a share of the size, and of rotations, in radians, that
    /// counts as constant.
    private static let maxSpread = (size: 0.02, angle: 0.03)
    /// The minimum number of outline points on a side, and their maximum distance from it in pixels
    /// of the view.
    private static let side = (points: 3, distance: 1.0)

    /// Returns the poses of a rectangle. If its size and rotation are constant, fits it again with
    /// that size where others hide a part, and omits frames in which this fails. Leaves other
    /// rectangles unchanged.
    func rigid(_ poses: [ShapePose], _ track: ShapeTrack) -> [ShapePose] {
        var hidden: [Int: ObservedShape] = [:]
        for shape in track.shapes where shape.isPartlyHidden && !shape.isCut { hidden[shape.frame] = shape }
        guard !hidden.isEmpty, let usual = usualPose(poses.filter { hidden[$0.frame] == nil }) else { return poses }
        let measured = hidden.values.compactMap { pose(of: $0, like: usual) }
        return (poses.filter { hidden[$0.frame] == nil } + measured).sorted { $0.frame < $1.frame }
    }

    /// Returns a pose of the median size and rotation; nil if they change.
    private func usualPose(_ poses: [ShapePose]) -> ShapePose? {
        guard poses.count >= 3, var usual = poses.first else { return nil }
        func constant(_ limit: Double, _ value: (ShapePose) -> Double) -> Double? {
            let values = poses.map(value)
            return values.spread ?? 0 <= limit ? values.median : nil
        }
        func limit(_ size: Double) -> Double { max(pixel, Self.maxSpread.size * size) }
        guard let width = constant(limit(usual.width), \.width), let height = constant(limit(usual.height), \.height),
            let rotation = constant(Self.maxSpread.angle, \.rotation)
        else { return nil }
        usual.width = width
        usual.height = height
        usual.rotation = rotation
        usual.cornerRadius = poses.map(\.cornerRadius).median ?? 0
        return usual
    }

    /// Returns the position of a rectangle whose visible outline is that of a shape; nil if too few
    /// of its sides are seen.
    private func pose(of shape: ObservedShape, like usual: ShapePose) -> ShapePose? {
        let points = shape.freePoints(limit: 120)
        var turned = usual
        turned.frame = shape.frame
        turned.center = .zero
        guard points.count >= 8, let box = Rect(enclosing: points.map(turned.local)) else { return nil }
        let (c, s) = (cos(usual.rotation), sin(usual.rotation))
        func placed(_ x: Double, _ y: Double) -> ShapePose {
            var pose = turned
            pose.center = Point(x * c - y * s, x * s + y * c)
            pose.residual = PrimitiveFit.rms(points) { PrimitiveFit.distance($0, fromRectangle: pose) }
            return pose
        }
        let starts = [box.x + usual.width / 2, box.maxX - usual.width / 2].flatMap { x in
            [box.y + usual.height / 2, box.maxY - usual.height / 2].map { placed(x, $0) }
        }
        guard var pose = starts.min(by: { $0.residual < $1.residual }) else { return nil }
        let fit = LeastSquares.fit([pose.center.x, pose.center.y], steps: [1e-3, 1e-3]) { values in
            pose.center = Point(values[0], values[1])
            return points.map { PrimitiveFit.distance($0, fromRectangle: pose) }
        }
        pose.center = Point(fit.parameters[0], fit.parameters[1])
        pose.residual = fit.rms
        pose.isCovered = true
        return pose.residual <= 3 * tolerance(shape) && showsBothSides(of: pose, points) ? pose : nil
    }

    /// Returns true if points lie on a side in either direction.
    private func showsBothSides(of pose: ShapePose, _ points: [Point]) -> Bool {
        func count(_ half: Double, _ coordinate: (Point) -> Double) -> Int {
            points.count { abs(abs(coordinate(pose.local($0))) - half) <= Self.side.distance * pixel }
        }
        return min(count(pose.width / 2, \.x), count(pose.height / 2, \.y)) >= Self.side.points
    }
}
