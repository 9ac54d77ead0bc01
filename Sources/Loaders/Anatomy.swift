import Scene

/// Something that moves on a canvas, at one instant: what telemetry lists and annotations point at.
public struct MovingObject: Sendable, Hashable {
    /// What it is called in telemetry and tables for programs, such as `red`; the same at every instant.
    public let name: String
    /// What it is called in captions.
    public let title: LocalizedText
    /// Its colour.
    public let color: Color
    /// Its centre in points.
    public let position: Point
    /// Where its disc is drawn, in points: at its position, unless that is drawn shifted.
    public let discCenter: Point
    /// Radius in points of the disc one sees, outline included; 0 for a point without a disc.
    public let radius: Double
    /// What lies in front of what: 0 is at the back.
    public let depth: Int
    /// Which step of its own course it is in, counted from 0, if it has steps.
    public let step: Int?
    /// Which way it moves in that step: -1, 0 or +1.
    public let direction: Int?
    /// Its velocity in points per second, if the course gives one that its positions do not show, as in timer steps.
    public let velocity: Point?
    /// On which side of it its name stands.
    public let labelSide: LabelSide
    /// How it is scaled, turned and faded, if that is known.
    public var pose: Pose?

    /// How an object is scaled, turned and faded.
    public struct Pose: Sendable, Hashable {
        /// Factors across and down; 1 leaves it as it is.
        public var scale: Point
        /// Degrees, clockwise; beyond 360 after more than a turn.
        public var rotation: Double
        /// 0...1.
        public var opacity: Double

        /// A pose.
        public init(scale: Point, rotation: Double, opacity: Double) {
            (self.scale, self.rotation, self.opacity) = (scale, rotation, opacity)
        }
    }

    /// An object at one instant; lengths are in points, `velocity` in points per second. Without a `title` it is called by its
    /// name in captions, too; without a `discCenter` its disc is drawn at its position.
    public init(
        _ name: String, title: LocalizedText? = nil, _ color: Color, at position: Point, radius: Double = 0,
        depth: Int = 0, step: Int? = nil, direction: Int? = nil, velocity: Point? = nil, discCenter: Point? = nil,
        labelSide: LabelSide = .right(shift: 0)
    ) {
        (self.name, self.title, self.labelSide) = (name, title ?? LocalizedText(name), labelSide)
        (self.color, self.position, self.radius, self.discCenter) = (color, position, radius, discCenter ?? position)
        (self.depth, self.step, self.direction, self.velocity) = (depth, step, direction, velocity)
    }
}

/// A point of a construction with the name that its article gives it, which is the same in all languages.
public struct Landmark: Sendable, Hashable {
    /// The article's name, such as `rightPathC`.
    public let name: String
    /// Where it is, in points.
    public let position: Point
    /// The name of the object whose centre it is, if it is one's: one label is enough then.
    public let object: String?
    /// On which side of it its name stands.
    public let labelSide: LabelSide

    /// A point at one instant, in points.
    public init(
        _ name: String, _ position: Point, labelSide: LabelSide = .right(shift: 0), centerOf object: String? = nil
    ) {
        (self.name, self.position, self.labelSide, self.object) = (name, position, labelSide, object)
    }
}

/// A thin line of a construction, in points of the canvas.
public enum ConstructionLine: Sendable, Hashable {
    /// Straight lines from corner to corner.
    case polyline([Point])
    /// The quadratic Bézier curve along which something moves.
    case path(from: Point, control: Point, to: Point)
}

/// Where a name goes, seen from what it names. A side never jumps, so that names do not.
public enum LabelSide: Sendable, Hashable {
    /// Above, so many lines higher.
    case above(lane: Int)
    /// Below.
    case below
    /// Below to the right, clear of every object that passes through the point.
    case belowRight
    /// To the left, so many points lower.
    case left(shift: Double)
    /// To the right, so many points lower.
    case right(shift: Double)
    /// Away from the canvas's centre, so many lines further.
    case outward(lane: Int)
    /// As far from the canvas's centre, but turned about it by an angle in radians, clockwise.
    case turned(Double)
    /// To the left of who moves with the object.
    case leftHand
}
