import Core

/// An item in a shape layer's contents. The first item is the topmost.
indirect enum ShapeItem: Sendable {
    case group(ShapeGroup)
    case path(Property<BezierContour>, isReversed: Bool)
    case primitive(PrimitiveShape, isReversed: Bool)
    case style(ShapeStyle)
    case modifier(PathModifier)
    case repeater(Repeater)

    var isTrim: Bool {
        if case .modifier(.trim) = self { true } else { false }
    }
}

/// A group of items with a common transform, opacity and blend mode.
struct ShapeGroup: Sendable {
    var name: String
    var items: [ShapeItem]
    var transform: LayerTransform
    var blendMode: BlendMode
}

/// A fill or a stroke of the paths above it.
struct ShapeStyle: Sendable {
    enum PaintModel: Sendable {
        /// Red, green and blue in 0...1.
        case color(Property<[Double]>)
        case gradient(GradientModel)
    }

    struct StrokeStyle: Sendable {
        /// The width in points.
        var width: Property<Double>
        var cap: Stroke.Cap
        var join: Stroke.Join
        var miterLimit: Property<Double>
        /// The lengths of dashes and gaps in turn, in points; empty for a solid line.
        var dashes: [Property<Double>]
        var dashOffset: Property<Double>
    }

    var paint: PaintModel
    /// The opacity in percent.
    var opacity: Property<Double>
    var fillRule: FillRule
    /// The stroke; nil for a fill.
    var stroke: StrokeStyle?
    var blendMode: BlendMode
    /// The path that the style paints if it never changes.
    let constantPath = ConstantPath()
}

/// An item that changes the paths above it.
enum PathModifier: Sendable {
    /// Trim Paths: start and end in percent of the length, offset in degrees. With "Trim Multiple
    /// Shapes: Individually", the paths are trimmed in sequence, as if they were one.
    case trim(start: Property<Double>, end: Property<Double>, offset: Property<Double>, isIndividual: Bool)
    /// Round Corners, by a radius in points.
    case roundCorners(Property<Double>)
    /// Pucker & Bloat, in percent: negative values pucker, positive values bloat.
    case puckerBloat(Property<Double>)
    /// Zig Zag: the size in points and the number of ridges per segment.
    case zigZag(size: Property<Double>, ridges: Property<Double>, isSmooth: Bool)
    /// Twist: the angle at the centre in degrees.
    case twist(angle: Property<Double>, center: Property<Point>)
    case merge(MergeMode, LastMerge = LastMerge())
    case offset(amount: Property<Double>, join: Stroke.Join, miterLimit: Property<Double>)

    /// The modes of Merge Paths with their numbers in the file (`mm`).
    enum MergeMode: Int, Sendable { case merge = 1, add, subtract, intersect, exclude }
}

/// A repeater: draws copies of the items above it, each with the transform applied once more.
struct Repeater: Sendable {
    var copies: Property<Double>
    /// The number of times that the transform is applied to the first copy.
    var offset: Property<Double>
    /// True if later copies are drawn above earlier ones.
    var isAbove: Bool
    var transform: LayerTransform
    /// The opacity of the first copy in percent.
    var startOpacity: Property<Double>
    /// The opacity of the last copy in percent.
    var endOpacity: Property<Double>
}
