import Core

/// A layer of a composition. Times are in frames of that composition.
struct Layer: Sendable {
    enum Content: Sendable {
        /// A null object, which is not drawn but can be a parent.
        case null
        case shapes(ShapeGroup)
        case solid(Color, Size)
        case image(Bitmap, Size)
        case composition(Precomposition)
        case text(TextModel)
    }

    /// A track matte: another layer that masks this one.
    struct Matte: Sendable {
        /// The index of the matte layer in the composition's layers.
        var source: Int
        var isLuma: Bool
        var isInverted: Bool
    }

    var name: String
    /// The number by which other layers refer to this one (`ind`).
    var index: Int?
    /// The index of the parent layer in the composition's layers.
    var parent: Int?
    /// The in point (`ip`).
    var start: Double
    /// The out point (`op`), the first frame at which the layer is no longer visible.
    var end: Double
    var transform: LayerTransform
    var content: Content
    var blendMode: BlendMode
    /// True for the blend mode Hard Mix, which is drawn as two others.
    var isHardMix = false
    var masks: [LayerMask]
    var matte: Matte?
    /// True if the layer is not drawn itself, because it is hidden or is a matte.
    var isHidden: Bool
    var effects: [LayerEffect]

    func isVisible(at frame: Double) -> Bool { frame >= start && frame < end }
}

/// The content of a precomposition layer.
struct Precomposition: Sendable {
    var composition: Composition
    var size: Size
    /// The frame of the outer composition at which the inner one starts (`st`).
    var startTime: Double
    /// The time stretch (`sr`): the duration as a multiple of the original one. It can be negative.
    var stretch: Double
    /// The time of the inner composition in seconds; nil if it runs at constant speed.
    var timeRemap: Property<Double>?

    /// Returns the frame of the inner composition at a frame of the outer one.
    func frame(at frame: Double, in context: FrameContext) -> Double {
        guard let timeRemap else { return (frame - startTime) / stretch }
        let remapped = timeRemap.value(at: frame, in: context) * context.rate
        // A remap to the very end shows the last frame. At the end itself no layer is visible.
        return composition.length.map { abs(remapped - $0) < 1e-3 ? max(0, $0 - 2e-3) : remapped } ?? remapped
    }
}

/// A composition: its layers, the topmost first.
final class Composition: Sendable {
    let layers: [Layer]
    /// The latest out point of the layers; nil without layers.
    let length: Double?

    init(_ layers: [Layer]) {
        self.layers = layers
        length = layers.map(\.end).max()
    }
}

/// A mask of a layer.
struct LayerMask: Sendable {
    enum Mode: String, Sendable {
        case add = "a"
        case subtract = "s"
        case intersect = "i"
        case difference = "f"
        /// The larger of the opacities of the mask and of those above it.
        case lighten = "l"
        /// The smaller of these opacities.
        case darken = "d"
    }

    var mode: Mode
    var path: Property<BezierContour>
    /// The opacity in percent.
    var opacity: Property<Double>
    /// The distance by which the path is grown, in points. It can be negative.
    var expansion: Property<Double>
    /// The width of the soft edge in points, horizontal and vertical.
    var feather: Property<[Double]>
    var isInverted: Bool
}

/// An effect of a layer.
enum LayerEffect: Sendable {
    /// Fill, with a colour and an opacity in 0...1.
    case fill(Property<[Double]>, opacity: Property<Double>)
    /// Tint, with the colours for black and white and an amount in percent.
    case tint(black: Property<[Double]>, white: Property<[Double]>, amount: Property<Double>)
    /// Drop Shadow, with a colour, an opacity in 0...255, a direction in degrees clockwise from
    /// 12 o'clock, and a distance and softness in points.
    case shadow(
        Property<[Double]>, opacity: Property<Double>, direction: Property<Double>, distance: Property<Double>,
        softness: Property<Double>, isShadowOnly: Property<Double>)
    /// Gaussian Blur, with a blurriness in points; dimensions are 1 for both, 2 for horizontal and
    /// 3 for vertical.
    case blur(Property<Double>, dimensions: Property<Double>)
}
