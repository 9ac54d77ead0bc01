import Core

/// A joiner of the tracks of one object that jumps farther than the tracker follows it, as with the
/// timing functions steps and elastic.
///
/// Of an object that is always visible, each frame shows exactly one shape.
struct JumpJoiner {
    /// The maximum ratio of the median diameters of tracks that may show one object.
    private static let maxGrowth = 1.06
    /// The share of the shapes that have the usual size and touch no other object.
    private static let minClear = 0.95

    /// Returns the tracks, with one for each object that jumps in place of those that show it.
    func joined(_ tracks: [ShapeTrack]) -> [ShapeTrack] {
        tracks.grouped(isAlike).flatMap { group -> [ShapeTrack] in
            let shapes = group.flatMap(\.shapes).sorted { $0.frame < $1.frame }
            guard group.count > 1, let first = shapes.first, let last = shapes.last,
                last.frame - first.frame + 1 == shapes.count,
                zip(shapes, shapes.dropFirst()).allSatisfy({ $1.frame == $0.frame + 1 })
            else { return group }
            return [ShapeTrack(shapes, merged: [])]
        }
    }

    private func isAlike(_ a: ShapeTrack, _ b: ShapeTrack) -> Bool {
        guard let first = usual(a), let second = usual(b) else { return false }
        return (first.color - second.color).largest <= Channels.maxObjectDifference
            && max(first.diameter, second.diameter) <= Self.maxGrowth * min(first.diameter, second.diameter)
    }

    /// Returns the shape of median size; nil for an object that others touch, or whose size
    /// changes: one that shrinks and appears elsewhere is a different object.
    private func usual(_ track: ShapeTrack) -> ObservedShape? {
        let sorted = track.shapes.sorted { ($0.area, $0.frame) < ($1.area, $1.frame) }
        let usual = sorted[sorted.count / 2]
        let clear = sorted.count { shape in
            shape.isAlone
                && max(shape.diameter, usual.diameter) <= Self.maxGrowth * min(shape.diameter, usual.diameter)
        }
        return track.mergedFrames.isEmpty && Double(clear) >= Self.minClear * Double(sorted.count) ? usual : nil
    }
}
