import Core

/// The shapes of one object over time.
struct ShapeTrack {
    /// The shapes in the order of their frames, at most one per frame.
    private(set) var shapes: [ObservedShape]
    /// The largest diameter so far.
    private(set) var maxDiameter: Double
    /// Frames in which the object touched another of its colour, so that its own shape is unknown.
    private(set) var mergedFrames: [Int] = []
    /// True if the object was seen without a neighbour.
    private var wasAlone: Bool

    init(_ first: ObservedShape) {
        shapes = [first]
        maxDiameter = first.diameter
        wasAlone = first.isAlone
    }

    /// Creates a track of shapes in the order of their frames.
    init(_ shapes: [ObservedShape], merged: [Int]) {
        self.shapes = shapes
        maxDiameter = shapes.map(\.diameter).max() ?? 0
        mergedFrames = merged
        wasAlone = shapes.contains(where: \.isAlone)
    }

    /// True for an object that was seen as a whole, or for long: not a piece of one behind another.
    var isObject: Bool { wasAlone || shapes.count >= ShapeTrack.minPieces }

    /// The largest area in square pixels.
    var largestArea: Double { shapes.map(\.area).max() ?? 0 }
    var last: ObservedShape { shapes[shapes.count - 1] }

    mutating func append(_ shape: ObservedShape) {
        shapes.append(shape)
        maxDiameter = max(maxDiameter, shape.diameter)
        wasAlone = wasAlone || shape.isAlone
    }

    /// Adds the shapes of another track, which has none in the same frames.
    mutating func append(contentsOf other: ShapeTrack) {
        shapes = (shapes + other.shapes).sorted { $0.frame < $1.frame }
        maxDiameter = max(maxDiameter, other.maxDiameter)
        wasAlone = wasAlone || other.wasAlone
        mergedFrames = (mergedFrames + other.mergedFrames).sorted()
    }

    mutating func noteMerge(at frame: Int) { mergedFrames.append(frame) }

    /// Returns the expected centre in a frame, from the last two shapes if they are consecutive.
    func predictedCentroid(at frame: Int) -> Point {
        guard shapes.count > 1, frame - last.frame <= ShapeTrack.maxPrediction else { return last.centroid }
        let before = shapes[shapes.count - 2]
        let step = (last.centroid - before.centroid) * (1 / Double(last.frame - before.frame))
        return last.centroid + step * Double(frame - last.frame)
    }

    /// The maximum number of frames over which a motion is extrapolated: a fifth of a second at
    /// 60 fps. Chosen by hand for two balls that pass each other.
    private static let maxPrediction = 12
    /// The minimum number of frames of an object that is never alone: a tenth of a second at 60
    /// fps. With fewer, it is a piece of another object.
    private static let minPieces = 6
}

/// Links the shapes of successive frames to tracks.
struct ShapeTracker {
    private(set) var tracks: [ShapeTrack] = []
    private let background: Channels

    /// The maximum number of tracks: more than a loader has, fewer than noise and text make.
    static let maxTracks = 200
    /// The number of frames after which an object that vanished in motion counts as another.
    private static let maxGap = 15
    /// The minimum cosine between contrasts of one object, which may fade but keeps its hue.
    private static let minColorAgreement: Float = 0.9

    init(background: Channels) { self.background = background }

    /// True if there are too many shapes to be the objects of a loader.
    var isCrowded: Bool { tracks.count > ShapeTracker.maxTracks }

    /// Adds the shapes of a frame; frames must come in order.
    mutating func add(_ shapes: [ObservedShape], frame: Int) {
        var pairs: [(cost: Double, track: Int, shape: Int)] = []
        for track in tracks.indices {
            for shape in shapes.indices {
                if let cost = cost(tracks[track], shapes[shape], frame) { pairs.append((cost, track, shape)) }
            }
        }
        pairs.sort { ($0.cost, $0.track, $0.shape) < ($1.cost, $1.track, $1.shape) }
        var owner = [Int?](repeating: nil, count: shapes.count)
        var isTaken = [Bool](repeating: false, count: tracks.count)
        for pair in pairs where owner[pair.shape] == nil && !isTaken[pair.track] {
            owner[pair.shape] = pair.track
            isTaken[pair.track] = true
        }
        let merged = mergedShapes(shapes, owner, isTaken, frame)
        for (index, shape) in shapes.enumerated() where !merged.contains(index) {
            if let track = owner[index] {
                tracks[track].append(shape)
            } else if tracks.count <= ShapeTracker.maxTracks {
                tracks.append(ShapeTrack(shape))
            }
        }
    }

    /// Returns the shapes that several objects of one colour form together, and notes them in the
    /// objects' tracks.
    private mutating func mergedShapes(
        _ shapes: [ObservedShape], _ owner: [Int?], _ isTaken: [Bool], _ frame: Int
    ) -> Set<Int> {
        var merged: Set<Int> = []
        for (index, shape) in shapes.enumerated() {
            let inside = tracks.indices.filter { track in
                guard track == owner[index] || !isTaken[track] else { return false }
                guard tracks[track].isObject else { return false }
                let wasSeen = tracks[track].last.frame == frame - 1 || tracks[track].mergedFrames.last == frame - 1
                return wasSeen && isSameHue(tracks[track].last.color, shape.color)
                    && shape.box.contains(tracks[track].predictedCentroid(at: frame))
            }
            let largest = inside.map { tracks[$0].last.area }.max() ?? 0
            guard inside.count > 1, shape.area > 1.15 * largest else { continue }
            merged.insert(index)
            for track in inside { tracks[track].noteMerge(at: frame) }
        }
        return merged
    }

    /// Returns a measure of the difference between an object and a shape; nil if they cannot be the
    /// same.
    private func cost(_ track: ShapeTrack, _ shape: ObservedShape, _ frame: Int) -> Double? {
        let last = track.last
        let gap = frame - last.frame
        let size = max(last.diameter, shape.diameter)
        let distance = min(
            track.predictedCentroid(at: frame).distance(to: shape.centroid),
            gap == 1 ? .infinity : last.centroid.distance(to: shape.centroid))
        let isMerged = track.mergedFrames.last == frame - 1
        let isPart = !last.isAlone || !shape.isAlone
        let isNear = gap == 1 || isMerged
        let reach = isNear ? max(8, 0.75 * size) : isPart ? 1.2 * max(track.maxDiameter, size) : max(4, 0.3 * size)
        guard distance <= reach, isSameHue(last.color, shape.color) else { return nil }
        let growth = abs(log(shape.area / last.area))
        // An object that moves on while it is hidden is found elsewhere; one that rests is found
        // where it was, at any later time.
        guard gap <= ShapeTracker.maxGap || distance <= max(3, 0.15 * size) else { return nil }
        guard gap > 1 || isPart || growth < 1.6 else { return nil }
        let fade = Double((last.color - shape.color).largest) / 255
        return distance / size + 0.5 * min(growth, 2) + fade + 0.05 * Double(min(gap - 1, 10))
    }

    private func isSameHue(_ a: Channels, _ b: Channels) -> Bool {
        let first = a - background
        let second = b - background
        let lengths = (first.dot(first) * second.dot(second)).squareRoot()
        return lengths > 0 && first.dot(second) / lengths >= ShapeTracker.minColorAgreement
            || (a - b).largest < 40
    }
}

extension Rect {
    func contains(_ point: Point) -> Bool {
        point.x >= x && point.x <= maxX && point.y >= y && point.y <= maxY
    }
}
