import CCairo
import Scene

/// Draws scenes with Cairo: clips, stills and sheets alike.
///
/// A rasterizer owns one surface, on which every drawing replaces the one before. Not for use from two threads at once.
public final class Rasterizer {
    /// The picture of the last scene; not to be written to, since only what changes is drawn anew.
    public let pixmap: Pixmap

    /// Where bands are drawn.
    private let canvas: Pixmap
    private let drawing: SceneDrawing
    /// What the pictures begin with, once they share something.
    private var beginning: LayerCache?
    /// What the pixmap shows; nil if nobody knows.
    private var shown: Scene?
    /// Pixels that show something else.
    private var spoiled: [PixelRect] = []

    /// A rasterizer for pictures of the given size in pixels.
    public init(width: Int, height: Int) throws(RasterError) {
        pixmap = try Pixmap(width: width, height: height)
        canvas = try Pixmap(width: width, height: Band.surfaceHeight)
        drawing = try SceneDrawing(on: canvas.surface, hasPixels: true)
    }

    /// Draws a scene, its canvas fitted to the picture and cut off at its edges. Only what differs from the scene before
    /// is drawn again; the pixels are those of a whole drawing.
    ///
    /// Returns rectangles that hold all pixels that have changed, disjoint and few; none if the picture is the same. Throws
    /// if a coordinate is not finite, which Cairo would pass over in silence, or if Cairo reports an error.
    @discardableResult
    public func draw(_ scene: Scene) throws(RasterError) -> [PixelRect] {
        let viewport = Viewport(canvas: scene.size, width: pixmap.width, height: pixmap.height)
        let shared = shown.map { scene.sharedNodes(with: $0) } ?? 0
        let changes = shown.flatMap { scene.damage(since: $0, sharing: shared) }.map { viewport.pixels(covering: $0) }
        let damage = changes.map { spoiled.isEmpty ? $0 : PixelRect.merged($0 + spoiled) } ?? [pixmap.bounds]
        try drawing.checkFiniteness(of: scene, from: shared)
        // After an error nobody knows what the pixmap holds.
        let isKnown = shown != nil
        shown = nil
        let kept = try prepareBeginning(of: scene, shared: shared)
        var changed: [PixelRect] = []
        for number in Set(damage.flatMap(Band.numbers(of:))).sorted() {
            let band = Band(number: number)
            let boxes = damage.compactMap(band.part(of:))
            try draw(scene, in: viewport, band: band, boxes: boxes, after: kept)
            cairo_surface_flush(canvas.surface)
            for box in boxes { changed += pixmap.copyChanges(in: box, from: canvas, whoseFirstRowIs: band.origin) }
        }
        (shown, spoiled) = (scene, [])
        // What a first picture leaves transparent, as the surface was, is new to who gets it.
        return isKnown ? PixelRect.merged(changed) : [pixmap.bounds]
    }

    /// How many nodes at a scene's beginning are kept as pixels.
    private func prepareBeginning(of scene: Scene, shared: Int) throws(RasterError) -> Int {
        if beginning == nil {
            guard shared >= LayerCache.least else { return 0 }
            beginning = try LayerCache(width: pixmap.width, height: pixmap.height)
        }
        return beginning?.prepare(for: scene, shared: shared) ?? 0
    }

    /// Draws boxes of a band, what the scene begins with only once.
    private func draw(
        _ scene: Scene, in viewport: Viewport, band: Band, boxes: [PixelRect], after kept: Int
    ) throws(RasterError) {
        let all = scene.nodes.indices
        guard kept > 0, let beginning else {
            return try drawing.draw(scene, nodes: all, in: viewport, band: band, boxes: boxes)
        }
        if !beginning.copy(band, boxes: boxes, to: canvas) {
            let whole = band.part(of: pixmap.bounds).map { [$0] } ?? []
            try drawing.draw(scene, nodes: 0..<kept, in: viewport, band: band, boxes: whole)
            beginning.keep(band, of: canvas)
        }
        try drawing.draw(scene, nodes: kept..<all.upperBound, in: viewport, band: band, boxes: boxes)
    }

    /// Says that somebody else has changed pixels, so that they are drawn anew with the next scene.
    func spoil(_ pixels: [PixelRect]) { spoiled += pixels }
}
