import Core

/// Joins tracks of one object that was hidden in between.
struct TrackJoiner {
    /// Pixels of the clip per pixel of the view.
    let pixel: Double

    /// The distance in pixels of the view within which positions and sizes are equal.
    private static let maxDistance = 1.5
    /// The difference of colours in codes within which they are equal.
    private static let maxColorDifference: Float = 24

    /// Returns the tracks with those joined that are never seen together, do not move, and have one
    /// place, size and colour.
    func joined(_ tracks: [ClassifiedTrack]) -> [ClassifiedTrack] {
        var result: [ClassifiedTrack] = []
        for track in tracks {
            if let index = result.firstIndex(where: { isSame($0, track) }) {
                result[index] = joined(result[index], track)
            } else {
                result.append(track)
            }
        }
        return result
    }

    private func isSame(_ a: ClassifiedTrack, _ b: ClassifiedTrack) -> Bool {
        let (first, second) = (kind(a), kind(b))
        guard let last = a.poses.last, let next = b.poses.first, first == second, first != .morph, first != .outline,
            a.track.last.frame < b.track.shapes[0].frame, isStill(a), isStill(b)
        else { return false }
        let distance = TrackJoiner.maxDistance * pixel
        return last.center.distance(to: next.center) < distance && abs(last.width - next.width) < distance
            && abs(last.height - next.height) < distance && abs(last.lineWidth - next.lineWidth) < distance
            && (a.track.last.color - b.track.shapes[0].color).largest < TrackJoiner.maxColorDifference
    }

    /// The kind, with closed rings as arcs.
    private func kind(_ track: ClassifiedTrack) -> ShapeKind {
        track.kind == .ring || track.kind.isArc ? .ring : track.kind
    }

    private func isStill(_ track: ClassifiedTrack) -> Bool {
        guard let box = Rect(enclosing: track.poses.map(\.center)) else { return false }
        return max(box.width, box.height) < TrackJoiner.maxDistance * pixel
    }

    private func joined(_ a: ClassifiedTrack, _ b: ClassifiedTrack) -> ClassifiedTrack {
        var track = a.track
        for shape in b.track.shapes { track.append(shape) }
        for frame in b.track.mergedFrames { track.noteMerge(at: frame) }
        var poses = a.poses
        for pose in b.poses {
            let isRing = b.kind == .ring
            poses.append(kind(a) == .ring ? RotationTracking.continuedArc(pose, after: poses, isRing: isRing) : pose)
        }
        return ClassifiedTrack(
            kind: a.kind.isArc ? a.kind : b.kind, poses: poses, template: a.template, track: track)
    }
}
