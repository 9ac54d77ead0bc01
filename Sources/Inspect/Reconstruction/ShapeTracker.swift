import Core

/// A tracker that links the shapes of successive frames into tracks.
struct ShapeTracker {
    private(set) var tracks: [ShapeTrack] = []
    /// The shapes that several objects of one colour form together: one track for each time that
    /// they touch.
    private(set) var joints: [ShapeTrack] = []
    private let background: Channels
    /// The largest contrast of each track so far.
    private var contrasts: [Float] = []

    /// The maximum number of tracks: more than a loader has, fewer than noise and text make.
    static let maxTracks = 200
    /// The maximum number of tracks in `joints`: enough for half an hour in which objects of one
    /// colour touch once a second.
    private static let maxJoints = 2000
    /// The number of frames after which an object that vanished in motion counts as another.
    private static let maxGap = 15
    /// The minimum cosine between contrasts of one object, which may fade but keeps its hue.
    private static let minColorAgreement: Float = 0.9
    /// The difference of colours in codes below which they are of one hue whatever their contrast
    /// to the background, which for faint colours is mostly noise.
    private static let sameColor: Float = 40
    /// The area of a shape, relative to the largest of the objects in it, above which it shows
    /// several of them. An object that covers another wholly has its own area.
    private static let minMergedArea = 1.15

    /// The maximum distance, in pixels of the clip and as a share of the diameter, between the
    /// expected position of an object and a shape in the next frame, or in the first one after
    /// the object touched another.
    private static let nextReach = (pixels: 8.0, share: 0.75)
    /// The same after a gap: less, because it must be the same object that comes back.
    private static let gapReach = (pixels: 4.0, share: 0.3)
    /// The same after a gap, as a share of the larger diameter, if a part of the object is hidden,
    /// whose centre is not that of the whole.
    private static let partReach = 1.2
    /// The distance within which an object that rests is found after more than `maxGap` frames.
    private static let restReach = (pixels: 3.0, share: 0.15)
    /// The maximum change of the area of a whole shape from one frame to the next, as a logarithm:
    /// a factor of 5.
    private static let maxGrowth = 1.6
    /// The weights of the change of the area, up to its limit, and of each missing frame, up to its
    /// limit, in the cost of a pair. A distance of one diameter costs 1, and so does a change of
    /// colour by all 255 codes.
    private static let growthCost = (weight: 0.5, max: 2.0)
    private static let gapCost = (weight: 0.05, max: 10)

    init(background: Channels) { self.background = background }

    /// True if there are too many shapes to be the objects of a loader.
    var isCrowded: Bool { tracks.count > ShapeTracker.maxTracks }

    /// Adds the shapes of a frame; frames must come in order.
    mutating func add(_ shapes: [ObservedShape], frame: Int) {
        var candidates: [(cost: Double, first: Int, second: Int)] = []
        for track in tracks.indices {
            for shape in shapes.indices {
                if let cost = cost(tracks[track], shapes[shape], frame) { candidates.append((cost, track, shape)) }
            }
        }
        var owner = [Int?](repeating: nil, count: shapes.count)
        var isTaken = [Bool](repeating: false, count: tracks.count)
        for (track, shape) in cheapestPairs(candidates) {
            owner[shape] = track
            isTaken[track] = true
        }
        let merged = mergedShapes(shapes, owner, isTaken, frame)
        for index in merged.sorted() { addJoint(shapes[index]) }
        for (index, shape) in shapes.enumerated() where !merged.contains(index) {
            let contrast = (shape.color - background).planeContrast
            if let track = owner[index] {
                tracks[track].append(shape)
                contrasts[track] = max(contrasts[track], contrast)
            } else if tracks.count <= ShapeTracker.maxTracks {
                tracks.append(ShapeTrack(shape))
                contrasts.append(contrast)
            }
        }
    }

    /// Adds a shape that several objects form together.
    private mutating func addJoint(_ shape: ObservedShape) {
        if let index = joints.firstIndex(where: {
            $0.last.frame == shape.frame - 1 && $0.last.box.contains(shape.centroid)
                && isSameHue($0.last.color, shape.color)
        }) {
            joints[index].append(shape)
        } else if joints.count < ShapeTracker.maxJoints {
            joints.append(ShapeTrack(shape))
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
                guard tracks[track].isObject, !isNoise(track, beside: shape) else { return false }
                let wasSeen = tracks[track].last.frame == frame - 1 || tracks[track].mergedFrames.last == frame - 1
                return wasSeen && isSameHue(tracks[track].last.color, shape.color)
                    && shape.box.contains(tracks[track].predictedCentroid(at: frame))
            }
            let largest = inside.map { tracks[$0].last.area }.max() ?? 0
            guard inside.count > 1, shape.area > Self.minMergedArea * largest else { continue }
            merged.insert(index)
            for track in inside { tracks[track].noteMerge(at: frame) }
        }
        return merged
    }

    /// Returns true if a track shows an error of the encoder rather than a part of a shape.
    private func isNoise(_ track: Int, beside shape: ObservedShape) -> Bool {
        tracks[track].last.area < Reconstruction.maxNoise.share * shape.area
            && contrasts[track] < Reconstruction.maxNoise.contrast
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
        let reach =
            isNear
            ? max(Self.nextReach.pixels, Self.nextReach.share * size)
            : isPart
                ? Self.partReach * max(track.maxDiameter, size)
                : max(Self.gapReach.pixels, Self.gapReach.share * size)
        guard distance <= reach, isSameHue(last.color, shape.color) else { return nil }
        let growth = abs(log(shape.area / last.area))
        // An object that moves on while it is hidden is found elsewhere; one that rests is found
        // where it was, at any later time.
        guard gap <= ShapeTracker.maxGap || distance <= max(Self.restReach.pixels, Self.restReach.share * size)
        else { return nil }
        guard gap > 1 || isPart || growth < Self.maxGrowth else { return nil }
        let fade = Double((last.color - shape.color).largest) / 255
        return distance / size + Self.growthCost.weight * min(growth, Self.growthCost.max) + fade
            + Self.gapCost.weight * Double(min(gap - 1, Self.gapCost.max))
    }

    private func isSameHue(_ a: Channels, _ b: Channels) -> Bool {
        let first = a - background
        let second = b - background
        let lengths = (first.dot(first) * second.dot(second)).squareRoot()
        return lengths > 0 && first.dot(second) / lengths >= ShapeTracker.minColorAgreement
            || (a - b).largest < ShapeTracker.sameColor
    }
}

extension Rect {
    func contains(_ point: Point) -> Bool {
        point.x >= x && point.x <= maxX && point.y >= y && point.y <= maxY
    }
}
