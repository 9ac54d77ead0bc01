/// How a picture is mixed with what is behind it: the blend modes of PDF and of After Effects, and the operators of Porter and
/// Duff ("Compositing digital images", 1984) with which masks are put together.
public enum BlendMode: Sendable, CaseIterable {
    /// Laid over it.
    case normal
    // Each colour by itself.
    case multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, hardLight, softLight, difference, exclusion
    // Hue, saturation and luminosity.
    case hue, saturation, color, luminosity
    /// The sum, cut off at white: After Effects' Add, Core Graphics' plus lighter.
    case add
    /// Only what is behind stays, where and as far as the picture is opaque. What the picture does not touch goes, too.
    case destinationIn
    /// Only what is behind stays, where and as far as the picture is transparent.
    case destinationOut
    /// Where only one of both is.
    case xor

    /// Whether it changes what is behind it where it paints nothing itself.
    package var reachesBeyondSource: Bool { self == .destinationIn }
}

/// How much of a group shows: as much as the picture of some nodes is opaque.
public struct Mask: Sendable, Equatable {
    /// What the mask's picture is of, in the coordinates of the group's nodes. `Effect.luminanceToAlpha` makes light opaque.
    public var nodes: [Node]
    /// Whether the group shows where the mask is transparent instead.
    public var isInverted: Bool

    /// A mask of some nodes.
    public init(_ nodes: [Node], isInverted: Bool = false) { (self.nodes, self.isInverted) = (nodes, isInverted) }
}

/// What is done to a group's picture as a whole.
public enum Effect: Sendable, Hashable {
    /// Softened by Gaussians of these standard deviations in points; 0 leaves a direction sharp.
    case blur(Size)
    /// A shadow behind it: its outline in a colour, moved by `offset` points and softened by a Gaussian of the standard
    /// deviation `radius` in points. Alone if the picture itself is not shown.
    case shadow(Color, offset: Point, radius: Double, isAlone: Bool)
    /// One colour in place of its own, which keeps its opacity; `amount` of it, 0...1.
    case fill(Color, amount: Double)
    /// Its luminance between two colours, in place of its own colours; `amount` of it, 0...1. After Effects' Tint.
    case tint(black: Color, white: Color, amount: Double)
    /// Black, as opaque as the picture is light: Rec. 709's luma times opacity, `feColorMatrix`'s `luminanceToAlpha` in sRGB.
    case luminanceToAlpha

    /// How far it reaches beyond a rectangle, in points. A Gaussian is cut off at three standard deviations.
    package func reach(of rect: Rect) -> Rect {
        switch self {
        case .blur(let deviation):
            let (x, y) = (Effect.spread * deviation.width, Effect.spread * deviation.height)
            return Rect(x: rect.x - x, y: rect.y - y, width: rect.width + 2 * x, height: rect.height + 2 * y)
        case .shadow(_, let offset, let radius, let isAlone):
            var shadow = rect.expanded(by: Effect.spread * radius)
            (shadow.x, shadow.y) = (shadow.x + offset.x, shadow.y + offset.y)
            return isAlone ? shadow : shadow.union(rect)
        case .fill, .tint, .luminanceToAlpha: return rect
        }
    }

    /// So many standard deviations reach as far as can be seen.
    package static let spread = 3.0
}
