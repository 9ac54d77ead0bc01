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
    /// The number of successive frames up to the last shape, and the largest such number.
    private var run = (last: 1, longest: 1)

    init(_ first: ObservedShape) {
        shapes = [first]
        maxDiameter = first.diameter
        wasAlone = first.isAlone
    }

    /// Creates a track of shapes in the order of their frames. There must be at least one.
    init(_ shapes: [ObservedShape], merged: [Int]) {
        self.init(shapes[0])
        for shape in shapes.dropFirst() { append(shape) }
        mergedFrames = merged
    }

    /// True for an object that was seen as a whole, or for long: not a piece of one behind another.
    var isObject: Bool { wasAlone || run.longest >= ShapeTrack.minRun }

    /// The largest number of successive frames.
    var longestRun: Int { run.longest }

    /// The largest area in square pixels.
    var largestArea: Double { shapes.map(\.area).max() ?? 0 }
    var last: ObservedShape { shapes[shapes.count - 1] }

    mutating func append(_ shape: ObservedShape) {
        run.last = shape.frame == last.frame + 1 ? run.last + 1 : 1
        run.longest = max(run.longest, run.last)
        shapes.append(shape)
        maxDiameter = max(maxDiameter, shape.diameter)
        wasAlone = wasAlone || shape.isAlone
    }

    /// Adds the shapes of another track, which has none in the same frames.
    mutating func append(contentsOf other: ShapeTrack) {
        self = ShapeTrack(
            (shapes + other.shapes).sorted { $0.frame < $1.frame },
            merged: (mergedFrames + other.mergedFrames).sorted())
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
    /// The minimum number of successive frames of an object that is never alone: a tenth of a
    /// second at 60 fps. With fewer, it is a piece of another object.
    private static let minRun = 6
}
