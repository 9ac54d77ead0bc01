import CCairo
import Core

// Drawing of groups: flattening and compositing.
extension SceneDrawing {
    func draw(_ group: Group) throws(RasterError) {
        guard group.opacity > 0 || group.blendMode.reachesBeyondSource else { return }
        cairo_save(context)
        defer { cairo_restore(context) }
        // A group scaled to a line or a point is invisible, and its transform is an error in Cairo.
        let transform = group.transform.then(deviceTransform)
        let maxScale = max(hypot(transform.a, transform.b), hypot(transform.c, transform.d))
        guard abs(transform.determinant) > Self.minScale * maxScale else { return blendNothing(as: group) }
        apply(group.transform)
        if !group.effects.isEmpty {
            guard let layer = try effectLayer(of: group) else { return blendNothing(as: group) }
            return try composite(pattern(of: layer), of: group)
        }
        if let clip = group.clip { self.clip(to: clip) }
        guard group.needsFlattening else {
            let wasClipped = isClippedToOutline
            isClippedToOutline = wasClipped || group.clip != nil
            defer { isClippedToOutline = wasClipped }
            for node in group.nodes where isVisible(node) { try draw(node) }
            return
        }
        // `cairo_push_group` makes the layer as large as the clip.
        guard let bounds = group.contentBounds else { return blendNothing(as: group) }
        if !group.blendMode.reachesBeyondSource { clipToPixels(bounds, outlines: group.outlines ?? bounds) }
        try composite(try flattened(group.nodes), of: group)
    }

    /// Blends a group without any visible part with the backdrop within the clip.
    private func blendNothing(as group: Group) {
        guard group.blendMode.reachesBeyondSource else { return }
        cairo_set_operator(context, CAIRO_OPERATOR_CLEAR)
        cairo_paint(context)
    }

    /// The minimum scale, in pixels per point in any direction. A smaller group has no visible
    /// part, and its gradients exceed the range of Cairo's numbers.
    private static let minScale = 2e-5

    /// Returns a pattern that paints a layer. The caller must destroy it.
    private func pattern(of layer: EffectLayer) -> OpaquePointer? {
        let pattern = layer.pattern(on: self)
        guard isClippedToOutline, hasPixels else { return pattern }
        // As wide as the clip, whose outline would be cut at the layer's sides otherwise.
        defer { cairo_pattern_destroy(pattern) }
        cairo_push_group(context)
        markNonEmpty(cairo_get_group_target(context))
        cairo_reset_clip(context)
        cairo_set_source(context, pattern)
        cairo_set_operator(context, CAIRO_OPERATOR_SOURCE)
        cairo_paint(context)
        return cairo_pop_group(context)
    }

    func clip(to path: Path) {
        trace(path, flattensArcs: hasPixels)
        cairo_set_fill_rule(context, CAIRO_FILL_RULE_WINDING)
        cairo_clip(context)
    }

    /// Composites the flattened content of a group with the backdrop, within the clip. Takes
    /// ownership of `content`.
    private func composite(_ content: OpaquePointer?, of group: Group) throws(RasterError) {
        guard group.blendMode.mustFadeFirst, group.opacity < 1 || group.mask != nil || !hasHardClip else {
            return try blend(content, of: group)
        }
        let faded = try faded(content, of: group)
        hardenClip()
        try blend(faded, of: Group(nodes: [], blendMode: group.blendMode))
    }

    /// Blends content, faded by the group's mask and opacity, with the backdrop within the clip.
    /// Takes ownership of `content`.
    private func blend(_ content: OpaquePointer?, of group: Group) throws(RasterError) {
        defer { cairo_pattern_destroy(content) }
        guard let mask = group.mask else {
            cairo_set_source(context, content)
            cairo_set_operator(context, group.blendMode.cairo)
            // Cairo gives the opacity 16 bits within whole pixels, and 8 at soft edges. Some
            // operators use all of them.
            let opacity = hasPixels ? Double(Int(group.opacity * 65535 + 0.5) >> 8) / 255 : group.opacity
            cairo_paint_with_alpha(context, opacity)
            return
        }
        let shape = try flattened(mask.nodes) { context in
            if mask.isInverted {
                cairo_set_operator(context, CAIRO_OPERATOR_XOR)
                cairo_set_source_rgba(context, 0, 0, 0, 1)
                cairo_paint(context)
            }
            if group.opacity < 1 {
                cairo_set_operator(context, CAIRO_OPERATOR_DEST_IN)
                cairo_set_source_rgba(context, 0, 0, 0, group.opacity)
                cairo_paint(context)
            }
        }
        defer { cairo_pattern_destroy(shape) }
        cairo_set_source(context, content)
        cairo_set_operator(context, group.blendMode.cairo)
        cairo_mask(context, shape)
    }

