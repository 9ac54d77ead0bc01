import Animations
import Core
import Raster

/// The position of a loader in a recording, in space and time: model time = start + speed × time.
struct ModelPose: Sendable {
    /// Pixels of the recording per point.
    var scale: Double
    /// The upper left corner of the canvas in pixels of the recording.
    var origin: Point
    /// The model time at time 0 of the recording, in seconds.
    var start: Double
    /// Seconds of model time per second of the recording.
    var speed: Double

    /// Returns the model time at a time of the recording.
    func modelTime(at time: Double) -> Double { start + speed * time }
}

/// A loader as a recording may show it: with other parameters, and with some elements changed.
struct LoaderModel: Sendable {
    /// The loader with its parameters.
    var loader: any Loader
    /// Values of parameters that differ from the design, as text.
    var settings: [String: String] = [:]
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
            edit.apply(to: &keyed, of: elements) { delay in
                elements.keyed(loader, at: Self.rational(time - delay, in: loader))
            }
        }
        return keyed
    }
}

/// Renders a loader into the pixels of a view. Not thread-safe: each thread has its own.
final class ModelRenderer {
    private let rasterizer: Rasterizer
    private let view: (region: PixelRect, factor: Double, width: Int, height: Int)
    private let elements: LoaderElements

    init(_ view: JudgedView, _ elements: LoaderElements) throws {
        self.view = (view.region, view.factor, view.width, view.height)
        self.elements = elements
        rasterizer = try Rasterizer(width: view.width, height: view.height)
    }

    /// Returns the planes of a model at a model time in seconds.
    func planes(_ model: LoaderModel, at time: Double) throws -> DifferencePlanes {
        try planes(model.nodes(at: time, elements), model)
    }

    /// Returns the planes of nodes at a model's position, over its background.
    func planes(_ nodes: [Node], _ model: LoaderModel) throws -> DifferencePlanes {
        try draw(nodes, model.pose, model.background)
        let pixmap = rasterizer.pixmap
        return DifferencePlanes(
            pixmap.data, stride: pixmap.stride, isBlueFirst: true, width: view.width, height: view.height)
    }

    private func draw(_ nodes: [Node], _ pose: ModelPose, _ background: Color) throws {
        let corner = Point(Double(view.region.x), Double(view.region.y))
        let transform = AffineTransform.scale(pose.scale * view.factor)
            .then(.translation((pose.origin - corner) * view.factor))
        let size = Size(Double(view.width), Double(view.height))
        let group = Node.group(Group(transform: transform, nodes: nodes))
        try rasterizer.draw(Scene(size: size, background: background, nodes: [group]))
    }
}
