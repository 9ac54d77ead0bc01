import Core

/// Ellipses and rectangles that change their width and height, and do not turn.
///
/// The longer axis of an ellipse, and the sides of a small or rounded rectangle, have no certain
/// direction while both sizes are nearly equal. Afterwards, a changed width looks like a turned
/// height.
extension ShapeClassifier {
    /// The maximum movement of an outline, in pixels of the view, by a rotation that counts as
    /// none: in 19 of 20 frames, and in every frame. Errors of outlines reach as far.
    private static let maxTurn = (usual: 0.5, single: 1.5)
    /// The share of the shorter side above which a corner radius makes a rectangle's ends round.
    private static let minRoundEnd = 0.4

    /// Returns poses with one rotation if it explains the shapes in all frames, where necessary
    /// with width and height swapped. Returns other poses unchanged.
    func unturned(_ poses: [ShapePose], _ kind: ShapeKind) -> [ShapePose] {
        func radius(_ pose: ShapePose) -> Double { Self.turningRadius(pose, kind) }
        guard let clearest = poses.max(by: { radius($0) < radius($1) }) else { return poses }
        let quarter = Double.pi / 2
        let rotation = clearest.rotation - (clearest.rotation / quarter).rounded() * quarter
        var turns: [Double] = []
        let steady = poses.map { pose -> ShapePose in
            let quarters = ((pose.rotation - rotation) / quarter).rounded()
            turns.append(abs(pose.rotation - rotation - quarters * quarter) * radius(pose))
            var steady = pose
            steady.rotation = rotation
            if quarters.truncatingRemainder(dividingBy: 2) != 0 { swap(&steady.width, &steady.height) }
            return steady
        }
        let isSteady =
            turns.percentile(95) ?? 0 <= Self.maxTurn.usual * pixel
            && turns.allSatisfy { $0 <= Self.maxTurn.single * pixel }
        return isSteady && !jumpsByQuarters(steady) ? steady : poses
    }

    /// Returns the distance that a point of the outline moves in a rotation by one radian.
    private static func turningRadius(_ pose: ShapePose, _ kind: ShapeKind) -> Double {
        let isRound = pose.cornerRadius > minRoundEnd * min(pose.width, pose.height)
        let difference = abs(pose.width - pose.height) / 2
        return kind == .ellipse || isRound ? difference : max(pose.width, pose.height) / 2
    }

    /// Returns true if width and height are swapped between two frames: a rotation in steps.
    private func jumpsByQuarters(_ poses: [ShapePose]) -> Bool {
        zip(poses, poses.dropFirst()).contains { pose, next in
            let difference = pose.width - pose.height
            let isReversed = difference * (next.width - next.height) < 0
            return isReversed && abs(difference) > Self.maxTurn.single * pixel
                && abs(next.width - pose.width) > abs(difference) / 2
                && abs(next.height - pose.height) > abs(difference) / 2
        }
    }
}
