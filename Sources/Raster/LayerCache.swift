import CCairo
import Core

/// A cached bitmap of the nodes that consecutive scenes start with, such as notes beside a canvas,
/// which stay while the content of the canvas moves. The cached pixels are copied before the
/// remaining nodes are drawn over them, which gives the same result as drawing all of them.
final class LayerCache {
    private let pixmap: Pixmap
    /// The number of cached nodes.
    private var count = 0
    /// The canvas size and background of the cached nodes.
    private var canvas: (size: Size, background: Color)?
    /// The indices of the cached bands of the grid.
    private var bands: Set<Int> = []
    /// The number of scenes for which a longer prefix has been unchanged.
    private var wait = 0

    private let maxWait: Int

    /// A cache for bitmaps of the given size in pixels.
    ///
    /// - Parameter maxWait: the number of scenes for which a longer prefix must be unchanged before
    ///   it replaces the cached one.
    init(width: Int, height: Int, maxWait: Int) throws(RasterError) {
        pixmap = try Pixmap(width: width, height: height)
        self.maxWait = maxWait
    }

    /// Returns the number of nodes at a scene's start that are cached; 0 if none are. Must be
    /// called for every scene that is drawn.
    ///
    /// - Parameter shared: the number of nodes at the start that are the same as in the previous
    ///   scene.
    func prepare(for scene: Scene, shared: Int) -> Int {
        let isValid = canvas.map { $0 == (scene.size, scene.background) } ?? false && count <= shared
        // Nodes unchanged for a few frames may only be pausing.
        wait = shared > count ? wait + 1 : 0
        if isValid, wait < maxWait { return count }
        count = scene.nodes[..<shared].areWorthCaching ? shared : 0
        canvas = (scene.size, scene.background)
        bands = []
        wait = 0
        return count
    }

    /// Returns true if a band of the grid is cached.
    func holds(_ index: Int) -> Bool { bands.contains(index) }

    /// Copies boxes of a band to the pixmap on which bands are drawn. The bands of the grid that
    /// contain them must be cached.
    func copy(_ band: Band, boxes: [PixelRect], to target: Pixmap) {
        cairo_surface_flush(target.surface)
        for box in boxes {
            for row in box.y..<box.maxY {
                let pixels = target.data + (row - band.origin) * target.stride + 4 * box.x
                pixels.update(from: pixmap.data + row * pixmap.stride + 4 * box.x, count: 4 * box.width)
            }
        }
        cairo_surface_mark_dirty(target.surface)
    }

    /// Caches the current pixels of a band of the grid.
    func store(_ index: Int, from source: Pixmap) {
        let band = Band(index: index)
        cairo_surface_flush(source.surface)
        for row in band.rows.lowerBound..<min(band.rows.upperBound, pixmap.height) {
            let pixels = source.data + (row - band.origin) * source.stride
            (pixmap.data + row * pixmap.stride).update(from: pixels, count: 4 * pixmap.width)
        }
        bands.insert(index)
    }
}

extension ArraySlice<Node> {
    /// The minimum number of shapes and lines of text that are worth caching: those of a record's
    /// disc and grooves. Fewer take no longer to draw than to copy.
    private static var minCount: Int { 6 }

    /// True if the nodes take longer to draw than to copy.
    var areWorthCaching: Bool { drawnCount(upTo: Self.minCount) == Self.minCount }

    /// Returns the number of shapes and texts, at most `limit`. An image, or a group with a surface
    /// of its own, reaches the limit alone.
    private func drawnCount(upTo limit: Int) -> Int {
        var count = 0
        for node in self where count < limit {
            switch node {
            case .shape, .text: count += 1
            case .image: count = limit
            case .group(let group) where group.opacity == 0: break
            case .group(let group) where group.needsFlattening || !group.effects.isEmpty: count = limit
            case .group(let group): count += group.nodes[...].drawnCount(upTo: limit - count)
            }
        }
        return count
    }
}
