import Core

/// The shapes that several objects of one colour form while they touch, such as the neck between
/// two drops.
struct JointShapes {
    private let background: Channels
    private let timing: ClipTiming
    private let builder: ObjectBuilder

    /// The minimum number of frames of such a shape, chosen to exclude compression noise.
    private static let minFrames = 3
    /// The share of the area covered by objects and shape together that both must cover in each
    /// frame for the objects alone to look like the shape. Pixels at edges make up the rest.
    private static let minShare = 0.95

    /// - Parameter builder: turns the tracks of the shapes into objects.
    init(_ scan: ClipScan, _ timing: ClipTiming, _ builder: ObjectBuilder) {
        background = scan.background
        self.timing = timing
        var builder = builder
        // Outside of its frames, the shape is not behind the objects that form it.
        builder.seen = [:]
        builder.slivers = [:]
        self.builder = builder
    }

    /// Returns the shapes that look different from the objects that form them.
    func objects(_ tracks: [ClassifiedTrack], beside objects: [ReconstructedObject]) -> [ReconstructedObject] {
        tracks.filter { track in
            let shapes = track.track.shapes.filter { $0.frame < timing.times.count }
            guard shapes.count >= JointShapes.minFrames else { return false }
            let parts = objects.filter { isPart($0, of: shapes[0]) }
            let check = ReconstructionCheck(
                track.track, over: background, times: timing.times, duration: timing.duration)
            return check.minShare(parts) < JointShapes.minShare
        }.compactMap(builder.object)
    }

    /// Returns true if an object has the colour of a shape when the shape first appears.
    private func isPart(_ object: ReconstructedObject, of shape: ObservedShape) -> Bool {
        let time = timing.times[shape.frame]
        let color = object.visibleColor(at: time, over: background)
        return (color - shape.color).largest <= Channels.maxObjectDifference
    }
}
