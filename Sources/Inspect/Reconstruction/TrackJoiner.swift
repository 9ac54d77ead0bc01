import Core

/// A joiner of the tracks of one object that was hidden in between.
struct TrackJoiner {
    /// Pixels of the clip per pixel of the view.
    let pixel: Double

    /// The distance in pixels of the view within which positions and sizes are equal.
    private static let maxDistance = 1.5

    /// Joins tracks of one kind, size, line width and colour that rest and share no frame, if they
    /// are at one position or together cover each frame without a gap.
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
        let first = kind(a)
        let second = kind(b)
        guard let last = a.poses.last, let next = b.poses.first, first == second, first != .morph, first != .outline,
            rests(a), rests(b), shareNoFrame(a.track, b.track)
        else { return false }
        let distance = TrackJoiner.maxDistance * pixel
        return (jumps(a.track, b.track) || last.center.distance(to: next.center) < distance)
            && abs(last.width - next.width) < distance && abs(last.height - next.height) < distance
            && abs(last.lineWidth - next.lineWidth) < distance
            && (a.track.last.color - b.track.shapes[0].color).largest < Channels.maxObjectDifference
    }

    /// Returns true if no frame shows both.
    private func shareNoFrame(_ a: ShapeTrack, _ b: ShapeTrack) -> Bool {
        Set(a.shapes.map(\.frame)).isDisjoint(with: b.shapes.map(\.frame))
    }

    /// Returns true if each frame of the tracks shows one of them, as if an object jumped between
    /// positions.
    private func jumps(_ a: ShapeTrack, _ b: ShapeTrack) -> Bool {
        let frames = (a.shapes + b.shapes).map(\.frame)
        guard let first = frames.min(), let last = frames.max() else { return false }
        return last - first + 1 == frames.count
    }

    /// Returns the kind, with `.ring` for every arc: an arc that closes becomes a ring.
    private func kind(_ track: ClassifiedTrack) -> ShapeKind {
        track.kind == .ring || track.kind.isArc ? .ring : track.kind
    }

    /// Returns true if an object does not move, but for jumps.
    private func rests(_ track: ClassifiedTrack) -> Bool {
        let steps = zip(track.poses, track.poses.dropFirst()).map { $0.center.distance(to: $1.center) }
        let moving = steps.filter { $0 >= TrackJoiner.maxDistance * pixel }
        guard moving.isEmpty else { return moving.count * 5 < steps.count && !moves(track, steps) }
        guard let box = Rect(enclosing: track.poses.map(\.center)) else { return false }
        return max(box.width, box.height) < TrackJoiner.maxDistance * pixel
    }

    /// Returns true if an object moves between its jumps.
    private func moves(_ track: ClassifiedTrack, _ steps: [Double]) -> Bool {
        let slow = steps.filter { $0 < TrackJoiner.maxDistance * pixel }
        return slow.reduce(0, +) / Double(max(1, slow.count)) > 0.1 * pixel
    }

    private func joined(_ a: ClassifiedTrack, _ b: ClassifiedTrack) -> ClassifiedTrack {
        var track = a.track
        track.append(contentsOf: b.track)
        var poses: [ShapePose] = []
        for pose in (a.poses + b.poses).sorted(by: { $0.frame < $1.frame }) {
            let isRing = pose.extent >= 2 * .pi
            poses.append(kind(a) == .ring ? RotationTracking.continuedArc(pose, after: poses, isRing: isRing) : pose)
        }
        return ClassifiedTrack(
            kind: a.kind.isArc ? a.kind : b.kind, poses: poses, template: a.template, track: track)
    }
}
