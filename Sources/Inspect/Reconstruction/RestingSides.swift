import Core

/// Rectangles of which one side rests while the opposite one moves, such as progress bars.
extension ObjectBuilder {
    /// The maximum movement of a resting side in nine of ten frames, and the minimum change of the
    /// size, in pixels of the view. Both sides have the errors of an outline.
    private static let anchor = (movement: 1.0, growth: 4.0)
    /// The maximum rotation of a rectangle whose width is horizontal, in radians.
    private static let maxTilt = 0.02

    /// Makes the position follow the size where one side rests, so that both have one timing
    /// function. Alone, the centre has the errors of both sides.
    func anchorSides(_ object: inout ReconstructedObject, _ poses: [ShapePose]) {
        guard object.kind == .rectangle, object.rotation.isConstant, abs(object.rotation.first) < Self.maxTilt else {
            return
        }
        object.x = anchored(object.x, object.width, poses.map { ($0.center.x, $0.width) })
        object.y = anchored(object.y, object.height, poses.map { ($0.center.y, $0.height) })
    }

    /// Returns the curve of a centre that follows the size; the curve itself if no side rests.
    private func anchored(
        _ center: KeyframeCurve, _ size: KeyframeCurve, _ measured: [(center: Double, size: Double)]
    ) -> KeyframeCurve {
        let growth = size.range.upperBound - size.range.lowerBound
        guard !center.isConstant, growth >= Self.anchor.growth * pixel else { return center }
        for side in [-0.5, 0.5] {
            let positions = measured.map { $0.center + side * $0.size }
            guard let low = positions.percentile(5), let high = positions.percentile(95), let middle = positions.median,
                high - low <= Self.anchor.movement * pixel
            else { continue }
            return size.map { middle - side * $0 }
        }
        return center
    }
}
