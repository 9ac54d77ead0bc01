import Core

/// A joiner of the tracks of one object that jumps back to the beginning of its motion.
///
/// Several such objects may look alike. Each is known by its path: the next track leads to the
/// position where the one before it ended.
struct RestartJoiner {
    /// The difference of colours in codes within which tracks may show one object: a little more
    /// than within one area (`ForegroundComponent.sameColor`).
    private static let maxColorDifference: Float = 24
    /// The maximum ratio of the areas before and after the jump.
    private static let maxGrowth = 1.12
    /// The distance in pixels, and as a share of the diameter, within which a path leads to a
    /// position.
    private static let reach = (pixels: 2.0, share: 0.1)
    /// The largest area of what the encoder leaves at the old position, as a share of the object's.
    private static let maxGhost = 0.5

    /// Returns the tracks in the order of their first frames, with one for each object.
    func joined(_ tracks: [ShapeTrack]) -> [ShapeTrack] {
        var result: [ShapeTrack] = []
        for track in tracks.sorted(by: { $0.shapes[0].frame < $1.shapes[0].frame }) {
            var isJoined = false
            for index in result.indices {
                guard let whole = joined(result[index], track) else { continue }
                result[index] = whole
                isJoined = true
                break
            }
            if !isJoined { result.append(track) }
        }
        return result
    }

    /// Returns both tracks as one; nil if the second does not begin where the object of the first
    /// jumps to.
    private func joined(_ first: ShapeTrack, _ second: ShapeTrack) -> ShapeTrack? {
        let start = second.shapes[0]
        guard let index = first.shapes.lastIndex(where: { $0.frame < start.frame }) else { return nil }
        let end = first.shapes[index]
        guard end.frame == start.frame - 1, end.isAlone, start.isAlone,
            first.shapes[(index + 1)...].allSatisfy({ $0.area < Self.maxGhost * end.area }),
            (end.color - start.color).largest <= Self.maxColorDifference,
            max(end.area, start.area) <= Self.maxGrowth * min(end.area, start.area),
            leads(second, to: end) || leads(first, to: start)
        else { return nil }
        var whole = ShapeTrack(
            Array(first.shapes[...index]), merged: first.mergedFrames.filter { $0 < start.frame })
        whole.append(contentsOf: second)
        return whole
    }

    /// Returns true if an object is at a shape's position in some frame.
    private func leads(_ track: ShapeTrack, to shape: ObservedShape) -> Bool {
        let limit = max(Self.reach.pixels, Self.reach.share * shape.diameter)
        return track.shapes.contains { $0.centroid.distance(to: shape.centroid) <= limit }
    }
}
