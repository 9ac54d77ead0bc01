import Scene

/// A layer of a composition. Times are frames of the composition that it is in.
struct Layer: Sendable {
    /// What it shows.
    enum Content: Sendable {
        /// Nothing: others hang on it.
        case null
        case shapes(ShapeGroup)
        case solid(Color, Size)
        case image(Bitmap, Size)
        case composition(Precomposition)
        case text(TextModel)
    }

    /// Which other layer decides how much of this one shows.
    struct Matte: Sendable {
        /// The place of that layer in the list.
        var source: Int
        var isLuma: Bool
        var isInverted: Bool
    }

    var name: String
    /// What others call it; not every layer has one.
    var index: Int?
    /// The place of the layer that it hangs on.
    var parent: Int?
    /// The first frame at which it shows, and the first at which it does no more.
    var start: Double
    var end: Double
    var transform: LayerTransform
    var content: Content
    var blendMode: BlendMode
    var masks: [LayerMask]
    var matte: Matte?
    /// Whether it is not drawn for itself: it is hidden, or another's matte.
    var isHidden: Bool
    var effects: [LayerEffect]

    func isVisible(at frame: Double) -> Bool { frame >= start && frame < end }
}

/// A composition within another.
struct Precomposition: Sendable {
    var composition: Composition
    var size: Size
    /// The frame of the outer composition at which it begins.
    var startTime: Double
    /// How many times as long it takes.
    var stretch: Double
    /// Its time in seconds, if that does not simply run.
    var timeRemap: Property<Double>?

    /// Its frame at one of the outer composition.
    func frame(at frame: Double, rate: Double) -> Double {
        guard let timeRemap else { return (frame - startTime) / stretch }
        let remapped = timeRemap.value(at: frame, rate: rate) * rate
        // A remap that stops at the very end shows the last frame, at which layers still are.
        return composition.length.map { abs(remapped - $0) < 1e-3 ? max(0, $0 - 2e-3) : remapped } ?? remapped
    }
}

/// Layers, first what is on top.
final class Composition: Sendable {
    let layers: [Layer]
    /// The last frame of any layer; nil without layers.
    let length: Double?

    init(_ layers: [Layer]) {
        self.layers = layers
        length = layers.map(\.end).max()
    }
}

/// A path that shows a part of its layer.
struct LayerMask: Sendable {
    enum Mode: String, Sendable { case add = "a", subtract = "s", intersect = "i", difference = "f" }

    var mode: Mode
    var path: Property<Contour>
    /// Percent.
    var opacity: Property<Double>
    /// Points.
    var expansion: Property<Double>
    var isInverted: Bool
}

/// What is done to a layer's picture.
enum LayerEffect: Sendable {
    /// Colour, and 0...1 of its opacity.
    case fill(Property<[Double]>, opacity: Property<Double>)
    case tint(black: Property<[Double]>, white: Property<[Double]>, amount: Property<Double>)
    /// Colour; opacity 0...255; degrees clockwise from above; points.
    case shadow(
        Property<[Double]>, opacity: Property<Double>, direction: Property<Double>, distance: Property<Double>,
        softness: Property<Double>, isAlone: Property<Double>)
    /// Blurriness in points; 1 both directions, 2 across, 3 down.
    case blur(Property<Double>, dimensions: Property<Double>)
}
