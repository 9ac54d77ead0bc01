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
private struct MirroredLoader: Loader {
    let loader: any Loader
    let axis: MirrorAxis

    var id: String { loader.id }
    var title: LocalizedText { loader.title }
    var canvas: Size { loader.canvas }
    var background: Color { loader.background }
    var period: Rational { loader.period }
    var phaseDurations: [(name: LocalizedText, duration: Rational)] { loader.phaseDurations }

    func nodes(at time: Rational) -> [Node] { axis.mirrored(loader.nodes(at: time), canvas) }

    func parts(at time: Rational) -> [LoaderPart] {
        loader.parts(at: time).map { LoaderPart($0.name, nodes: axis.mirrored($0.nodes, canvas)) }
    }
}

/// A loader with keyframes as a mirror shows it.
private struct MirroredKeyframedLoader: KeyframedLoader {
    let loader: any KeyframedLoader
    let axis: MirrorAxis

    var id: String { loader.id }
    var title: LocalizedText { loader.title }
    var canvas: Size { loader.canvas }
    var background: Color { loader.background }
    var period: Rational { loader.period }
    var phaseDurations: [(name: LocalizedText, duration: Rational)] { loader.phaseDurations }
    var curves: Set<TimingFunction> { loader.curves }

    func nodes(at time: Rational) -> [Node] { axis.mirrored(loader.nodes(at: time), canvas) }

    func parts(at time: Rational) -> [LoaderPart] {
        loader.parts(at: time).map { LoaderPart($0.name, nodes: axis.mirrored($0.nodes, canvas)) }
    }

    func eased(_ timing: TimingFunction) -> (any Loader)? { loader.eased(timing)?.mirrored(axis) }

    func layers(at time: Rational) -> [(index: Int, nodes: [Node])] {
        loader.layers(at: time).map { ($0.index, axis.mirrored($0.nodes, canvas)) }
    }

    func layerName(_ index: Int) -> String? { loader.layerName(index) }
}

extension Loader {
    /// Returns the loader as a mirror shows it.
    func mirrored(_ axis: MirrorAxis) -> any Loader {
        guard let keyframed = self as? any KeyframedLoader else { return MirroredLoader(loader: self, axis: axis) }
        return MirroredKeyframedLoader(loader: keyframed, axis: axis)
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
