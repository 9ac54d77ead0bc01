/// The rule that decides which points are inside a path.
public enum FillRule: Sendable {
    /// Points with a winding number other than 0.
    case nonZero
    /// Points with an odd winding number.
    case evenOdd
}

/// A path with a fill and a stroke, which is drawn over the fill.
public struct Shape: Sendable, Hashable {
    /// The outline.
    public var path: Path
    /// The fill rule.
    public var fillRule: FillRule
    /// The fill paint; nil for no fill.
    public var fill: Paint?
    /// The stroke; nil for no stroke.
    public var stroke: Stroke?

    /// A shape filled with any paint.
    public init(_ path: Path, fill: Paint, stroke: Stroke? = nil, fillRule: FillRule = .nonZero) {
        self.path = path
        self.fill = fill
        self.stroke = stroke
        self.fillRule = fillRule
    }

    /// A shape filled with a colour.
    public init(_ path: Path, fill: Color? = nil, stroke: Stroke? = nil, fillRule: FillRule = .nonZero) {
        self.path = path
        self.fill = fill.map { .color($0) }
        self.stroke = stroke
        self.fillRule = fillRule
    }

    /// A rectangle outside of which the shape paints nothing; nil if it paints nothing at all.
    var bounds: Rect? {
        guard fill != nil || stroke != nil else { return nil }
        return path.bounds?.expanded(by: stroke?.reach(beyond: path) ?? 0)
    }
}

/// A bitmap scaled to fill its frame without distortion (`scaleAspectFill`) and clipped to it.
public struct Image: Sendable, Equatable {
    /// The pixels.
    public var bitmap: Bitmap
    /// The frame in points.
    public var frame: Rect

    public init(_ bitmap: Bitmap, frame: Rect) {
        self.bitmap = bitmap
        self.frame = frame
    }
}

/// Lines of text, clipped to a frame, which is therefore also their bounds. A line wider than the
/// frame ends in an ellipsis.
public struct Text: Sendable, Hashable {
    /// Horizontal alignment of lines in the frame.
    public enum Alignment: Sendable { case left, center, right }
    /// A font family.
    public enum Family: Sendable, Hashable {
        /// The preferred installed font without serifs.
        case sansSerif
        /// The system's font with characters of equal width.
        case monospaced
        /// The family with this name, with other fonts for characters that it lacks.
        case named(String)
    }

    /// The text; newlines start new lines.
    public var string: String
    /// The frame in points. Text starts at its upper edge.
    public var frame: Rect
    /// Font size in points (the em, as in UIKit).
    public var fontSize: Double
    /// The text colour.
    public var color: Color
    /// Horizontal alignment.
    public var alignment: Alignment
    /// True for bold text.
    public var bold: Bool
    /// The font family.
    public var family: Family
    /// True if all digits have the same width, for numbers in columns and clocks.
    public var hasTabularFigures = false

    public init(
        _ string: String, frame: Rect, fontSize: Double, color: Color, alignment: Alignment = .left, bold: Bool = false,
        family: Family = .sansSerif
    ) {
        self.string = string
        self.frame = frame
        self.fontSize = fontSize
        self.color = color
        self.alignment = alignment
        self.bold = bold
        self.family = family
    }
}

/// Nodes that are transformed, clipped, masked and faded together, and blended with the backdrop as
/// one bitmap.
///
/// The order is: the nodes are flattened and clipped, effects change the result, mask and opacity
/// fade it, the transform places it, and the blend mode blends it with the backdrop.
public struct Group: Sendable, Equatable {
    /// The transform from the nodes' coordinates to the parent's.
    public var transform: AffineTransform
    /// Opacity in 0...1, applied to the flattened group.
    public var opacity: Double
    /// The clip path in the nodes' coordinates; nil for none.
    public var clip: Path?
    /// The nodes, back to front.
    public var nodes: [Node] { didSet { contents = NodeSummary(nodes) } }
    /// The properties of all nodes together.
    private(set) var contents: NodeSummary
    /// The blend mode.
    public var blendMode: BlendMode
    /// The mask in the nodes' coordinates; nil for none.
    public var mask: Mask?
    /// Effects on the flattened nodes, in this order. Lengths are in the nodes' coordinates.
    public var effects: [Effect]

