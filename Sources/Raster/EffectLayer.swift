import CCairo
import Core

/// A flattened group with its effects. It has a bitmap of its own, since a blur mixes pixels of all
/// bands.
struct EffectLayer {
    /// The group and the transform that it was drawn with, which identify the layer.
    fileprivate let group: Group
    fileprivate let transform: AffineTransform
    fileprivate let pixmap: Pixmap
    /// The column and row of the drawing at which the pixmap's first pixel lies.
    fileprivate let x: Int
    fileprivate let y: Int
    /// Pixmap pixels per pixel of the surface.
    fileprivate let resolution: Double

    /// Returns a pattern that paints the layer at its position. The caller must destroy it.
    func pattern(on drawing: SceneDrawing) -> OpaquePointer? {
        let pattern = cairo_pattern_create_for_surface(pixmap.surface)
        // A pattern's matrix maps user space, as set in the context, to pixels of the pixmap.
        let origin = drawing.drawingBounds.map { Point($0.x, $0.y) } ?? .zero
        let shift = origin * -resolution - Point(Double(x), Double(y))
        let map = drawing.deviceTransform.then(.scale(resolution)).then(.translation(shift))
        var matrix = cairo_matrix_t(xx: map.a, yx: map.b, xy: map.c, yy: map.d, x0: map.tx, y0: map.ty)
        cairo_pattern_set_matrix(pattern, &matrix)
        cairo_pattern_set_filter(pattern, resolution == 1 ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_BILINEAR)
        return pattern
    }
}

extension SceneDrawing {
    /// The maximum number of cached layers. A layer that does not change is not drawn for every
    /// frame.
    private static let maxLayers = 8

    /// Pixels per point of effects in vector files, where they are embedded images.
    private static let vectorResolution = 4.0

    /// Returns the layer of a group that is about to be drawn; nil if none of it is visible.
    func effectLayer(of group: Group) throws(RasterError) -> EffectLayer? {
        guard let drawingBounds else { return nil }
        let resolution = hasPixels ? 1 : vectorResolution(of: group, in: drawingBounds)
        var transform = deviceTransform.then(.translation(Point(-drawingBounds.x, -drawingBounds.y)))
            .then(.scale(resolution))
        // Snapped to a grid, so that all bands share the same layer.
        transform.tx = (transform.tx * 0x1p20).rounded() * 0x1p-20
        transform.ty = (transform.ty * 0x1p20).rounded() * 0x1p-20
        if let index = effectLayers.firstIndex(where: { $0.transform == transform && $0.group == group }) {
            effectLayers.append(effectLayers.remove(at: index))
            return effectLayers.last
        }
        let size = Size(drawingBounds.width * resolution, drawingBounds.height * resolution)
        let made: EffectLayer?
        if case .perspective(let projection)? = group.effects.first {
            made = try EffectLayer(
                group, projection, transform: transform, in: size, resolution: resolution, within: self)
        } else {
            made = try EffectLayer(group, transform: transform, in: size, resolution: resolution, within: self)
        }
        guard let layer = made else { return nil }
        if effectLayers.count >= Self.maxLayers { effectLayers.removeFirst() }
        effectLayers.append(layer)
        return layer
    }

    /// Returns the pixels per point of a group's effects in a vector file: fewer for a group that
    /// would exceed the largest pixmap.
    private func vectorResolution(of group: Group, in drawingBounds: Rect) -> Double {
        let transform = deviceTransform.then(.translation(Point(-drawingBounds.x, -drawingBounds.y)))
        let size = Size(drawingBounds.width, drawingBounds.height)
        guard let box = group.effectBounds(transform, in: size, maxMargin: 0) else { return Self.vectorResolution }
        // The box is expanded to whole pixels.
        return min(Self.vectorResolution, Double(Pixmap.maxSide - 16) / max(box.width, box.height))
    }

    /// Draws a group on a transparent surface with the given transform.
    func draw(_ group: Group, transform: AffineTransform, size: Size) throws(RasterError) {
        cairo_save(context)
        drawingBounds = Rect(size: size)
        defer {
            drawingBounds = nil
            cairo_restore(context)
        }
        markNonEmpty(cairo_get_target(context))
        apply(transform)
        try draw(group)
        try checkStatus()
    }
}

extension EffectLayer {
    init(_ group: Group, _ pixmap: Pixmap, transform: AffineTransform, x: Int, y: Int, resolution: Double) {
        self.group = group
        self.transform = transform
        self.pixmap = pixmap
        self.x = x
        self.y = y
        self.resolution = resolution
    }

    /// Draws the part of a group that is visible in a drawing of the given size; nil if there is
    /// none.
    fileprivate init?(
        _ group: Group, transform: AffineTransform, in size: Size, resolution: Double, within outer: SceneDrawing
    ) throws(RasterError) {
        let longSide = max(size.width, size.height)
        let maxMargin = (Double(Pixmap.maxSide) - longSide) / 2 - 2
        guard let visible = group.effectBounds(transform, in: size, maxMargin: maxMargin) else { return nil }
        (x, y) = (Int(visible.x.rounded(.down)), Int(visible.y.rounded(.down)))
        let width = max(1, Int(visible.maxX.rounded(.up)) - x)
        let height = max(1, Int(visible.maxY.rounded(.up)) - y)
        let target = try Pixmap(width: width, height: height)
        let drawing = try SceneDrawing(on: target.surface, hasPixels: true, within: outer)
        let shift = AffineTransform.translation(Point(-Double(x), -Double(y)))
        let content = Group(clip: group.clip, nodes: group.nodes)
        try drawing.draw(content, transform: transform.then(shift), size: Size(Double(width), Double(height)))
        cairo_surface_flush(target.surface)
        var result = target
        for effect in group.effects {
            result = try effect.apply(
                to: result, transform: transform, origin: Point(Double(x), Double(y)),
                maxDeviation: longSide / Effect.cutoffInDeviations)
        }
        self.group = group
        self.transform = transform
        self.resolution = resolution
        pixmap = result
    }
}
