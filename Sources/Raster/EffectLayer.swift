import CCairo
import Platform
import Scene

/// The picture of a group with effects, whole and on pixels of its own: a blur mixes pixels of all bands.
struct EffectLayer {
    /// What was drawn, and where its points went.
    fileprivate let group: Group
    fileprivate let transform: AffineTransform
    fileprivate let pixmap: Pixmap
    /// Where the pixmap's first pixel lies in the picture.
    fileprivate let x: Int
    fileprivate let y: Int
    /// Pixels of the pixmap for one of the surface.
    fileprivate let resolution: Double

    /// What draws it on the surface, where the drawing's picture is; to be destroyed by who gets it.
    func pattern(on drawing: SceneDrawing) -> OpaquePointer? {
        let pattern = cairo_pattern_create_for_surface(pixmap.surface)
        // Patterns are in the coordinates that the context has: from those to pixels of the pixmap.
        let origin = drawing.picture.map { Point($0.x, $0.y) } ?? .zero
        let shift = origin * -resolution - Point(Double(x), Double(y))
        let map = drawing.deviceTransform.then(.scale(resolution)).then(.translation(shift))
        var matrix = cairo_matrix_t(xx: map.a, yx: map.b, xy: map.c, yy: map.d, x0: map.tx, y0: map.ty)
        cairo_pattern_set_matrix(pattern, &matrix)
        cairo_pattern_set_filter(pattern, resolution == 1 ? CAIRO_FILTER_NEAREST : CAIRO_FILTER_BILINEAR)
        return pattern
    }
}

extension SceneDrawing {
    /// So many layers are kept: one that stays the same is not drawn for every picture.
    private static let mostLayers = 8

    /// Files of vectors have effects as pictures of so many pixels a point.
    private static let vectorResolution = 4.0

    /// The picture of a group that is about to be drawn; nil if none of it is to be seen.
    func effectLayer(of group: Group) throws(RasterError) -> EffectLayer? {
        guard let picture else { return nil }
        let resolution = hasPixels ? 1 : Self.vectorResolution
        var transform = deviceTransform.then(.translation(Point(-picture.x, -picture.y)))
            .then(.scale(resolution))
        // On a grid, so that the same comes out whichever band asks for it.
        transform.tx = (transform.tx * 0x1p20).rounded() * 0x1p-20
        transform.ty = (transform.ty * 0x1p20).rounded() * 0x1p-20
        if let index = effectLayers.firstIndex(where: { $0.transform == transform && $0.group == group }) {
            effectLayers.append(effectLayers.remove(at: index))
            return effectLayers.last
        }
        let size = Size(picture.width * resolution, picture.height * resolution)
        guard let layer = try EffectLayer(group, transform: transform, in: size, resolution: resolution) else {
            return nil
        }
        if effectLayers.count >= Self.mostLayers { effectLayers.removeFirst() }
        effectLayers.append(layer)
        return layer
    }

    /// Draws a group over transparent pixels of a whole surface, its points where `transform` takes them.
    fileprivate func draw(_ group: Group, transform: AffineTransform, size: Size) throws(RasterError) {
        cairo_save(context)
        picture = Rect(size: size)
        defer {
            picture = nil
            cairo_restore(context)
        }
        forgetEmptiness(of: cairo_get_target(context))
        apply(transform)
        try draw(group)
        let status = cairo_status(context)
        guard status == CAIRO_STATUS_SUCCESS else { throw RasterError("drawing", status) }
    }
}

extension EffectLayer {
    /// Draws a group as far as it can be seen in a picture of a size; nil if nothing of it can.
    fileprivate init?(
        _ group: Group, transform: AffineTransform, in picture: Size, resolution: Double
    ) throws(RasterError) {
        let content = Group(clip: group.clip, nodes: group.nodes)
        // A shadow alone is made of what is elsewhere.
        let affected = Group(clip: group.clip, nodes: group.nodes, effects: group.effects)
        guard let source = Node.group(content).bounds, let bounds = Node.group(affected).bounds else { return nil }
        // What is softer than the picture is large looks the same everywhere, and surfaces end somewhere.
        let longest = max(picture.width, picture.height)
        let room = (Double(Pixmap.largestSide) - longest) / 2 - 2
        let reach = max(0, min(group.effectReach(transform), longest, room))
        let box = transform.bounds(of: bounds.union(source)).expanded(by: 2)
        guard let seen = box.intersection(Rect(size: picture).expanded(by: reach)) else { return nil }
        (x, y) = (Int(seen.x.rounded(.down)), Int(seen.y.rounded(.down)))
        let width = max(1, Int(seen.maxX.rounded(.up)) - x), height = max(1, Int(seen.maxY.rounded(.up)) - y)
        let canvas = try Pixmap(width: width, height: height)
        let drawing = try SceneDrawing(on: canvas.surface, hasPixels: true)
        let shift = AffineTransform.translation(Point(-Double(x), -Double(y)))
        try drawing.draw(content, transform: transform.then(shift), size: Size(Double(width), Double(height)))
        cairo_surface_flush(canvas.surface)
        var result = canvas
        for effect in group.effects {
            result = try effect.apply(to: result, transform: transform, mostDeviation: longest / Effect.spread)
        }
        (self.group, self.transform, self.resolution, pixmap) = (group, transform, resolution, result)
    }
}

extension Group {
    /// How far its effects reach, in pixels, where its points go by a transform.
    fileprivate func effectReach(_ transform: AffineTransform) -> Double {
        let point = Rect(x: 0, y: 0, width: 0, height: 0)
        let reached = transform.bounds(of: effects.reduce(point) { $1.reach(of: $0) })
        let origin = transform.apply(.zero)
        return max(origin.x - reached.x, origin.y - reached.y, reached.maxX - origin.x, reached.maxY - origin.y)
    }
}
