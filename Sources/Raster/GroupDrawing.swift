import CCairo
import Platform
import Scene

// Groups: what is drawn as one picture, and how that is laid over what is behind it.
extension SceneDrawing {
    func draw(_ group: Group) throws(RasterError) {
        guard group.opacity > 0 else { return }
        cairo_save(context)
        defer { cairo_restore(context) }
        // What is squeezed to a line or a point is not seen, and to Cairo it is an error.
        let transform = group.transform.then(deviceTransform)
        let longest = max(hypot(transform.a, transform.b), hypot(transform.c, transform.d))
        guard abs(transform.a * transform.d - transform.b * transform.c) > Self.leastWidth * longest else { return }
        apply(group.transform)
        if !group.effects.isEmpty {
            guard let layer = try effectLayer(of: group) else { return }
            return try composite(layer.pattern(on: self), of: group)
        }
        if let clip = group.clip { self.clip(to: clip) }
        guard group.isLayer else {
            for node in group.nodes where isVisible(node) { try draw(node) }
            return
        }
        // The layer is only as large as what is in it: cairo_push_group takes the clip's extent.
        guard let bounds = Node.bounds(of: group.nodes) else { return }
        if !group.blendMode.reachesBeyondSource { clipToPixels(bounds) }
        try composite(try picture(of: group.nodes), of: group)
    }

    /// Pixels that a point takes at least in every direction: so narrow a group has no visible part, and the numbers that Cairo has
    /// for gradients in it end.
    private static let leastWidth = 2e-5

    func clip(to path: Path) {
        trace(path, flattensArcs: hasPixels)
        cairo_set_fill_rule(context, CAIRO_FILL_RULE_WINDING)
        cairo_clip(context)
    }

    /// Lays a group's picture, which it takes over, over what is there, within the clip.
    private func composite(_ content: OpaquePointer?, of group: Group) throws(RasterError) {
        if group.blendMode.fadesWrongly, group.opacity < 1 || group.mask != nil {
            return try composite(try faded(content, of: group), of: Group(nodes: [], blendMode: group.blendMode))
        }
        defer { cairo_pattern_destroy(content) }
        guard let mask = group.mask else {
            cairo_set_source(context, content)
            cairo_set_operator(context, group.blendMode.cairo)
            cairo_paint_with_alpha(context, group.opacity)
            return
        }
        let shape = try picture(of: mask.nodes) { context in
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

    /// A group's picture, which it takes over, faded by the group's mask and opacity and mixed with nothing.
    private func faded(_ content: OpaquePointer?, of group: Group) throws(RasterError) -> OpaquePointer? {
        var plain = group
        plain.blendMode = .normal
        cairo_push_group(context)
        forgetEmptiness(of: cairo_get_group_target(context))
        cairo_reset_clip(context)
        do throws(RasterError) { try composite(content, of: plain) } catch {
            cairo_pattern_destroy(cairo_pop_group(context))
            throw error
        }
        return cairo_pop_group(context)
    }

    /// A picture of nodes, as large as the clip, on which `finish` works at the end; to be destroyed by who gets it.
    private func picture(
        of nodes: [Node], finish: (OpaquePointer) -> Void = { _ in }
    ) throws(RasterError) -> OpaquePointer? {
        cairo_push_group(context)
        forgetEmptiness(of: cairo_get_group_target(context))
        // The clip is for the layer as a whole; on each node too, it would harden its soft edge.
        cairo_reset_clip(context)
        cairo_set_operator(context, CAIRO_OPERATOR_OVER)
        do throws(RasterError) {
            for node in nodes where isVisible(node) { try draw(node) }
        } catch {
            // What was pushed must be popped before anything else is restored.
            cairo_pattern_destroy(cairo_pop_group(context))
            throw error
        }
        finish(context)
        return cairo_pop_group(context)
    }
}

extension BlendMode {
    /// Whether Cairo's pixels come out wrong where the picture is faded while it is mixed: Pixman fades green twice in these
    /// modes, and blue not at all.
    fileprivate var fadesWrongly: Bool { [.hue, .saturation, .color, .luminosity].contains(self) }

    /// What Cairo calls it.
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
