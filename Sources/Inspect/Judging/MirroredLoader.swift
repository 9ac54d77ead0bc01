import Animations
import Core
import Render

/// The direction in which a drawing is mirrored.
enum MirrorAxis: CaseIterable, Sendable {
    case horizontal, vertical

    /// Returns nodes mirrored within a canvas, one for each.
    func mirrored(_ nodes: [Node], _ canvas: Size) -> [Node] {
        let transform =
            self == .horizontal
            ? AffineTransform(a: -1, b: 0, c: 0, d: 1, tx: canvas.width, ty: 0)
            : AffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: canvas.height)
        return nodes.map { .group(Group(transform: transform, nodes: [$0])) }
    }
}

/// A loader as a mirror shows it.
private protocol MirrorImage: Loader {
    /// The loader in front of the mirror.
    var original: any Loader { get }
    var axis: MirrorAxis { get }
}

extension MirrorImage {
    var id: String { original.id }
    var title: LocalizedText { original.title }
    var canvas: Size { original.canvas }
    var background: Color { original.background }
    var period: Rational { original.period }
    var phaseDurations: [(name: LocalizedText, duration: Rational)] { original.phaseDurations }

    func nodes(at time: Rational) -> [Node] { axis.mirrored(original.nodes(at: time), canvas) }

    func parts(at time: Rational) -> [LoaderPart] {
        original.parts(at: time).map { LoaderPart($0.name, nodes: axis.mirrored($0.nodes, canvas)) }
    }
}

private struct MirroredLoader: MirrorImage {
    let original: any Loader
    let axis: MirrorAxis
}

private struct MirroredKeyframedLoader: MirrorImage, KeyframedLoader {
    let keyframed: any KeyframedLoader
    let axis: MirrorAxis

    var original: any Loader { keyframed }
    var curves: Set<TimingFunction> { keyframed.curves }

    func eased(_ timing: TimingFunction) -> (any Loader)? { keyframed.eased(timing)?.mirrored(axis) }

    func layers(at time: Rational) -> [(index: Int, nodes: [Node])] {
        keyframed.layers(at: time).map { ($0.index, axis.mirrored($0.nodes, canvas)) }
    }

    func layerName(_ index: Int) -> String? { keyframed.layerName(index) }
}

extension Loader {
    /// Returns the loader as a mirror shows it.
    func mirrored(_ axis: MirrorAxis) -> any Loader {
        guard let keyframed = self as? any KeyframedLoader else { return MirroredLoader(original: self, axis: axis) }
        return MirroredKeyframedLoader(keyframed: keyframed, axis: axis)
    }
}

extension LoaderRequest {
    /// Returns the request with the loader as a mirror shows it.
    func mirrored(_ axis: MirrorAxis) -> LoaderRequest {
        var mirrored = self
        let definition = definition
        mirrored.definition = LoaderDefinition(
            id: definition.id, title: definition.title, parameters: definition.parameters
        ) { (values) throws(ParameterError) in try definition.make(values).mirrored(axis) }
        return mirrored
    }
}