    public init(
        transform: AffineTransform = .identity, opacity: Double = 1, clip: Path? = nil, nodes: [Node],
        blendMode: BlendMode = .normal, mask: Mask? = nil, effects: [Effect] = []
    ) {
        self.transform = transform
        self.opacity = opacity
        self.clip = clip
        self.nodes = nodes
        contents = NodeSummary(nodes)
        self.blendMode = blendMode
        self.mask = mask
        self.effects = effects
    }

    public static func == (a: Group, b: Group) -> Bool { a.isEqualExceptNodes(b) && a.nodes == b.nodes }

    /// A rectangle outside of which none of the nodes paints, in their coordinates; nil if none
    /// paints at all.
    package var contentBounds: Rect? { contents.bounds }

    /// A rectangle outside of which the group paints nothing; nil if it paints nothing at all.
    var bounds: Rect? { opacity > 0 ? contents.bounds.flatMap { visibleBounds(of: $0) } : nil }

    /// True if the group also changes the backdrop outside its bounds.
    var reachesBeyondBounds: Bool {
        if blendMode.reachesBeyondSource { return true }
        // A layer keeps its nodes' effect on the backdrop to itself.
        return !needsFlattening && effects.isEmpty && contents.reachesBeyondBounds
    }

    /// True if the nodes must be flattened before they are drawn over the backdrop. The soft edge
    /// of a clip applies to the group as a whole: applied to each node, it would let lower nodes
    /// show through.
    package var needsFlattening: Bool {
        opacity < 1 || clipsSeveralNodes || blendMode != .normal || mask != nil
    }

    /// True if the clip applies to several nodes, which must therefore be flattened.
    var clipsSeveralNodes: Bool { clip != nil && nodes.count > 1 }
}

/// One entry of a display list.
public indirect enum Node: Sendable, Equatable {
    /// A filled or stroked path.
    case shape(Shape)
    /// A bitmap.
    case image(Image)
    /// Lines of text.
    case text(Text)
    /// A group of nodes.
    case group(Group)

    /// A rectangle outside of which the node paints nothing; nil if it paints nothing at all.
    public var bounds: Rect? {
        switch self {
        case .shape(let shape): shape.bounds
        case .image(let image): image.frame
        case .text(let text): text.frame
        case .group(let group): group.bounds
        }
    }

    /// True if the node also changes the backdrop outside its bounds.
    package var reachesBeyondBounds: Bool {
        if case .group(let group) = self { group.reachesBeyondBounds } else { false }
    }

    /// Returns a rectangle outside of which none of the nodes paints; nil if none paints at all.
    public static func bounds(of nodes: [Node]) -> Rect? {
        var union: Rect?
        for node in nodes {
            guard let next = node.bounds else { continue }
            union = union.map { $0.union(next) } ?? next
        }
        return union
    }
}

/// A display list in points over a background.
public struct Scene: Sendable, Equatable {
    /// The canvas size in points.
    public var size: Size
    /// The background colour, also of letterbox bars.
    public var background: Color
    /// The nodes, back to front.
    public var nodes: [Node]

    public init(size: Size, background: Color, nodes: [Node]) {
        self.size = size
        self.background = background
        self.nodes = nodes
    }

    /// A rectangle in points outside of which only the background shows; nil if nothing is drawn.
    public var bounds: Rect? { Node.bounds(of: nodes) }
}

extension [Node] {
    /// Returns the nodes with sans-serif text in another family; nil keeps the default.
    package func withFont(_ name: String?) -> [Node] { name.map { name in map { $0.withFont(name) } } ?? self }
}

extension Node {
    /// Returns the node with sans-serif text in another family.
    fileprivate func withFont(_ name: String) -> Node {
        switch self {
        case .text(var text):
            if text.family == .sansSerif { text.family = .named(name) }
            return .text(text)
        case .group(var group):
            group.nodes = group.nodes.withFont(name)
            return .group(group)
        case .shape, .image: return self
        }
    }
}
