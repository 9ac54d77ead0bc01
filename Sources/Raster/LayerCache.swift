import CCairo
import Scene

/// What pictures begin with, kept as pixels as long as the same nodes come first: notes beside a canvas stay while what is on
/// it moves. They are drawn once, and copied before the nodes that follow are drawn over them, which gives the same pixels.
final class LayerCache {
    private let pixmap: Pixmap
    /// How many nodes are kept, of scenes of a size on a background.
    private var count = 0
    private var canvas: (size: Size, background: Color)?
    /// The bands that are kept.
    private var bands: Set<Int> = []
    /// For how many pictures a longer beginning has been the same.
    private var patience = 0

    private let mostPatience: Int
    /// Fewer nodes are not worth keeping.
    static let least = 8

    /// Room for what pictures of a size begin with.
    ///
    /// - Parameter patience: for how many pictures a longer beginning must have been the same to be kept instead.
    init(width: Int, height: Int, patience: Int) throws(RasterError) {
        pixmap = try Pixmap(width: width, height: height)
        mostPatience = patience
    }

    /// How many nodes at a scene's beginning are kept; 0 if none are. To be told of every scene that is drawn.
    ///
    /// - Parameter shared: how many are the same as in the picture before.
    func prepare(for scene: Scene, shared: Int) -> Int {
        let holds = canvas.map { $0 == (scene.size, scene.background) } ?? false && count <= shared
        // What stays for a few pictures may be what stands still for a moment only.
        patience = shared > count ? patience + 1 : 0
        if holds, patience < mostPatience { return count }
        (count, canvas) = (shared < Self.least ? 0 : shared, (scene.size, scene.background))
        (bands, patience) = ([], 0)
        return count
    }

    /// Copies boxes of a band onto the surface where bands are drawn. False if the band is not kept.
    func copy(_ band: Band, boxes: [PixelRect], to canvas: Pixmap) -> Bool {
        guard bands.contains(band.number) else { return false }
        cairo_surface_flush(canvas.surface)
        for box in boxes {
            for row in box.y..<box.maxY {
                let target = canvas.data + (row - band.origin) * canvas.stride + 4 * box.x
                target.update(from: pixmap.data + row * pixmap.stride + 4 * box.x, count: 4 * box.width)
            }
        }
        cairo_surface_mark_dirty(canvas.surface)
        return true
    }

    /// Keeps a band as it has been drawn so far.
    func keep(_ band: Band, of canvas: Pixmap) {
        cairo_surface_flush(canvas.surface)
        let first = band.number * Band.height
        for row in first..<min(first + Band.height, pixmap.height) {
            let source = canvas.data + (row - band.origin) * canvas.stride
            (pixmap.data + row * pixmap.stride).update(from: source, count: 4 * pixmap.width)
        }
        bands.insert(band.number)
    }
}
