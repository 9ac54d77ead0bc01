import Core

/// A joiner of tracks that show one object alternately.
///
/// An object that others cover may be seen in pieces, and one of them may begin a track of its own,
/// which later continues with the whole object.
struct SplitJoiner {
    /// The shapes of all objects by frame.
    var seen: [Int: [ObservedShape]] = [:]

    /// The maximum ratio of the median diameters of tracks that may show one object.
    private static let maxGrowth = 1.12
    /// The share of an object's area below which a piece of it tells nothing.
    private static let minPiece = 0.1
    /// The share of a track's frames in which the other may show a piece.
    private static let maxShared = 0.15
    /// The distance in diameters by which an object moves from one track to the other, and the
    /// number of frames that it may take: a quarter of a second at 60 fps.
    private static let reach = (diameters: 1.5, frames: 15)

    /// The number of frames for which an object may be behind another: one and a half seconds at 60
    /// fps. And the share of them in which the other must be on its way.
    private static let maxHidden = 90
    private static let minCovered = 0.9

    /// Returns the tracks, with those that show one object joined.
    func joined(_ tracks: [ShapeTrack]) -> [ShapeTrack] {
        var result: [ShapeTrack] = []
        var left = tracks[...]
        while let first = left.popFirst() {
            var whole = first
            var isLonger = true
            // A track in between may lead from one to another.
            while isLonger {
                isLonger = false
                for index in left.indices {
                    guard let both = joined(whole, left[index]) else { continue }
                    whole = both
                    left.remove(at: index)
                    isLonger = true
                    break
                }
            }
            result.append(whole)
        }
        return result
    }

    /// Returns both tracks as one; nil if they show two objects.
    private func joined(_ a: ShapeTrack, _ b: ShapeTrack) -> ShapeTrack? {
        guard let first = reference(a), let second = reference(b),
            (first.color - second.color).largest <= Channels.maxObjectDifference,
            max(first.diameter, second.diameter) <= Self.maxGrowth * min(first.diameter, second.diameter)
        else { return nil }
        let minArea = Self.minPiece * first.area
        func isKnown(_ shape: ObservedShape) -> Bool { shape.isAlone || shape.area >= minArea }
        let own = Dictionary(a.shapes.filter(isKnown).map { ($0.frame, $0) }) { first, _ in first }
        let others = b.shapes.filter(isKnown)
        let shared = others.filter { own[$0.frame] != nil }
        guard Double(shared.count) <= Self.maxShared * Double(min(a.shapes.count, b.shapes.count)),
            shared.allSatisfy({ !$0.isAlone || own[$0.frame]?.isAlone == false })
        else { return nil }
        var largest = own
        for shape in others where shape.area > largest[shape.frame]?.area ?? 0 { largest[shape.frame] = shape }
        let shapes = largest.values.sorted { $0.frame < $1.frame }
        let frames = Set(own.keys)
        for (last, next) in zip(shapes, shapes.dropFirst())
        where frames.contains(last.frame) != frames.contains(next.frame) {
            guard leads(last, to: next, diameter: first.diameter) else { return nil }
        }
        return ShapeTrack(shapes, merged: (a.mergedFrames + b.mergedFrames).sorted())
    }

    /// Returns true if an object that others hide may have moved from one shape to the next: a
    /// little, or behind another object.
    private func leads(_ last: ObservedShape, to next: ObservedShape, diameter: Double) -> Bool {
        guard !last.isAlone || !next.isAlone else { return false }
        let distance = last.centroid.distance(to: next.centroid)
        if next.frame - last.frame <= Self.reach.frames, distance <= Self.reach.diameters * diameter { return true }
        return !last.isAlone && !next.isAlone && next.frame - last.frame <= Self.maxHidden
            && isHidden(from: last, to: next, margin: diameter / 2)
    }

    /// Returns true if a shape of another colour is on the straight line between two shapes at
    /// nearly all times.
    private func isHidden(from last: ObservedShape, to next: ObservedShape, margin: Double) -> Bool {
        let frames = last.frame + 1..<next.frame
        let covered = frames.count { frame in
            let point = last.centroid(towards: next, at: frame)
            return seen[frame, default: []].contains { other in
                other.box.expanded(by: margin).contains(point)
                    && (other.color - last.color).largest > Channels.maxObjectDifference
            }
        }
        return Double(covered) >= Self.minCovered * Double(frames.count)
    }

    /// Returns the shape of median size of those that were seen alone: larger ones may be several
    /// objects.
    private func reference(_ track: ShapeTrack) -> ObservedShape? {
        let alone = track.shapes.filter(\.isAlone).sorted { ($0.area, $0.frame) < ($1.area, $1.frame) }
        return alone.isEmpty ? nil : alone[alone.count / 2]
    }
}
