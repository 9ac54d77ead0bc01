import Core

/// The number of periods of a clip after which each of its objects is where it was.
///
/// Objects that look alike take each other's places. Two dots that circle each other look the same
/// after half a turn, and so do two ripples after half of their growth, but neither dot nor ripple
/// has repeated its motion.
struct ObjectCycles {
    private let objects: [ShapeTrack]
    /// The shapes of each object by frame.
    private let seen: [[Int: ObservedShape]]
    /// The period in frames.
    private let lag: Double

    /// The maximum number of periods. More objects in a row move on from one position to the next,
    /// as on a conveyor, which designers repeat at each step.
    private static let maxPeriods = 3
    /// The share of a repetition that the clip must show.
    private static let minRepeated = 1.0 / 3
    /// The minimum area of an object, as a share of the largest.
    private static let minArea = 0.1
    /// The share of a period in which an object may be elsewhere by errors of tracking, and the
    /// share of the other frames in which another object must have taken its place.
    private static let maxMoved = 0.1
    private static let minReplaced = 0.8
    /// The distance in pixels, and as a share of the diameter, and the ratio of the areas as a
    /// logarithm, within which a shape is at its place. Periods are not whole frames.
    private static let reach = (pixels: 2.0, share: 0.1, growth: 0.25)

    /// Nil for objects that touch others of their colour: which is which afterwards is uncertain.
    init?(_ tracks: [ShapeTrack], lag: Double) {
        guard tracks.allSatisfy(\.mergedFrames.isEmpty), lag >= 4 else { return nil }
        let largest = tracks.map(\.largestArea).max() ?? 0
        let objects = tracks.filter { $0.isObject && $0.largestArea >= Self.minArea * largest }
        seen = objects.map { track in
            Dictionary(track.shapes.map { ($0.frame, $0) }, uniquingKeysWith: { first, _ in first })
        }
        self.objects = objects
        self.lag = lag
    }

    /// Returns the number of periods; 1 if the clip is too short to tell.
    func count(frames: Int) -> Int {
        let moved = objects.indices.map { movedFrames($0, after: 1) }
        guard moved.contains(where: isMany), zip(objects.indices, moved).allSatisfy(isReplaced) else { return 1 }
        return (2...Self.maxPeriods).first { number in
            (Double(number) + Self.minRepeated) * lag <= Double(frames)
                && !objects.indices.contains { isMany(movedFrames($0, after: number)) }
        } ?? 1
    }

    private func isMany(_ frames: [Int]) -> Bool { Double(frames.count) > max(2, Self.maxMoved * lag) }

    /// Returns the frames of an object that is elsewhere some periods later.
    private func movedFrames(_ object: Int, after periods: Int) -> [Int] {
        let distance = Int((Double(periods) * lag).rounded())
        return objects[object].shapes.filter { shape in
            let frames = shape.frame + distance - 1...shape.frame + distance + 1
            guard seen[object][shape.frame + distance] != nil else { return false }
            return !frames.contains { seen[object][$0].map { Self.isSame($0, shape) } ?? false }
        }.map(\.frame)
    }

    /// Returns true if other objects are where an object was a period earlier.
    private func isReplaced(_ object: Int, _ moved: [Int]) -> Bool {
        guard isMany(moved) else { return true }
        let replaced = moved.count { frame in
            guard let shape = seen[object][frame] else { return false }
            let later = frame + Int(lag.rounded())
            return seen.contains { other in
                (later - 1...later + 1).contains { other[$0].map { Self.isSame($0, shape) } ?? false }
            }
        }
        return Double(replaced) >= Self.minReplaced * Double(moved.count)
    }

    private static func isSame(_ shape: ObservedShape, _ other: ObservedShape) -> Bool {
        shape.centroid.distance(to: other.centroid) <= max(reach.pixels, reach.share * other.diameter)
            && abs(log(shape.area / other.area)) <= reach.growth
    }
}
