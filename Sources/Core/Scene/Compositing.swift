/// A blend mode of PDF and After Effects, or a Porter-Duff operator ("Compositing digital images",
/// 1984) for combining masks.
///
/// The order is that of Lottie's `bm`, on which Lottie files and pages rely.
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
    public var nodes: [Node] { didSet { contents = NodeSummary(nodes) } }
    /// The properties of all nodes together.
    private(set) var contents: NodeSummary
    /// True if the group shows where the mask is transparent.
    public var isInverted: Bool

    public init(_ nodes: [Node], isInverted: Bool = false) {
        self.nodes = nodes
        contents = NodeSummary(nodes)
        self.isInverted = isInverted
    }

    public static func == (a: Mask, b: Mask) -> Bool { a.isInverted == b.isInverted && a.nodes == b.nodes }
}
