import Core

/// The state of every object in every frame of a clip. The values come from the loader, not from
/// measurements of pixels.
public struct Telemetry: Sendable {
    /// One object in one frame.
    public struct Sample: Sendable, Hashable {
        /// The index of the frame, counted from 0.
        public let frame: Int
        /// The exact presentation time of the frame, in seconds.
        public let time: Rational
        /// The exact model time that the frame shows, in seconds.
        public let modelTime: Rational
        /// The index of the phase at that model time, counted from 0.
        public let phase: Int
        /// The object's name.
        public let object: String
        /// The object's centre in points.
        public let position: Point
        /// The object's velocity in points per second of model time.
        public let velocity: Point
        /// The radius of the visible disc in points; 0 for a point without a disc.
        public let radius: Double
        /// The stacking order; 0 is at the back.
        public let depth: Int
        /// The scale, rotation and opacity, if the loader reports them.
        public let pose: MovingObject.Pose?
    }

    private let loader: any Loader
    private let timeMap: TimeMap
    private let frameRate: FrameRate

    /// The telemetry of a clip of a loader.
    public init(_ loader: any Loader, timeMap: TimeMap, frameRate: FrameRate) {
        self.loader = loader.withAllObjects
        self.timeMap = timeMap
        self.frameRate = frameRate
    }

    /// The number of frames in the clip.
    public var frameCount: Int { timeMap.frameCount }

    /// True if samples have a scale, rotation and opacity.
    public var hasPoses: Bool { loader.objects(at: .zero).contains { $0.pose != nil } }

    /// Returns the objects in a frame, in the order of `Loader.objects(at:)`.
    public func samples(ofFrame frame: Int) -> [Sample] {
        let modelTime = timeMap.modelTime(ofFrame: frame).modulo(loader.period)
        let phase = loader.phase(at: modelTime).index
        return zip(loader.objects(at: modelTime), loader.velocities(at: modelTime)).map { object, velocity in
            Sample(
                frame: frame, time: frameRate.frameDuration * Rational(frame), modelTime: modelTime, phase: phase,
                object: object.name, position: object.position, velocity: velocity, radius: object.radius,
                depth: object.depth, pose: object.pose)
        }
    }
}
