import Core

/// A transform over frames, taken apart: scale, then skew along the x axis, then rotation, then
/// translation.
struct TransformTrack {
    /// x and y in points.
    let translation: Channel
    /// Degrees, clockwise.
    let rotation: Channel
    /// The slope of the y axis as an angle in degrees.
    let skew: Channel
    /// The factors of both axes.
    let scale: Channel

    /// Takes the transforms of a track apart.
    ///
    /// - Parameters:
    ///   - reach: the maximum distance of the transformed nodes from the origin, in their own
    ///     coordinates.
    ///   - tolerance: the maximum error in the outer coordinates.
    init(_ samples: [(frame: Int, transform: AffineTransform)], frameCount: Int, reach: Double, tolerance: Double) {
        var translations: [(frame: Int, values: [Double])] = []
        var rotations: [(frame: Int, values: [Double])] = []
        var skews: [(frame: Int, values: [Double])] = []
        var scales: [(frame: Int, values: [Double])] = []
        var angle = 0.0
        for (frame, matrix) in samples {
            let width = hypot(matrix.a, matrix.b)
            if width > 1e-9 { angle = atan2(matrix.b, matrix.a) }
            // The second column in coordinates rotated back by the angle.
            let along = cos(angle) * matrix.c + sin(angle) * matrix.d
            let height = cos(angle) * matrix.d - sin(angle) * matrix.c
            let slope = abs(height) > 1e-9 ? atan2(along * (height < 0 ? -1 : 1), abs(height)) : 0
            translations.append((frame, [matrix.tx, matrix.ty]))
            rotations.append((frame, [angle * 180 / .pi]))
            skews.append((frame, [slope * 180 / .pi]))
            scales.append((frame, [width, height]))
        }
        let size = scales.reduce(1e-6) { max($0, abs($1.values[0]), abs($1.values[1])) }
        let degrees = tolerance / (max(reach, 1e-6) * size) * 180 / .pi
        translation = Channel(translations, frameCount: frameCount, tolerance: tolerance)
        rotation = Channel(rotations, frameCount: frameCount, tolerance: degrees, period: 360)
        skew = Channel(skews, frameCount: frameCount, tolerance: degrees)
        scale = Channel(scales, frameCount: frameCount, tolerance: tolerance / max(reach, 1e-6))
    }
}

extension VectorTrack {
    /// Returns the transform of a group's track.
    func transform(frameCount: Int, tolerance: Double) -> TransformTrack {
        let reach = contentBounds?.corners.reduce(0) { max($0, abs($1.x), abs($1.y)) } ?? 1
        return TransformTrack(
            groups.map { ($0.frame, $0.group.transform) }, frameCount: frameCount, reach: reach, tolerance: tolerance)
    }

    /// Returns the tolerance in the coordinates of a group's nodes.
    func innerTolerance(_ tolerance: Double) -> Double {
        let scale = groups.reduce(0.0) { max($0, $1.group.transform.scales.larger) }
        return scale > 0 ? tolerance / scale : tolerance
    }
}
