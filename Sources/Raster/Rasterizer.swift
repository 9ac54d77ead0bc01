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
    /// What the pictures begin with, once they share something: what stays for long, and over it what stays for a while.
    private var beginnings: [LayerCache] = []
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
        let kept = try prepareBeginnings(of: scene, shared: shared)
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

    /// For how many pictures a longer beginning must have been the same, for each of those that are kept.
    private static let patience = [45, 3]

    /// How many nodes at a scene's beginning each layer keeps as pixels.
    private func prepareBeginnings(of scene: Scene, shared: Int) throws(RasterError) -> [Int] {
        if beginnings.isEmpty, shared >= LayerCache.least {
            for patience in Self.patience {
                beginnings.append(try LayerCache(width: pixmap.width, height: pixmap.height, patience: patience))
            }
        }
        return beginnings.map { $0.prepare(for: scene, shared: shared) }
    }

    /// Draws boxes of a band, what the scene begins with only once.
    private func draw(
        _ scene: Scene, in viewport: Viewport, band: Band, boxes: [PixelRect], after kept: [Int]
    ) throws(RasterError) {
        // The longest beginning comes first; where it has to be made, a shorter one helps.
        let layers = zip(beginnings, kept).filter { $0.1 > 0 }.sorted { $0.1 > $1.1 }
        try drawBeginning(scene, in: viewport, band: band, boxes: boxes, layers[...])
        try drawing.draw(
            scene, nodes: (layers.first?.1 ?? 0)..<scene.nodes.count, in: viewport, band: band, boxes: boxes)
    }

    /// Draws what a scene begins with in boxes of a band, and keeps what is drawn for later.
    private func drawBeginning(
        _ scene: Scene, in viewport: Viewport, band: Band, boxes: [PixelRect],
        _ layers: ArraySlice<(LayerCache, Int)>
    ) throws(RasterError) {
        guard let (layer, count) = layers.first else { return }
        if layer.copy(band, boxes: boxes, to: canvas) { return }
        let whole = band.part(of: pixmap.bounds).map { [$0] } ?? []
        let shorter = layers.dropFirst()
        try drawBeginning(scene, in: viewport, band: band, boxes: whole, shorter)
        try drawing.draw(
            scene, nodes: (shorter.first?.1 ?? 0)..<count, in: viewport, band: band, boxes: whole)
        layer.keep(band, of: canvas)
    }

    /// Says that somebody else has changed pixels, so that they are drawn anew with the next scene.
    func spoil(_ pixels: [PixelRect]) { spoiled += pixels }
}
