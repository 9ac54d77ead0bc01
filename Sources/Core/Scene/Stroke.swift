/// The style of a stroke. The defaults are those of `CAShapeLayer`: a width of 1 point, butt caps
/// and miter joins.
public struct Stroke: Sendable, Hashable {
    /// The shape of a line's ends.
    public enum Cap: Sendable { case butt, round, square }
    /// The shape of a line's corners.
    public enum Join: Sendable { case miter, round, bevel }

    /// A dash pattern: `lineDashPattern` and `lineDashPhase`.
    public struct Dash: Sendable, Hashable {
        /// Alternating lengths of dashes and gaps in points. A pattern with an odd number of
        /// lengths is doubled, as in SVG. The line is solid if all lengths are 0 or one is
        /// negative.
        public var lengths: [Double]
        /// Distance in points into the pattern at which the line begins.
        public var phase: Double

        public init(_ lengths: [Double], phase: Double = 0) {
            self.lengths = lengths
            self.phase = phase
        }

        /// True if the pattern is valid: no length is negative and not all are 0.
        fileprivate var isVisible: Bool { lengths.allSatisfy { $0 >= 0 } && lengths.contains { $0 > 0 } }
    }

    /// The paint of the line.
    public var paint: Paint
    /// The line width in points, centred on the path.
    public var width: Double
    /// Shape of the ends.
    public var cap: Cap
    /// Shape of the corners.
    public var join: Join
    /// Start of the visible part as a fraction of the path's length: `strokeStart`.
    public var start: Double
    /// End of the visible part as a fraction of the path's length: `strokeEnd`. Nothing is drawn if
    /// `start >= end`.
    public var end: Double
    /// The maximum length of a miter as a multiple of the line width; at least 1. Longer miters
    /// become bevels. Core Animation's default is 10.
    public var miterLimit = 10.0
    /// The dash pattern; nil for a solid line.
    public var dash: Dash?

    /// A stroke with any paint.
    public init(
        _ paint: Paint, width: Double = 1, cap: Cap = .butt, join: Join = .miter, start: Double = 0, end: Double = 1,
        miterLimit: Double = 10, dash: Dash? = nil
    ) {
        self.paint = paint
        self.width = width
        self.cap = cap
        self.join = join
        self.start = start
        self.end = end
        self.miterLimit = miterLimit
        self.dash = dash
    }

    /// A stroke with a colour.
    public init(
        _ color: Color, width: Double = 1, cap: Cap = .butt, join: Join = .miter, start: Double = 0, end: Double = 1,
        miterLimit: Double = 10, dash: Dash? = nil
    ) {
        self.init(
            .color(color), width: width, cap: cap, join: join, start: start, end: end, miterLimit: miterLimit,
            dash: dash)
    }

    /// True if the stroke covers only a part of its path.
    package var isTrimmed: Bool { start > 0 || end < 1 }

    /// Returns the part of a path that the stroke covers; nil if it covers none.
    package func visiblePart(of path: Path) -> Path? {
        guard start < end else { return nil }
        return isTrimmed ? PathMeasure(path).trimmed(from: start, to: end) : path
    }

    /// The dash pattern if it is valid, otherwise nil.
    package var visibleDash: Dash? { dash.flatMap { $0.isVisible ? $0 : nil } }

    /// Returns the maximum distance of the stroke's edge from the path, in points. A single line,
    /// curve or arc has no corners; a line from another point to the start of an arc makes one.
    func reach(beyond path: Path) -> Double {
        let hasCorners = path.elements.count > 2 || (path.extent.arcCount > 0 && SingleArc(path) == nil)
        let corner = join == .miter && hasCorners ? max(1, miterLimit) : 1
        // The corners of a square cap are the square root of 2 times half the width away.
        return width / 2 * max(corner, cap == .square ? 1.4143 : 1)
    }
}
