import Core
import Raster

/// A renderer that draws a loader into the pixels of a view. Not thread-safe: each thread has its
/// own.
final class ModelRenderer {
    private let rasterizer: Rasterizer
    private let view: (region: PixelRect, factor: Double, width: Int, height: Int)
    private let elements: LoaderElements
    private var converter: PlaneConverter

    init(_ view: JudgedView, _ elements: LoaderElements) throws {
        self.view = (view.region, view.factor, view.width, view.height)
        self.elements = elements
        rasterizer = try Rasterizer(width: view.width, height: view.height)
        converter = PlaneConverter(PlaneLayout(width: view.width, height: view.height))
    }

    /// Returns the planes of a model at a model time in seconds.
    func planes(_ model: LoaderModel, at time: Double) throws -> DifferencePlanes {
        try planes(model.nodes(at: time, elements), model)
    }

    /// Returns the planes of nodes at a model's position, over its background.
    func planes(_ nodes: [Node], _ model: LoaderModel) throws -> DifferencePlanes {
        let changed = try draw(nodes, model.pose, model.background)
        let pixmap = rasterizer.pixmap
        return converter.planes(pixmap.data, stride: pixmap.stride, isBlueFirst: true, changed: changed)
    }

    /// Draws nodes and returns rectangles that contain all changed pixels.
    private func draw(_ nodes: [Node], _ pose: ModelPose, _ background: Color) throws -> [PixelRect] {
        let corner = Point(Double(view.region.x), Double(view.region.y))
        let transform = AffineTransform.scale(pose.scale * view.factor)
            .then(.translation((pose.origin - corner) * view.factor))
        let size = Size(Double(view.width), Double(view.height))
        let group = Node.group(Group(transform: transform, nodes: nodes))
        return try rasterizer.draw(Scene(size: size, background: background, nodes: [group]))
    }
}
