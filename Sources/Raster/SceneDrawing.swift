import CCairo
import Core

/// The drawing of scenes on a Cairo surface, either a bitmap or vector graphics. Not thread-safe.
final class SceneDrawing {
    /// The maximum distance of Cairo's polygons from curves, in pixels. With Cairo's default of 0.1
    /// the area of small discs is up to 0.7% too small.
    static let tolerance = 0.02

    let context: OpaquePointer
    let hasPixels: Bool
    private var text: TextRenderer?
    /// The images drawn so far, shared with the drawings of effects.
    private let images: ImageSources
    /// The visible rectangles in pixels; nil for everything.
    private var visibleRects: [Rect]?
    /// The bounds of the whole drawing in pixels of the surface; nil outside of `draw`.
    var drawingBounds: Rect?
    /// The tables and pixels of gradients, shared with the drawings of effects.
    let gradients: GradientBuffers
    /// True while nodes are drawn that the clip of a group applies to one by one.
    var isClippedToOutline = false
    /// The most recently used layers of groups with effects.
    var effectLayers: [EffectLayer] = []

    /// A drawing on a surface, which it keeps alive.
    ///
    /// - Parameters:
    ///   - hasPixels: true for a bitmap. On other surfaces arcs are kept as arcs.
    ///   - outer: the drawing that this one is a part of.
    init(on surface: OpaquePointer, hasPixels: Bool, within outer: SceneDrawing? = nil) throws(RasterError) {
        guard let context = cairo_create(surface), cairo_status(context) == CAIRO_STATUS_SUCCESS else {
            throw RasterError(description: "drawing: out of memory", isOutOfMemory: true)
        }
        self.context = context
        self.hasPixels = hasPixels
        images = outer?.images ?? ImageSources()
        gradients = outer?.gradients ?? GradientBuffers()
        cairo_set_tolerance(context, SceneDrawing.tolerance)
    }

    /// Begins a frame, for which images of earlier ones may be released.
    func beginFrame() { images.beginFrame() }

    deinit { cairo_destroy(context) }

    /// Draws a scene over the whole surface with a transform from points to pixels.
    ///
    /// Throws `RasterError` if a coordinate is not finite, which Cairo would ignore silently, or if
    /// Cairo fails.
    func draw(_ scene: Scene, transform: AffineTransform) throws(RasterError) {
        try checkFiniteness(of: scene)
        drawingBounds = transform.bounds(of: Rect(size: scene.size))
        defer { drawingBounds = nil }
        setSource(scene.background)
        cairo_set_operator(context, CAIRO_OPERATOR_SOURCE)
        cairo_paint(context)
        try paint(scene.nodes[...], of: scene, transform: transform, isClipped: false)
    }

    /// Draws boxes of a band of a scene, clipped to the canvas, on a surface whose first row is the
    /// band's origin. The pixels around the boxes are undefined afterwards.
    ///
    /// Throws `RasterError` if Cairo fails; coordinates must be finite.
    ///
    /// - Parameter part: the nodes to draw. If it starts at 0 the background is drawn first,
    ///   otherwise the nodes are drawn over the existing pixels.
    func draw(
        _ scene: Scene, nodes part: Range<Int>, in viewport: Viewport, band: Band, boxes: [PixelRect]
    ) throws(RasterError) {
        let transform = viewport.transform.then(.translation(Point(0, -Double(band.origin))))
        let rects = boxes.map { box in
            Rect(
                x: Double(box.x), y: Double(box.y - band.origin), width: Double(box.width), height: Double(box.height))
        }
        if part.lowerBound == 0 { fill(boxes, of: band, with: scene.background) }
        markNonEmpty(cairo_get_target(context))
        visibleRects = rects
        let size = Size(Double(viewport.width), Double(viewport.height))
        drawingBounds = Rect(x: 0, y: -Double(band.origin), width: size.width, height: size.height)
        defer {
            visibleRects = nil
            drawingBounds = nil
        }
        // Whole pixels, so edges stay hard. Otherwise large shapes would be drawn on the rest of
        // the surface too.
        cairo_save(context)
        defer { cairo_restore(context) }
        cairo_rectangle(context, 0, 0, Double(Pixmap.maxSide), Double(band.drawnHeight))
        cairo_clip(context)
        try paint(scene.nodes[part], of: scene, transform: transform, isClipped: viewport.isLetterboxed)
    }

    /// Fills rectangles of a band with a colour, replacing the existing pixels.
    func fill(_ boxes: [PixelRect], of band: Band, with color: Color) {
        guard !boxes.isEmpty else { return }
        for box in boxes {
            cairo_rectangle(
                context, Double(box.x), Double(box.y - band.origin), Double(box.width), Double(box.height))
        }
        setSource(color)
        cairo_set_operator(context, CAIRO_OPERATOR_SOURCE)
        cairo_fill(context)
    }

    /// Returns true if any part of a node may be visible under the current transform.
    func isVisible(_ node: Node) -> Bool {
        guard let visibleRects, !node.reachesBeyondBounds else { return true }
        guard let bounds = node.bounds.map({ deviceTransform.bounds(of: $0).expanded(by: 2) }) else { return false }
        return visibleRects.contains { bounds.intersection($0) != nil }
    }

    /// Throws `RasterError` if a coordinate is not finite, skipping nodes before `first`, which are
    /// known to be finite.
    func checkFiniteness(of scene: Scene, from first: Int = 0) throws(RasterError) {
        guard scene.isFinite(from: first) else {
            throw RasterError(description: "drawing: a coordinate is not a finite number")
        }
    }

