import Animations
import Core
import Raster

/// A loader as a recording may show it: with other parameters, and with some elements changed.
struct LoaderModel: Sendable {
    /// The loader with its parameters.
    var loader: any Loader
    /// Values of parameters that differ from the design, as text.
    var settings: [String: String] = [:]
    /// Values of layers that differ from the design.
    var layerValues: [LayerProperty: Double] = [:]
    /// The changes of elements, applied in this order.
    var edits: [ElementEdit] = []
    /// The position in space and time.
    var pose: ModelPose
    /// The background colour of the recording.
    var background: Color

    /// Returns the exact model time within the period that is nearest to a time in seconds.
    static func rational(_ time: Double, in loader: any Loader) -> Rational {
        // A microsecond moves nothing visibly.
        Rational(Int128((time * 1e6).rounded()), 1_000_000).modulo(loader.period)
    }

    /// Returns the nodes at a model time in seconds, back to front.
    func nodes(at time: Double, _ elements: LoaderElements) -> [Node] {
        guard !edits.isEmpty else { return loader.nodes(at: Self.rational(time, in: loader)) }
        return keyedNodes(at: time, elements).map(\.node)
    }

    /// Returns the nodes at a model time in seconds with their elements, back to front.
    func keyedNodes(at time: Double, _ elements: LoaderElements) -> [KeyedNode] {
        var keyed = elements.keyed(loader, at: Self.rational(time, in: loader))
        // Fading makes one node of several, of which another edit may change one.
        let isFade = { (edit: ElementEdit) in if case .fade = edit.change { true } else { false } }
        for edit in edits.filter({ !isFade($0) }) + edits.filter(isFade) {
            edit.at(time, in: loader).apply(to: &keyed, of: elements) { delay in
                elements.keyed(loader, at: Self.rational(time - delay, in: loader))
            }
        }
        return keyed
    }
}
