/// A blend mode of PDF and After Effects, or a Porter-Duff operator ("Compositing digital images",
/// 1984) for combining masks.
public enum BlendMode: Sendable, CaseIterable {
    /// The source over the backdrop.
    case normal
    // Separable modes, which blend each component independently.
    case multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, hardLight, softLight, difference, exclusion
    // Nonseparable modes.
    case hue, saturation, color, luminosity
    /// The sum, clamped to white: After Effects' Add, Core Graphics' plus lighter.
    case add
    /// The backdrop multiplied by the source's alpha, also outside the source's bounds.
    case destinationIn
    /// The backdrop multiplied by one minus the source's alpha.
    case destinationOut
    /// The parts of source and backdrop that do not overlap.
    case xor

    /// True if the mode changes the backdrop outside the source's bounds.
    package var reachesBeyondSource: Bool { self == .destinationIn }
}

/// A mask that multiplies a group's opacity by the alpha of its own nodes.
public struct Mask: Sendable, Equatable {
    /// The content of the mask, in the coordinates of the group's nodes. `Effect.luminanceToAlpha`
    /// turns it into a luma mask.
    public var nodes: [Node]
    /// True if the group shows where the mask is transparent.
    public var isInverted: Bool

    public init(_ nodes: [Node], isInverted: Bool = false) {
        self.nodes = nodes
        self.isInverted = isInverted
    }
}

/// A filter on a flattened group.
public enum Effect: Sendable, Hashable {
    /// A Gaussian blur with horizontal and vertical standard deviations in points. A deviation of 0
    /// leaves that direction sharp.
    case blur(Size)
    /// A drop shadow: the alpha channel in a colour, moved by `offset` points and blurred with a
    /// standard deviation of `radius` points. If `isAlone` is true, only the shadow shows.
    case shadow(Color, offset: Point, radius: Double, isAlone: Bool)
    /// Replaces the colour by another and keeps the alpha channel; `amount` in 0...1 mixes the two.
    case fill(Color, amount: Double)
    /// Maps black to one colour and white to another by luminance, After Effects' Tint; `amount` in
    /// 0...1 mixes the result with the original.
    case tint(black: Color, white: Color, amount: Double)
    /// Black with an alpha of Rec. 709 luma times alpha: the `luminanceToAlpha` of `feColorMatrix`,
    /// in sRGB.
    case luminanceToAlpha

    /// Returns the rectangle in points that the effect may paint, given that of its input. A
    /// Gaussian is cut off at three standard deviations.
    package func reach(of rect: Rect) -> Rect {
        switch self {
        case .blur(let deviation):
            let (x, y) = (Effect.cutoffInDeviations * deviation.width, Effect.cutoffInDeviations * deviation.height)
            return Rect(x: rect.x - x, y: rect.y - y, width: rect.width + 2 * x, height: rect.height + 2 * y)
        case .shadow(_, let offset, let radius, let isAlone):
            var shadow = rect.expanded(by: Effect.cutoffInDeviations * radius)
            shadow.x += offset.x
            shadow.y += offset.y
            return isAlone ? shadow : shadow.union(rect)
        case .fill, .tint, .luminanceToAlpha: return rect
        }
    }

    /// The radius of a Gaussian in standard deviations. What lies beyond it is invisible.
    package static let cutoffInDeviations = 3.0
}
