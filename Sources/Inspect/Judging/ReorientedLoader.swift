import Animations
import Core
import Render

/// A reflection or rotation of a drawing within its canvas.
enum Reorientation: CaseIterable, Sendable {
    case leftToRight, topToBottom
    case quarterTurn, halfTurn, threeQuarterTurn

    /// Returns the canvas of a drawing that is mirrored or rotated. A quarter turn swaps its sides.
    func canvas(_ designed: Size) -> Size {
        switch self {
        case .quarterTurn, .threeQuarterTurn: Size(designed.height, designed.width)
        case .leftToRight, .topToBottom, .halfTurn: designed
        }
    }

    /// Returns nodes mirrored or rotated, one for each.
    ///
    /// - Parameter canvas: the canvas as designed.
    func applied(to nodes: [Node], _ canvas: Size) -> [Node] {
        let (width, height) = (canvas.width, canvas.height)
        let transform =
            switch self {
            case .leftToRight: AffineTransform(a: -1, b: 0, c: 0, d: 1, tx: width, ty: 0)
            case .topToBottom: AffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: height)
            case .quarterTurn: AffineTransform(a: 0, b: 1, c: -1, d: 0, tx: height, ty: 0)
            case .halfTurn: AffineTransform(a: -1, b: 0, c: 0, d: -1, tx: width, ty: height)
            case .threeQuarterTurn: AffineTransform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: width)
            }
        return nodes.map { .group(Group(transform: transform, nodes: [$0])) }
    }

    /// The angle of a rotation in degrees, clockwise; 0 for a mirrored drawing.
    private var degrees: Double {
        switch self {
        case .leftToRight, .topToBottom: 0
        case .quarterTurn: 90
        case .halfTurn: 180
        case .threeQuarterTurn: 270
        }
    }

    /// The finding that a recording shows the loader mirrored or rotated in this way.
    var finding: Deviation {
        switch self {
        case .leftToRight: Deviation(kind: .mirrored, text: "the drawing is mirrored left to right", weight: 1)
        case .topToBottom: Deviation(kind: .mirrored, text: "the drawing is mirrored top to bottom", weight: 1)
        case .quarterTurn, .halfTurn, .threeQuarterTurn:
            Deviation(
                kind: .rotated, size: degrees, unit: "°", expected: "0", actual: DeviationWriter.decimal(degrees, 0),
                text: "the drawing is rotated by \(DeviationWriter.decimal(degrees, 0))° clockwise", weight: 1)
        }
    }
}

/// A loader that is mirrored or rotated.
private protocol ReorientedDrawing: Loader {
    /// The loader as designed.
    var original: any Loader { get }
    var orientation: Reorientation { get }
}

extension ReorientedDrawing {
    var id: String { original.id }
    var title: LocalizedText { original.title }
    var canvas: Size { orientation.canvas(original.canvas) }
    var background: Color { original.background }
    var period: Rational { original.period }
    var phaseDurations: [(name: LocalizedText, duration: Rational)] { original.phaseDurations }

    func nodes(at time: Rational) -> [Node] { orientation.applied(to: original.nodes(at: time), original.canvas) }

    func parts(at time: Rational) -> [LoaderPart] {
        original.parts(at: time).map { LoaderPart($0.name, nodes: orientation.applied(to: $0.nodes, original.canvas)) }
    }
}

private struct ReorientedLoader: ReorientedDrawing {
    let original: any Loader
    let orientation: Reorientation
}

private struct ReorientedKeyframedLoader: ReorientedDrawing, KeyframedLoader {
    let keyframed: any KeyframedLoader
    let orientation: Reorientation

    var original: any Loader { keyframed }
    var curves: Set<TimingFunction> { keyframed.curves }

    func eased(_ timing: TimingFunction) -> (any Loader)? { keyframed.eased(timing)?.reoriented(orientation) }

    func layers(at time: Rational) -> [(index: Int, nodes: [Node])] {
        keyframed.layers(at: time).map { ($0.index, orientation.applied(to: $0.nodes, keyframed.canvas)) }
    }

    func layerName(_ index: Int) -> String? { keyframed.layerName(index) }

    var layerProperties: [LayerProperty: Double] { keyframed.layerProperties }

    func changing(_ values: [LayerProperty: Double]) -> (any Loader)? {
        keyframed.changing(values)?.reoriented(orientation)
    }
}

extension Loader {
    /// Returns the loader mirrored or rotated.
    func reoriented(_ orientation: Reorientation) -> any Loader {
        guard let keyframed = self as? any KeyframedLoader else {
            return ReorientedLoader(original: self, orientation: orientation)
        }
        return ReorientedKeyframedLoader(keyframed: keyframed, orientation: orientation)
    }
}

extension LoaderRequest {
    /// Returns the request with the loader mirrored or rotated.
    func reoriented(_ orientation: Reorientation) -> LoaderRequest {
        var changed = self
        let definition = definition
        changed.definition = LoaderDefinition(
            id: definition.id, title: definition.title, parameters: definition.parameters
        ) { (values) throws(ParameterError) in try definition.make(values).reoriented(orientation) }
        return changed
    }
}
