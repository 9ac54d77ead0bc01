import Scene

/// An entry of a shape layer's contents, first what is on top.
indirect enum ShapeItem: Sendable {
    case group(ShapeGroup)
    case path(Property<Contour>, isReversed: Bool)
    case primitive(PrimitiveShape, isReversed: Bool)
    case style(ShapeStyle)
    case modifier(PathModifier)
    case repeater(Repeater)
}

/// Items that are placed and faded together.
struct ShapeGroup: Sendable {
    var name: String
    var items: [ShapeItem]
    var transform: LayerTransform
    var blendMode: BlendMode
}

/// What paths are painted with: a fill or a stroke.
struct ShapeStyle: Sendable {
    enum Paint: Sendable {
        /// Red, green and blue, 0...1.
        case color(Property<[Double]>)
        case gradient(GradientModel)
    }

    struct Line: Sendable {
        var width: Property<Double>
        var cap: Stroke.Cap
        var join: Stroke.Join
        var miterLimit: Property<Double>
        /// Lengths of pieces and gaps in turn.
        var dashes: [Property<Double>]
        var dashOffset: Property<Double>
    }

    var paint: Paint
    /// Percent.
    var opacity: Property<Double>
    var fillRule: FillRule
    /// How the line is drawn; nil for a fill.
    var line: Line?
    var blendMode: BlendMode
}

/// What changes the paths above it.
enum PathModifier: Sendable {
    /// Percent of the length, degrees of the offset. Together: all paths are one.
    case trim(start: Property<Double>, end: Property<Double>, offset: Property<Double>, isTogether: Bool)
    case roundCorners(Property<Double>)
    /// Percent: below 0 puckers, above bloats.
    case puckerBloat(Property<Double>)
    case zigZag(size: Property<Double>, ridges: Property<Double>, isSmooth: Bool)
    /// Degrees at the center.
    case twist(angle: Property<Double>, center: Property<Point>)
    case merge(MergeMode)
    case offset(amount: Property<Double>, join: Stroke.Join, miterLimit: Property<Double>)

    /// Merge Paths' modes by their numbers in the file.
    enum MergeMode: Int, Sendable { case merge = 1, add, subtract, intersect, exclude }
}

/// Copies of what is above it, each a step further.
struct Repeater: Sendable {
    var copies: Property<Double>
    var offset: Property<Double>
    /// Whether copies go over one another rather than under.
    var isAbove: Bool
    var transform: LayerTransform
    /// Percent.
    var startOpacity: Property<Double>
    var endOpacity: Property<Double>
}
