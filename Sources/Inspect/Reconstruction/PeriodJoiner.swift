import Core

/// A joiner of the tracks of one object in successive periods of a clip.
///
/// An object that is seen in a part of the period only, because it fades, shrinks or touches
/// others, has a track in each period. Together, these tracks show when it is visible.
struct PeriodJoiner {
    /// The number of frames in a period.
    let period: Double

    /// The minimum share of agreeing frames among those in which both tracks are seen. In the
    /// others, an object that touches theirs may change its outline.
    private static let minShare = 0.7
    /// The minimum number of frames in which both are seen. The paths of two objects may cross in
    /// fewer.
    private static let minFrames = 3
    /// The distance of centres in pixels, and as a share of the diameter, within which shapes
    /// agree. It allows for errors of outlines, and for the motion in half a frame, since a period
    /// need not be a whole number of frames.
    private static let maxDistance = (pixels: 1.5, share: 0.05)
    /// The ratio of areas within which they agree, and the difference in pixels that small shapes
    /// may have besides: the pixels at an edge are a large part of them.
    private static let maxGrowth = (ratio: 1.2, pixels: 4.0)

    /// Returns the tracks, each with those that repeat it a period later. Tracks must be in the
    /// order of their first frames.
    func joined(_ tracks: [ShapeTrack]) -> [ShapeTrack] {
        var result: [ShapeTrack] = []
        for track in tracks {
            if let index = result.firstIndex(where: { repeats(track, $0) }) {
                result[index].append(contentsOf: track)
            } else {
                result.append(track)
            }
        }
        return result
    }

    /// Returns joined tracks. A frame of the first period in which a track has no shape gets that
    /// of a later period: in a clip's first frame, no object has been seen alone yet, so it is
    /// unknown which ones touch.
    func completed(_ tracks: [ShapeTrack]) -> [ShapeTrack] {
        joined(tracks).map { track in
            var shapes = Dictionary(track.shapes.map { ($0.frame, $0) }) { first, _ in first }
            for var shape in track.shapes {
                let turns = ((Double(shape.frame) + 0.5) / period).rounded(.down)
                shape.frame = max(0, Int((Double(shape.frame) - turns * period).rounded()))
                if shapes[shape.frame] == nil { shapes[shape.frame] = shape }
            }
            return ShapeTrack(shapes.values.sorted { $0.frame < $1.frame }, merged: track.mergedFrames)
        }
    }

    private func repeats(_ later: ShapeTrack, _ earlier: ShapeTrack) -> Bool {
        guard earlier.last.frame < later.shapes[0].frame else { return false }
        var known: [Int: ObservedShape] = [:]
        for shape in earlier.shapes { known[shape.frame] = shape }
        let turns = Int((Double(later.last.frame) / period).rounded(.up))
        var seen = 0
        var agreed = 0
        for shape in later.shapes {
            for turn in stride(from: 1, through: turns, by: 1) {
                let frame = Int((Double(shape.frame) - Double(turn) * period).rounded())
                guard let other = known[frame] else { continue }
                seen += 1
                agreed += agrees(shape, other) ? 1 : 0
                break
            }
        }
        let needed = min(PeriodJoiner.minFrames, later.shapes.count)
        return seen >= needed && Double(agreed) >= PeriodJoiner.minShare * Double(seen)
    }

    private func agrees(_ a: ObservedShape, _ b: ObservedShape) -> Bool {
        let limit = PeriodJoiner.maxDistance.pixels + PeriodJoiner.maxDistance.share * max(a.diameter, b.diameter)
        let maxArea = PeriodJoiner.maxGrowth.ratio * min(a.area, b.area) + PeriodJoiner.maxGrowth.pixels
        return a.centroid.distance(to: b.centroid) <= limit
            && max(a.area, b.area) <= maxArea
            && (a.color - b.color).largest <= Channels.maxObjectDifference
    }
}
