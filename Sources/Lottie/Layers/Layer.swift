import Core

/// A layer of a composition. Times are in frames of that composition.
///
/// A class, because frames pass layers around, and a layer is too large to be copied. The variables
/// change only while the file is read, before the layer is shared.
final class Layer: @unchecked Sendable {
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
        /// True for the effect Set Matte, which stays with the layer where it is a matte itself.
        var isEffect = false
    }

    let name: String
    /// The number by which other layers refer to this one (`ind`).
    let index: Int?
    /// The index of the parent layer in the composition's layers.
    var parent: Int?
    /// The in point (`ip`).
    let start: Double
    /// The out point (`op`), the first frame at which the layer is no longer visible.
    let end: Double
    let transform: LayerTransform
    let content: Content
    let blendMode: BlendMode
    /// True for the blend mode Hard Mix, which is drawn as two others.
    let isHardMix: Bool
    let masks: [LayerMask]
    var matte: Matte?
    /// The nodes of contents that do not change.
    let constantContents = ConstantContents()
    /// True if the layer is not drawn itself, because it is hidden or is a matte.
    var isHidden: Bool
    let effects: [LayerEffect]
    let styles: [LayerStyle]
    /// True for a 3D layer (`ddd`), which cameras show.
    let is3D: Bool
    /// The distance in points at which a camera shows layers in their own size; nil for other
    /// layers.
    let zoom: Property<Double>?
    /// True for a camera that is turned towards its anchor point.
    let hasTarget: Bool

    /// The contents of a layer, with their masks, effects and styles.
    struct Drawing {
        var content = Content.null
        var masks: [LayerMask] = []
        var effects: [LayerEffect] = []
        var styles: [LayerStyle] = []
    }

    /// Reads a layer except its contents, which the caller passes as `drawing`.
    init(
        reading field: Field, _ transform: LayerTransform, _ blendMode: BlendMode, drawing: Drawing, isHidden: Bool
    ) throws {
        name = field.string("nm") ?? ""
        index = try field.layerNumber("ind")
        start = try field.inPoint
        end = try field.outPoint
        self.transform = transform
        self.blendMode = blendMode
        isHardMix = try field.integer("bm") == 17
        is3D = try field.flag("ddd")
        let isCamera = try field.isCamera && !field.flag("hd")
        zoom = isCamera ? try field.property("pe", or: 0) : nil
        hasTarget = isCamera && field["ks"]?["a"] != nil
        self.isHidden = isHidden
        content = drawing.content
        masks = drawing.masks
        effects = drawing.effects
        styles = drawing.styles
    }

    /// The frames from the in point to the out point.
    var visibleFrames: Range<Double> { start..<max(start, end) }

    func isVisible(at frame: Double) -> Bool { frame >= start && frame < end }
}

extension Field {
    /// The in point of a layer (`ip`).
    var inPoint: Double { get throws { try number("ip", or: 0) } }
    /// The out point of a layer (`op`). Without one, no frame shows the layer, as in lottie-web,
    /// ThorVG and rlottie.
    var outPoint: Double { get throws { try number("op", or: -LottieLimits.maxNumber) } }
    /// True for a camera layer.
    var isCamera: Bool { get throws { try integer("ty") == 13 } }
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
    let size: Size
    /// The latest out point of the layers; nil without layers.
    let length: Double?
    /// True if a layer or a parent leaves the plane.
    let hasDepth: Bool
    let hasCamera: Bool

    init(_ layers: [Layer], size: Size) {
        self.layers = layers
        self.size = size
        hasDepth = layers.contains { $0.transform.depth != nil }
        hasCamera = layers.contains { $0.zoom != nil }
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
