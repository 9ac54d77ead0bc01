/// How a path's outline is drawn. One point wide, butt caps and miter joins unless said, as in `CAShapeLayer`.
public struct Stroke: Sendable, Hashable {
    /// The shape of a line's ends.
    public enum Cap: Sendable { case butt, round, square }
    /// The shape of a line's corners.
    public enum Join: Sendable { case miter, round, bevel }

    /// Pieces of a line with gaps between them: `lineDashPattern` and `lineDashPhase`.
    public struct Dash: Sendable, Hashable {
        /// Lengths in points, in turn of a piece and of a gap; an odd number of them is taken twice. Solid if all are 0 or one
        /// is below 0.
        public var lengths: [Double]
        /// How far into the pattern the line begins, in points.
        public var phase: Double

        /// A pattern.
        public init(_ lengths: [Double], phase: Double = 0) { (self.lengths, self.phase) = (lengths, phase) }

        /// Whether it leaves gaps.
        fileprivate var isVisible: Bool { lengths.allSatisfy { $0 >= 0 } && lengths.contains { $0 > 0 } }
    }

    /// What the line is painted with.
    public var paint: Paint
    /// Width in points, centred on the path.
    public var width: Double
    /// Shape of the ends.
    public var cap: Cap
    /// Shape of the corners.
    public var join: Join
    /// Where the line begins, as a fraction of the path's length: `strokeStart`.
    public var start: Double
    /// Where the line ends, as a fraction of the path's length: `strokeEnd`. Nothing is drawn if `start >= end`.
    public var end: Double
    /// Longest miter, as a multiple of the line width, at least 1; longer ones are cut. Core Animation has 10.
    public var miterLimit = 10.0
    /// Pieces and gaps; nil for a solid line.
    public var dash: Dash?

    /// A stroke of the given paint and width.
    public init(
        _ paint: Paint, width: Double = 1, cap: Cap = .butt, join: Join = .miter, start: Double = 0, end: Double = 1,
        miterLimit: Double = 10, dash: Dash? = nil
    ) {
        (self.paint, self.width, self.cap, self.join) = (paint, width, cap, join)
        (self.start, self.end, self.miterLimit, self.dash) = (start, end, miterLimit, dash)
    }

    /// A stroke of the given colour and width.
    public init(
        _ color: Color, width: Double = 1, cap: Cap = .butt, join: Join = .miter, start: Double = 0, end: Double = 1,
        miterLimit: Double = 10, dash: Dash? = nil
    ) {
        self.init(
            .color(color), width: width, cap: cap, join: join, start: start, end: end, miterLimit: miterLimit,
            dash: dash)
    }

    /// Its pieces and gaps, if it has some.
    package var visibleDash: Dash? { dash.flatMap { $0.isVisible ? $0 : nil } }

    /// How far the line can reach beyond a path, in points. One straight line has no corners.
    func reach(beyond path: Path) -> Double {
        let hasCorners = path.elements.count > 2
        let corner = join == .miter && hasCorners ? max(1, miterLimit) : 1
        return width / 2 * max(corner, cap == .square ? 1.4143 : 1)
    }
}
