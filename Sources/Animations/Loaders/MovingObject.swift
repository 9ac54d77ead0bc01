import Core

/// An object that moves on a canvas, at one instant. Telemetry lists these objects and annotations
/// point at them.
public struct MovingObject: Sendable, Hashable {
    /// The name in telemetry and machine-readable tables, such as `red`; the same at every instant.
    public let name: String
    /// The name in captions.
    public let title: LocalizedText
    /// The object's colour.
    public let color: Color
    /// The centre in points.
    public let position: Point
    /// The centre of the visible disc in points; differs from `position` only if the disc is drawn
    /// at an offset.
    public let discCenter: Point
    /// The radius of the visible disc in points, including its outline; 0 for a point without a
    /// disc.
    public let radius: Double
    /// The stacking order; 0 is at the back.
    public let depth: Int
    /// The current step of the object's motion, counted from 0; nil if it has no steps.
    public let step: Int?
    /// The direction in that step: -1, 0 or +1.
    public let direction: Int?
    /// The velocity in points per second; nil if it follows from the positions. Needed for motion
    /// in timer steps, where positions jump.
    public let velocity: Point?
    /// The side of the object on which its name is drawn.
    public let labelSide: LabelSide
    /// The scale, rotation and opacity, if known.
    public var pose: Pose?
    /// False if the loader knows that the object is invisible at this time.
    package var isVisible = true
    /// The drawn part of a stroke that an animated Trim Paths draws; nil for other objects.
    package var strokeTrim: StrokeTrim?
    /// False if `position` is only the centre of a stroke's drawn part, where a viewer sees
    /// nothing. Such an object has no arrow, trail or curve.
    package var hasPosition = true

    /// The drawn part of an object's strokes.
    package struct StrokeTrim: Sendable, Hashable {
        /// The starts, ends and offsets of the drawn parts.
        package var limits: [Double]
        /// The mean length of the drawn parts in percent of the strokes.
        package var length: Double

        package init(limits: [Double], length: Double) {
            self.limits = limits
            self.length = length
        }

        /// The change of a stroke.
        package enum Action: Sendable {
            case draws, erases, drawsAndErases
            /// The drawn part keeps its length and moves along the path, as in many spinners.
            case travels
        }

        /// A stroke draws and erases itself if its largest length is this many times the lengths at
        /// the start and the end, or if both of those are this many times its smallest length.
        private static let minGrowth = 1.5
        /// The minimum change of the length, in percent of the path, of a stroke that draws or
        /// erases itself.
        private static let minChange = 1.0

        /// Returns the change of a stroke from its drawn parts at successive times; nil if nothing
        /// changes.
        package static func action(_ parts: [StrokeTrim]) -> Action? {
            let lengths = parts.map(\.length)
            guard let first = lengths.first, let last = lengths.last, let longest = lengths.max(),
                let shortest = lengths.min(), parts.contains(where: { $0.limits != parts[0].limits })
            else { return nil }
            guard longest - shortest >= minChange else { return .travels }
            let isTwofold = longest > minGrowth * max(first, last) || minGrowth * shortest < min(first, last)
            return isTwofold ? .drawsAndErases : last < first ? .erases : .draws
        }
    }

    /// The scale, rotation and opacity of an object.
    public struct Pose: Sendable, Hashable {
        /// The horizontal and vertical scale factors; 1 is the original size.
        public var scale: Point
        /// The clockwise rotation in degrees; above 360 after more than one turn.
        public var rotation: Double
        /// The opacity in 0...1.
        public var opacity: Double

        public init(scale: Point, rotation: Double, opacity: Double) {
            self.scale = scale
            self.rotation = rotation
            self.opacity = opacity
        }
    }

    /// An object at one instant. Lengths are in points, `velocity` in points per second. `title`
    /// defaults to `name`, and `discCenter` to `position`.
    public init(
        _ name: String, title: LocalizedText? = nil, _ color: Color, at position: Point, radius: Double = 0,
        depth: Int = 0, step: Int? = nil, direction: Int? = nil, velocity: Point? = nil, discCenter: Point? = nil,
        labelSide: LabelSide = .right(shift: 0)
    ) {
        self.name = name
        self.title = title ?? LocalizedText(name)
        self.color = color
        self.position = position
        self.discCenter = discCenter ?? position
        self.radius = radius
        self.depth = depth
        self.step = step
        self.direction = direction
        self.velocity = velocity
        self.labelSide = labelSide
    }

    /// Returns the object with another name in captions.
    package func titled(_ title: String) -> MovingObject {
        var object = MovingObject(
            name, title: LocalizedText(title), color, at: position, radius: radius, depth: depth, step: step,
            direction: direction, velocity: velocity, discCenter: discCenter, labelSide: labelSide)
        object.pose = pose
        object.isVisible = isVisible
        return object
    }
}

/// A named point of a geometric construction. The name comes from the source article and is the
/// same in all languages.
public struct Landmark: Sendable, Hashable {
    /// The article's name, such as `rightPathC`.
    public let name: String
    /// The position in points.
    public let position: Point
    /// The name of the object whose centre this point is, if any; both then share one label.
    public let object: String?
    /// The side of the point on which its name is drawn.
    public let labelSide: LabelSide

    /// A point at one instant; the position is in points.
    public init(
        _ name: String, _ position: Point, labelSide: LabelSide = .right(shift: 0), centerOf object: String? = nil
    ) {
        self.name = name
        self.position = position
        self.labelSide = labelSide
        self.object = object
    }
}

/// A thin line of a construction, in points of the canvas.
public enum ConstructionLine: Sendable, Hashable {
    /// Straight lines through the given points.
    case polyline([Point])
    /// The quadratic Bézier curve along which something moves.
    case path(from: Point, control: Point, to: Point)
}

/// The position of a label relative to the object or point that it names. An object keeps its side
/// for the whole animation, so that labels do not jump.
public enum LabelSide: Sendable, Hashable {
    /// Above; each row is one line of text higher.
    case above(row: Int)
    /// Below.
    case below
    /// Below and to the right, clear of every object that passes through the point.
    case belowRight
    /// To the left, `shift` points lower.
    case left(shift: Double)
    /// To the right, `shift` points lower.
    case right(shift: Double)
    /// Away from the canvas's centre; each row is one line of text further out.
    case outward(row: Int)
    /// At the object's distance from the canvas's centre, rotated about it clockwise by an angle in
    /// radians.
    case turned(Double)
    /// To the left of the object's direction of motion.
    case leftHand
    /// In a column beside everything that is drawn, with a line to the object.
    case margin
}
