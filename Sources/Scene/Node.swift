/// What is inside a path that crosses or holds itself.
public enum FillRule: Sendable {
    /// What the path winds around.
    case nonZero
    /// What the path winds around an odd number of times.
    case evenOdd
}

/// A filled and stroked path: the fill first, then the stroke over it.
public struct Shape: Sendable, Hashable {
    /// The outline.
    public var path: Path
    /// What is inside of it.
    public var fillRule: FillRule
    /// What the inside of the path is painted with; nil paints nothing.
    public var fill: Paint?
    /// Line along the path; nil paints nothing.
    public var stroke: Stroke?

    /// A shape with the given paint.
    public init(_ path: Path, fill: Paint, stroke: Stroke? = nil, fillRule: FillRule = .nonZero) {
        (self.path, self.fill, self.stroke, self.fillRule) = (path, fill, stroke, fillRule)
    }

    /// A shape with the given colours.
    public init(_ path: Path, fill: Color? = nil, stroke: Stroke? = nil, fillRule: FillRule = .nonZero) {
        (self.path, self.fill, self.stroke) = (path, fill.map { .color($0) }, stroke)
        self.fillRule = fillRule
    }
}

/// A picture scaled to fill its frame without distortion (`scaleAspectFill`); what sticks out is cut off.
public struct Image: Sendable, Equatable {
    /// The pixels.
    public var bitmap: Bitmap
    /// Where it goes, in points.
    public var frame: Rect

    /// A picture in a frame.
    public init(_ bitmap: Bitmap, frame: Rect) { (self.bitmap, self.frame) = (bitmap, frame) }
}

/// Lines of text inside a frame; what does not fit is cut off, so that the frame is also its bounds.
public struct Text: Sendable, Hashable {
    /// Where lines stand between the frame's left and right edge.
    public enum Alignment: Sendable { case left, center, right }
    /// The system's fonts by their kind.
    public enum Family: Sendable { case sansSerif, monospaced }

    /// The characters; newlines begin new lines.
    public var string: String
    /// Where the text goes, in points: it starts at the upper edge.
    public var frame: Rect
    /// Font size in points (the em, as in UIKit).
    public var fontSize: Double
    /// Colour of the letters.
    public var color: Color
    /// Horizontal alignment.
    public var alignment: Alignment
    /// Whether the letters are bold.
    public var bold: Bool
    /// The kind of font.
    public var family: Family

    /// Text in a frame.
    public init(
        _ string: String, frame: Rect, fontSize: Double, color: Color, alignment: Alignment = .left, bold: Bool = false,
        family: Family = .sansSerif
    ) {
        (self.string, self.frame, self.fontSize) = (string, frame, fontSize)
        (self.color, self.alignment, self.bold, self.family) = (color, alignment, bold, family)
    }
}

/// Nodes that are transformed, clipped, masked and faded together, and mixed with what is behind them as one picture.
///
/// In this order: the nodes are flattened, effects change the picture, the mask and the opacity fade it, the transform places
/// it, and the blend mode mixes it.
public struct Group: Sendable, Equatable {
    /// From the nodes' coordinates to the parent's.
    public var transform: AffineTransform
    /// 0...1, applied to the group as a whole, after its nodes were flattened.
    public var opacity: Double
    /// The part of the group that shows, in the nodes' coordinates; nil shows all.
    public var clip: Path?
    /// What is in it, back to front.
    public var nodes: [Node]
    /// How it is mixed with what is behind it.
    public var blendMode: BlendMode
    /// Which part of it shows, and how much, in the nodes' coordinates; nil shows all.
    public var mask: Mask?
    /// What is done to the picture of the nodes, in this order. Lengths are in the nodes' coordinates.
    public var effects: [Effect]

    /// A group of nodes.
    public init(
        transform: AffineTransform = .identity, opacity: Double = 1, clip: Path? = nil, nodes: [Node],
        blendMode: BlendMode = .normal, mask: Mask? = nil, effects: [Effect] = []
    ) {
        (self.transform, self.opacity, self.clip, self.nodes) = (transform, opacity, clip, nodes)
        (self.blendMode, self.mask, self.effects) = (blendMode, mask, effects)
    }

    /// Whether its nodes have to be flattened before they are laid over what is behind them. A clip's soft edge is for all that
    /// it holds together: on each node alone, the ones below would shine through.
    package var isLayer: Bool {
        opacity < 1 || (clip != nil && nodes.count > 1) || blendMode != .normal || mask != nil
    }
}

/// One entry of a display list.
public indirect enum Node: Sendable, Equatable {
    /// A path with paint.
    case shape(Shape)
    /// A picture.
    case image(Image)
    /// Lines of text.
    case text(Text)
    /// A layer.
    case group(Group)

    /// A rectangle outside of which the node paints nothing; nil if it paints nothing at all.
    public var bounds: Rect? {
        switch self {
        case .shape(let shape):
            guard shape.fill != nil || shape.stroke != nil else { return nil }
            return shape.path.bounds?.expanded(by: shape.stroke?.reach(beyond: shape.path) ?? 0)
        case .image(let image): return image.frame
        case .text(let text): return text.frame
        case .group(let group):
            guard group.opacity > 0, let bounds = Node.bounds(of: group.nodes) else { return nil }
            return group.visible(bounds)
        }
    }

    /// Whether it changes what is behind it outside of its bounds, too.
    package var reachesBeyondBounds: Bool {
        if case .group(let group) = self { group.blendMode.reachesBeyondSource } else { false }
    }

    /// A rectangle outside of which none of the nodes paints; nil if none paints at all.
    public static func bounds(of nodes: [Node]) -> Rect? {
        nodes.compactMap(\.bounds).reduce(nil) { union, next in union.map { $0.union(next) } ?? next }
    }
}

/// A picture described in points: a display list over a background.
public struct Scene: Sendable, Equatable {
    /// The canvas's size in points.
    public var size: Size
    /// Colour behind everything, also of letterbox bars.
    public var background: Color
    /// What is drawn, back to front.
    public var nodes: [Node]

    /// A canvas with its contents.
    public init(size: Size, background: Color, nodes: [Node]) {
        (self.size, self.background, self.nodes) = (size, background, nodes)
    }

    /// A rectangle in points outside of which only the background shows; nil if nothing is drawn.
    public var bounds: Rect? { Node.bounds(of: nodes) }
}
