import Scene

/// Something that moves on a stage, at one instant: what telemetry lists and annotations point at.
public struct MovingObject: Sendable, Hashable {
    /// What it is called, such as `red`; the same at every instant.
    public let name: String
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
    /// Which stage of its own course it is in, counted from 0, if it has stages.
    public let stage: Int?
    /// Which way it moves in that stage: -1, 0 or +1.
    public let direction: Int?
    /// Its velocity in points per second, if the course gives one that its positions do not show, as in timer steps.
    public let velocity: Point?

    init(
        _ name: String, _ color: Color, at position: Point, radius: Double = 0, depth: Int = 0, stage: Int? = nil,
        direction: Int? = nil, velocity: Point? = nil, discCenter: Point? = nil
    ) {
        self.discCenter = discCenter ?? position
        (self.name, self.color, self.position, self.radius) = (name, color, position, radius)
        (self.depth, self.stage, self.direction, self.velocity) = (depth, stage, direction, velocity)
    }
}

/// A point of a construction with the name that its article gives it.
public struct Landmark: Sendable, Hashable {
    /// The article's name, such as `rightPathC`.
    public let name: String
    /// Where it is, in points.
    public let position: Point

    init(_ name: String, _ position: Point) { (self.name, self.position) = (name, position) }
}
