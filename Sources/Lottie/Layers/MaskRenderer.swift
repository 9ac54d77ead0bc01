import Core
import Raster

/// A renderer that converts the masks of a layer at one frame to nodes.
struct MaskRenderer {
    /// A mask's values at the frame.
    private struct Area {
        var mode: LayerMask.Mode
        var outline: Path
        var opacity: Double
        var isInverted: Bool
        /// The standard deviations of the feather in points; nil for a sharp edge.
        var feather: Size?

        /// True if a clip along the outline gives the same result.
        var isClip: Bool {
            [.add, .lighten].contains(mode) && !isInverted && opacity == 1 && feather == nil
        }

        /// Returns the shape in a colour, with its feather.
        func shape(_ color: Color) -> Node {
            let shape = Node.shape(Shape(outline, fill: color))
            return feather.map { .group(Group(nodes: [shape], effects: [.blur($0)])) } ?? shape
        }
    }

    private let areas: [Area]
    /// The bounds of the layer's contents.
    private let bounds: Rect

    /// The standard deviation in points for a feather of 1. The specification gives none. This is
    /// the factor of blurs, whose soft edge is about as wide as After Effects' feather.
    private static let featherDeviation = 0.3

    init(_ masks: [LayerMask], around bounds: Rect, at frame: Double, in context: FrameContext) {
        self.bounds = bounds
        areas = masks.map { mask in
            let feather = mask.feather.value(at: frame, in: context)
            let deviation = Size(
                max(0, feather.first ?? 0) * Self.featherDeviation, max(0, feather.last ?? 0) * Self.featherDeviation)
            return Area(
                mode: mask.mode, outline: Self.outline(of: mask, at: frame, in: context),
                opacity: clamp01(mask.opacity.value(at: frame, in: context) / 100), isInverted: mask.isInverted,
                feather: deviation.width > 0 || deviation.height > 0 ? deviation : nil)
        }
    }

    /// Returns a mask's path with its expansion.
    private static func outline(
        of mask: LayerMask, at frame: Double, in context: FrameContext
    ) -> Path {
        var path = Path()
        var contour = mask.path.value(at: frame, in: context)
        contour.isClosed = true
        contour.add(to: &path)
        let expansion = mask.expansion.value(at: frame, in: context)
        guard expansion != 0 else { return path }
        return path.offset(
            by: expansion, join: .round, miterLimit: 4, flatness: BezierContour.flatness,
            budget: context.pathBudget)
    }

    /// Returns masked nodes: clipped to one opaque mask in Add mode, and otherwise in a group with
    /// a mask.
    func masked(_ nodes: [Node]) -> Node {
        if areas.count == 1, areas[0].isClip { return .group(Group(clip: areas[0].outline, nodes: nodes)) }
        // No operator takes the maximum or the minimum of alpha; blend modes do so for colours.
        let isByLuminance = areas.contains { $0.mode.isExtreme && ($0.opacity < 1 || $0.feather != nil) }
        return .group(Group(nodes: nodes, mask: isByLuminance ? luminanceMask : alphaMask))
    }

    /// Returns the bounds of the layer's contents with a margin, as a shape.
    private func everything(_ color: Color) -> Node {
        .shape(Shape(.rectangle(bounds.expanded(by: 2)), fill: color))
    }

    /// True if the first mask removes parts of the layer, instead of adding parts to nothing.
    private var startsWithEverything: Bool {
        guard let mode = areas.first?.mode else { return false }
        return [.subtract, .intersect, .darken].contains(mode)
    }

    // MARK: By alpha

    private var alphaMask: Mask {
        var nodes = startsWithEverything ? [everything(.black)] : []
        for area in areas {
            let shape = area.shape(.black)
            var group = Group(opacity: area.opacity, nodes: [shape])
            if area.isInverted {
                group.nodes = [everything(.black), .group(Group(nodes: [shape], blendMode: .destinationOut))]
                // The clip makes the group a surface of its own, so that `destinationOut` only
                // affects `everything`.
                group.clip = .rectangle(bounds.expanded(by: 3))
            }
            switch area.mode {
            // Of opaque masks, Lighten is the union and Darken the intersection.
            case .add, .lighten: break
            case .subtract: group.blendMode = .destinationOut
            case .intersect, .darken:
                guard area.opacity > 0, group.nodes.contains(where: { $0.bounds != nil }) else {
                    // The intersection with nothing; drawing nothing would keep the rest.
                    nodes = []
                    continue
                }
                group.blendMode = .destinationIn
            case .difference: group.blendMode = .xor
            }
            nodes.append(.group(group))
        }
        return Mask(nodes)
    }

    // MARK: By luminance

    /// The mask in shades of grey. Its blend modes change brightness as the masks' modes change
    /// alpha.
    private var luminanceMask: Mask {
        var nodes = [everything(startsWithEverything ? .white : .black)]
        for area in areas {
            // Subtract multiplies by what its area leaves.
            let isNegative = area.isInverted != (area.mode == .subtract)
            let (background, foreground) = isNegative ? (Color.white, Color.black) : (Color.black, Color.white)
            // An inverted area fades to black, like any other; the rest of Subtract fades to white.
            let faded = area.mode == .subtract ? Color.white : Color.black
            nodes.append(
                .group(
                    Group(
                        nodes: [
                            everything(faded),
                            .group(
                                Group(opacity: area.opacity, nodes: [everything(background), area.shape(foreground)])),
                        ], blendMode: area.mode.luminanceBlendMode)))
        }
        return Mask([.group(Group(nodes: nodes, effects: [.luminanceToAlpha]))])
    }
}

extension LayerMask.Mode {
    /// True if the mode takes the larger or smaller of two values.
    fileprivate var isExtreme: Bool { self == .lighten || self == .darken }

    fileprivate var luminanceBlendMode: BlendMode {
        switch self {
        case .add: .screen
        case .subtract, .intersect: .multiply
        case .difference: .exclusion
        case .lighten: .lighten
        case .darken: .darken
        }
    }
}