    /// Draws nodes of a scene over the existing pixels.
    private func paint(
        _ nodes: ArraySlice<Node>, of scene: Scene, transform: AffineTransform, isClipped: Bool
    ) throws(RasterError) {
        cairo_save(context)
        defer { cairo_restore(context) }
        cairo_set_operator(context, CAIRO_OPERATOR_OVER)
        apply(transform)
        if isClipped {
            cairo_rectangle(context, 0, 0, scene.size.width, scene.size.height)
            cairo_clip(context)
        }
        for node in nodes where isVisible(node) { try draw(node) }
        try checkStatus()
    }

    /// Throws `RasterError` if Cairo has failed.
    func checkStatus() throws(RasterError) {
        let status = cairo_status(context)
        guard status == CAIRO_STATUS_SUCCESS else { throw RasterError("drawing", status) }
    }

    /// Makes Cairo draw the first node on a surface like any other. On a surface known to be empty
    /// Cairo uses another operator, which rounds differently, and which node comes first depends on
    /// the damage.
    func markNonEmpty(_ surface: OpaquePointer?) {
        if hasPixels { cairo_surface_mark_dirty(surface) }
    }

    func draw(_ node: Node) throws(RasterError) {
        switch node {
        case .shape(let shape): draw(shape)
        case .image(let image): try draw(image)
        case .text(let text): draw(text)
        case .group(let group): try draw(group)
        }
    }

    private func draw(_ shape: Shape) {
        if let fill = shape.fill {
            self.fill(shape.path, with: fill, rule: shape.fillRule)
        }
        guard let stroke = shape.stroke, let path = stroke.visiblePart(of: shape.path) else { return }
        let dash = stroke.visibleDash
        if hasPixels, dash == nil, let outline = ArcOutline.stroke(along: path, width: stroke.width, cap: stroke.cap) {
            return fill(outline, with: stroke.paint, isOutline: true)
        }
        trace(path, flattensArcs: false)
        setSource(stroke.paint)
        // In a unit of twice the size, the line is the same, but Cairo no longer takes the
        // transform for one without a scale.
        let unit = hasPixels && deviceTransform.looksUnscaled ? 2.0 : 1
        cairo_scale(context, unit, unit)
        defer { cairo_scale(context, 1 / unit, 1 / unit) }
        cairo_set_line_width(context, stroke.width / unit)
        cairo_set_line_cap(context, stroke.cap.cairo)
        cairo_set_line_join(context, stroke.join.cairo)
        cairo_set_miter_limit(context, stroke.miterLimit)
        let lengths = dash?.drawnLengths(minLength: stroke.cap == .butt ? 0 : Self.tolerance / scale) ?? []
        cairo_set_dash(context, lengths.map { $0 / unit }, Int32(lengths.count), (dash?.phase ?? 0) / unit)
        cairo_stroke(context)
    }

    /// Fills a path.
    ///
    /// - Parameter isOutline: true for the outline of a stroke, which covers little of its bounds,
    ///   so that Cairo's own gradients are faster.
    private func fill(_ path: Path, with paint: Paint, rule: FillRule = .nonZero, isOutline: Bool = false) {
        trace(path, flattensArcs: hasPixels)
        cairo_set_fill_rule(context, rule == .evenOdd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
        if hasPixels, let gradient = GradientImage(paint, transform: deviceTransform),
            fill(withPixelsOf: gradient, isOutline: isOutline)
        {
            return
        }
        setSource(paint)
        cairo_fill(context)
    }

    private func draw(_ image: Image) throws(RasterError) {
        let bitmap = image.bitmap
        let frame = image.frame
        let scale = max(frame.width / Double(bitmap.width), frame.height / Double(bitmap.height))
        guard scale > 0 else { return }
        cairo_save(context)
        defer { cairo_restore(context) }
        cairo_rectangle(context, frame.x, frame.y, frame.width, frame.height)
        cairo_clip(context)
        cairo_translate(context, frame.center.x, frame.center.y)
        cairo_scale(context, scale, scale)
        let scales = deviceTransform.scales
        let level = try images.source(of: bitmap).level(for: hasPixels ? scales.larger : 1)
        cairo_translate(context, -Double(bitmap.width) / 2, -Double(bitmap.height) / 2)
        cairo_scale(context, level.pixelSize, level.pixelSize)
        cairo_set_source_surface(context, level.pixmap.surface, 0, 0)
        // The bilinear filter skips pixels along an axis that is reduced to less than half.
        let isUneven = scales.smaller * level.pixelSize < 0.5
        let filter = isUneven || !hasPixels ? CAIRO_FILTER_BEST : CAIRO_FILTER_BILINEAR
        cairo_pattern_set_filter(cairo_get_source(context), filter)
        // Otherwise the bitmap's edges would be blended with the transparent pixels around them.
        cairo_pattern_set_extend(cairo_get_source(context), CAIRO_EXTEND_PAD)
        cairo_paint(context)
    }

    private func draw(_ text: Text) {
        let frame = text.frame
        cairo_save(context)
        defer { cairo_restore(context) }
        cairo_rectangle(context, frame.x, frame.y, frame.width, frame.height)
        cairo_clip(context)
        setSource(text.color)
        let renderer = self.text ?? TextRenderer(context, fonts: TextSystem.newFonts)
        self.text = renderer
        renderer.show(text)
    }
}
