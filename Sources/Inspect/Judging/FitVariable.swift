import Animations

/// A number that a fit may change in a model.
enum FitVariable: Hashable, Sendable {
    /// The position of the canvas in pixels of the recording.
    case originX, originY
    /// The model time at the recording's first frame, in seconds.
    case start
    /// Seconds of model time per second of the recording.
    case speed
    /// Pixels of the recording per point, about the middle of the canvas.
    case scale
    /// A parameter of the loader with a numeric value.
    case number(String)
    /// A channel, 0...2, of a colour parameter.
    case channel(String, Int)
    /// The position of an element in points.
    case elementX(Int), elementY(Int)
    /// The logarithm of an element's size factor.
    case elementSize(Int)
    /// The logarithm of the factor of an element's line width.
    case elementLineWidth(Int)
    /// An element's opacity factor.
    case elementOpacity(Int)
    /// The seconds by which an element is late.
    case elementDelay(Int)
    /// A constant number that layers of a Lottie file share.
    case layerProperties([LayerProperty])
    /// A channel, 0...2, of an element's colour.
    case elementChannel(Int, Int)
}
