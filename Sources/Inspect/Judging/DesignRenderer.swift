import Core
import Raster
import Render

/// A renderer that draws a placed design into a part of the recording. Not thread-safe: each thread
/// has its own.
final class DesignRenderer {
    private let design: PlacedDesign
    private let view: RegionView
    private let rasterizer: Rasterizer

    init(_ design: PlacedDesign, _ view: RegionView) throws {
        self.design = design
        self.view = view
        do { rasterizer = try Rasterizer(width: view.width, height: view.height) } catch { throw LoadervidError(error) }
    }

    /// The error of a fitted start in seconds. Where the design jumps, such as at the end of its
    /// cycle, a smaller error shows the wrong side of the jump.
    private static let timeError = 0.002

    /// Returns the design at the time of a frame, or within the error of the fit if it is more like
    /// the frame there, and that time of the recording.
    func image(for frame: EvidenceFrame) throws -> (image: ReportImage, time: Double) {
        let recorded = frame.image.planes
        var shifts = [0, -Self.timeError, Self.timeError]
        // A phase may begin with a frame that looks like none before and after it.
        if let start = design.phaseStart(near: frame.time, within: Self.timeError) { shifts.append(start - frame.time) }
        let trials = try shifts.map { shift in
            let image = try image(design.nodes(at: frame.time + shift))
            let energy = image.planes.distances(to: recorded).reduce(0) { $0 + Double($1 * $1) }
            return (image: image, time: frame.time + shift, energy: energy)
        }
        let best = trials.dropFirst().reduce(trials[0]) { $1.energy < $0.energy ? $1 : $0 }
        return (best.image, best.time)
    }

    /// Draws nodes over the background of the recording.
    func image(_ nodes: [Node]) throws -> ReportImage {
        let corner = Point(Double(view.region.x), Double(view.region.y))
        let transform = AffineTransform.scale(design.scale * view.scale)
            .then(.translation((design.origin - corner) * view.scale))
        let scene = Scene(
            size: Size(Double(view.width), Double(view.height)), background: design.background,
            nodes: [.group(Group(transform: transform, nodes: nodes))])
        do { try rasterizer.draw(scene) } catch { throw LoadervidError(error) }
        return ReportImage(width: view.width, height: view.height, bytes: rasterizer.pixmap.packedBytes)
    }
}
