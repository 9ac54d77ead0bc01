import Loaders
import Motion
import Scene

/// Where everything is in every frame of a clip, from the model: exact, not measured.
public struct Telemetry: Sendable {
    /// One object in one frame.
    public struct Sample: Sendable, Hashable {
        /// The frame, counted from 0.
        public let frame: Int
        /// When the clip shows it, in seconds; exact.
        public let time: Rational
        /// The model time that it shows, in seconds; exact.
        public let modelTime: Rational
        /// The phase at that time, counted from 0.
        public let phase: Int
        /// The object's name.
        public let object: String
        /// The object's centre in points.
        public let position: Point
        /// Its velocity in points per second of model time.
        public let velocity: Point
        /// Radius in points of the disc one sees; 0 for a point without a disc.
        public let radius: Double
        /// What lies in front of what: 0 is at the back.
        public let depth: Int
        /// How the object is scaled, turned and faded, if its loader says so.
        public let pose: MovingObject.Pose?
    }

    private let loader: any Loader
    private let timeMap: TimeMap
    private let frameRate: FrameRate

    /// The telemetry of a clip of a loader.
    public init(_ loader: any Loader, timeMap: TimeMap, frameRate: FrameRate) {
        (self.loader, self.timeMap, self.frameRate) = (loader, timeMap, frameRate)
    }

    /// Frames in the clip.
    public var frameCount: Int { timeMap.frameCount }

    /// Whether its samples say how objects are scaled, turned and faded.
    public var hasPoses: Bool { loader.objects(at: .zero).contains { $0.pose != nil } }

    /// The objects in a frame, in the order of `Loader.objects(at:)`.
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