    /// Returns content faded by the group's mask and opacity and by the clip, whose edge may be
    /// soft, but not yet blended. Takes ownership of `content`.
    private func faded(_ content: OpaquePointer?, of group: Group) throws(RasterError) -> OpaquePointer? {
        var plain = group
        plain.blendMode = .normal
        cairo_push_group(context)
        markNonEmpty(cairo_get_group_target(context))
        do throws(RasterError) { try blend(content, of: plain) } catch {
            cairo_pattern_destroy(cairo_pop_group(context))
            throw error
        }
        return cairo_pop_group(context)
    }

    /// Flattens nodes to a pattern as large as the clip, and calls `finish` before it ends. The
    /// caller must destroy the pattern.
    private func flattened(
        _ nodes: [Node], finish: (OpaquePointer) -> Void = { _ in }
    ) throws(RasterError) -> OpaquePointer? {
        cairo_push_group(context)
        markNonEmpty(cairo_get_group_target(context))
        // The clip applies to the layer as a whole. Applied to each node as well, it would harden
        // its soft edge.
        cairo_reset_clip(context)
        let wasClipped = isClippedToOutline
        isClippedToOutline = false
        defer { isClippedToOutline = wasClipped }
        cairo_set_operator(context, CAIRO_OPERATOR_OVER)
        do throws(RasterError) {
            for node in nodes where isVisible(node) { try draw(node) }
        } catch {
            // The pushed group must be popped before anything else is restored.
            cairo_pattern_destroy(cairo_pop_group(context))
            throw error
        }
        finish(context)
        return cairo_pop_group(context)
    }
}

extension BlendMode {
    /// True if the source must be faded before it is blended. In these modes Pixman applies a mask,
    /// or the soft edge of a clip, twice to green and not at all to blue.
    var mustFadeFirst: Bool { [.hue, .saturation, .color, .luminosity].contains(self) }

    /// The corresponding Cairo operator.
    var cairo: cairo_operator_t {
        switch self {
        case .normal: CAIRO_OPERATOR_OVER
        case .multiply: CAIRO_OPERATOR_MULTIPLY
        case .screen: CAIRO_OPERATOR_SCREEN
        case .overlay: CAIRO_OPERATOR_OVERLAY
        case .darken: CAIRO_OPERATOR_DARKEN
        case .lighten: CAIRO_OPERATOR_LIGHTEN
        case .colorDodge: CAIRO_OPERATOR_COLOR_DODGE
        case .colorBurn: CAIRO_OPERATOR_COLOR_BURN
        case .hardLight: CAIRO_OPERATOR_HARD_LIGHT
        case .softLight: CAIRO_OPERATOR_SOFT_LIGHT
        case .difference: CAIRO_OPERATOR_DIFFERENCE
        case .exclusion: CAIRO_OPERATOR_EXCLUSION
        case .hue: CAIRO_OPERATOR_HSL_HUE
        case .saturation: CAIRO_OPERATOR_HSL_SATURATION
        case .color: CAIRO_OPERATOR_HSL_COLOR
        case .luminosity: CAIRO_OPERATOR_HSL_LUMINOSITY
        case .add: CAIRO_OPERATOR_ADD
        case .destinationIn: CAIRO_OPERATOR_DEST_IN
        case .destinationOut: CAIRO_OPERATOR_DEST_OUT
        case .xor: CAIRO_OPERATOR_XOR
        }
    }
}
