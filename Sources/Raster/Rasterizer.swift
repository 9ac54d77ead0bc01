import CCairo
import Core

/// A renderer that draws scenes with Cairo on a bitmap that it owns.
///
/// Every drawing replaces the previous one on the bitmap. Not thread-safe.
package final class Rasterizer {
    /// The bitmap of the last scene. Read-only for callers, since only changed areas are redrawn.
    package let pixmap: Pixmap

    /// The bitmap for drawing bands.
    private let bandPixmap: Pixmap
    /// The size of the bitmap's upper left part that scenes are scaled to; the rest is their
    /// background.
    private let content: (width: Int, height: Int)
    private let drawing: SceneDrawing
    /// Cached bitmaps of the scenes' common first nodes: a long-lived one and a short-lived one on
    /// top of it.
    private var prefixCache: [LayerCache] = []
    /// The scene that the pixmap shows; nil if unknown.
    private var currentScene: Scene?
    /// The rectangles of the pixmap that are out of date.
    private var invalidated: [PixelRect] = []

    /// A rasterizer for bitmaps whose content has the given size in pixels.
    ///
    /// - Parameters:
    ///   - right: additional columns of background at the right.
    ///   - bottom: additional rows of background at the bottom.
    package init(width: Int, height: Int, paddingRight right: Int = 0, bottom: Int = 0) throws(RasterError) {
        content = (width, height)
        pixmap = try Pixmap(width: width + right, height: height + bottom)
        bandPixmap = try Pixmap(width: width + right, height: Band.surfaceHeight)
        drawing = try SceneDrawing(on: bandPixmap.surface, hasPixels: true)
    }

    /// Creates a rasterizer for a small bitmap of a canvas, for examining a drawing.
    ///
    /// - Parameter longerSide: the longer side in pixels.
    package convenience init(_ canvas: Size, longerSide: Double) throws(RasterError) {
        let scale = longerSide / max(canvas.width, canvas.height)
        func pixels(_ points: Double) -> Int { max(1, Int((points * scale).rounded())) }
        try self.init(width: pixels(canvas.width), height: pixels(canvas.height))
    }

    /// Draws a scene, with its canvas fitted and clipped to the bitmap. Only the differences from
    /// the previous scene are drawn; the pixels are the same as those of a full drawing.
    ///
    /// Returns a small number of disjoint rectangles that contain all changed pixels; empty if none
    /// changed. Throws `RasterError` if a coordinate is not finite, which Cairo would ignore
    /// silently, or if Cairo fails.
    @discardableResult
    package func draw(_ scene: Scene) throws(RasterError) -> [PixelRect] {
        let viewport = viewport(for: scene.size)
        let shared = currentScene.map { scene.sharedNodeCount(with: $0) } ?? 0
        let tolerance = SceneDrawing.tolerance / viewport.scale
        let changes = currentScene.flatMap { scene.damage(since: $0, sharing: shared, tolerance: tolerance) }
        let boxes = changes.map { viewport.pixels(covering: $0) }
        let damage = boxes.map { invalidated.isEmpty ? $0 : PixelRect.merged($0 + invalidated) } ?? [pixmap.bounds]
        try drawing.checkFiniteness(of: scene, from: shared)
        drawing.beginFrame()
        // After an error the content of the pixmap is unknown.
        let wasKnown = currentScene != nil
        currentScene = nil
        let cached = try preparePrefixCache(of: scene, shared: shared)
        var changed: [PixelRect] = []
        let isMovable =
            !viewport.hasSoftRow
            && scene.nodes.dropFirst(cached.max() ?? 0).allSatisfy { $0.isMovable(in: viewport.transform) }
        for band in isMovable ? Band.fitting(damage) : Band.onGrid(damage) {
            let boxes = damage.compactMap(band.part(of:))
            try draw(scene, in: viewport, band: band, boxes: boxes, after: cached)
            cairo_surface_flush(bandPixmap.surface)
            for box in boxes {
                changed += pixmap.copyChanges(in: box, from: bandPixmap, firstRow: band.origin)
            }
        }
        currentScene = scene
        invalidated = []
        // The first drawing is all new to the caller, even where it is as transparent as the new
        // surface.
        return wasKnown ? PixelRect.merged(changed) : [pixmap.bounds]
    }

    /// Returns the position of a canvas on the bitmap. Scenes draw nothing outside it.
    func viewport(for canvas: Size) -> Viewport {
        Viewport(canvas: canvas, width: content.width, height: content.height)
    }

    /// The parts of the bitmap that only ever show the background.
    private var padding: [PixelRect] {
        let right = pixmap.width - content.width
        let bottom = pixmap.height - content.height
        let columns = PixelRect(x: content.width, y: 0, width: right, height: pixmap.height)
        let rows = PixelRect(x: 0, y: content.height, width: content.width, height: bottom)
        return (right > 0 ? [columns] : []) + (bottom > 0 ? [rows] : [])
    }

    /// For each cache, the number of frames for which a longer prefix must be unchanged to replace
    /// the cached one. The first cache outlasts pauses of up to three quarters of a second at 60
    /// frames per second; the second one follows them.
    private static let cacheWaits = [45, 3]

    /// Returns the number of nodes at a scene's start that each cache holds.
    private func preparePrefixCache(of scene: Scene, shared: Int) throws(RasterError) -> [Int] {
        if prefixCache.isEmpty, scene.nodes[..<shared].areWorthCaching {
            for wait in Self.cacheWaits {
                prefixCache.append(try LayerCache(width: pixmap.width, height: pixmap.height, maxWait: wait))
            }
        }
        return prefixCache.map { $0.prepare(for: scene, shared: shared) }
    }

    /// Draws boxes of a band, using the cached prefix of the scene.
    private func draw(
        _ scene: Scene, in viewport: Viewport, band: Band, boxes: [PixelRect], after cached: [Int]
    ) throws(RasterError) {
        // The longest prefix comes first. If it is not cached yet, it is drawn over a shorter one.
        let layers = zip(prefixCache, cached).filter { $0.1 > 0 }.sorted { $0.1 > $1.1 }
        for index in band.gridIndices { try cachePrefix(of: scene, in: viewport, index, layers[...]) }
        layers.first?.0.copy(band, boxes: boxes, to: bandPixmap)
        try drawing.draw(
            scene, nodes: (layers.first?.1 ?? 0)..<scene.nodes.count, in: viewport, band: band, boxes: boxes)
        // Clips the drawing at the edge of the canvas.
        drawing.fill(padding.compactMap(band.part(of:)), of: band, with: scene.background)
    }

    /// Caches a band of the grid with a scene's first nodes, unless it is cached.
    private func cachePrefix(
        of scene: Scene, in viewport: Viewport, _ index: Int, _ layers: ArraySlice<(LayerCache, Int)>
    ) throws(RasterError) {
        guard let (layer, count) = layers.first, !layer.holds(index) else { return }
        let band = Band(index: index)
        let whole = band.part(of: pixmap.bounds).map { [$0] } ?? []
        let shorter = layers.dropFirst()
        try cachePrefix(of: scene, in: viewport, index, shorter)
        shorter.first?.0.copy(band, boxes: whole, to: bandPixmap)
        try drawing.draw(
            scene, nodes: (shorter.first?.1 ?? 0)..<count, in: viewport, band: band, boxes: whole)
        layer.store(index, from: bandPixmap)
    }

    /// Marks pixels as modified by other code, so that they are redrawn with the next scene.
    func invalidate(_ pixels: [PixelRect]) { invalidated += pixels }
}
