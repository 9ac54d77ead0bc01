import Scene

/// Where everything goes on an annotated picture, in points: the picture is always 480 points high, and the stage is
/// scaled into what the strips leave, so that letters have one size whatever the stage's.
struct AnnotationLayout: Sendable {
    /// Number and name of the phase at the left, the clock at the right.
    private(set) var header: Rect?
    /// The phase's table, beside the stage, or below it if the stage is wide.
    private(set) var table: Rect?
    /// The article's table of displacements.
    private(set) var displacements: Rect?
    /// Room for small plots of the objects' positions, beside the stage.
    private(set) var plots: Rect?
    /// All phases with the playhead.
    private(set) var timeline: Rect?
    /// The stage's surroundings, where overlays may be; on the stage's own background.
    private(set) var panel: Rect
    /// The stage itself.
    private(set) var stage: Rect
    /// Points of the picture per point of the stage.
    private(set) var scale: Double
    /// The whole picture.
    let size: Size

    static let height = 480.0
    private static let gap = 12.0
    private static let inset = 16.0
    private static let headerHeight = 44.0
    private static let timelineHeight = 58.0
    private static let tableWidth = 308.0
    static let rowHeight = 21.0
    static let displacementsHeight = 74.0
    /// The narrowest picture on which a phase's name and the clock have room, and the one for the clock alone.
    private static let narrowest = (phases: 640.0, strips: 320.0)
    private static let widest = 960.0

    /// A layout for a stage with some annotations. `rows` is how many objects the table has, and `stages` how many
    /// entries the displacements, if there are any.
    init(stage size: Size, kinds: Set<AnnotationKind>, rows: Int, stages: Int) {
        let hasTable = kinds.contains(.phases)
        let hasHeader = hasTable || kinds.contains(.clock)
        let hasTimeline = kinds.contains(.timeline)
        let hasStrips = hasHeader || hasTimeline
        let isWide = size.width > 1.5 * size.height
        let gap = hasStrips ? Self.gap : 0
        let top = hasHeader ? Self.headerHeight : gap
        let tableHeight = max(Self.rowHeight * Double(rows + 1), stages > 0 ? Self.displacementsHeight : 0)
        let below = (hasTimeline ? Self.timelineHeight : gap) + (hasTable && isWide ? tableHeight + Self.gap : 0)
        let side = hasTable && !isWide ? Self.tableWidth + Self.gap : 0
        let room = Size(Self.widest - 2 * gap - side, Self.height - top - below)
        scale = min(
            (room.height - 2 * Self.inset) / size.height, (room.width - 2 * Self.inset) / size.width)
        let natural = size.width * scale + 2 * Self.inset + 2 * gap + side
        let least = hasTable ? Self.narrowest.phases : hasStrips ? Self.narrowest.strips : 0
        // Whole numbers of which four times fit suit encoders at every usual scale.
        let width = (max(natural, least) / 4).rounded(.up) * 4
        self.size = Size(width, Self.height)
        panel = Rect(x: gap, y: top, width: width - 2 * gap - side, height: room.height)
        stage = Rect(
            x: (panel.center.x - size.width * scale / 2).rounded(),
            y: (panel.center.y - size.height * scale / 2).rounded(),
            width: size.width * scale, height: size.height * scale)
        if hasHeader { header = Rect(x: gap, y: 0, width: width - 2 * gap, height: top) }
        if hasTimeline {
            let y = Self.height - Self.timelineHeight
            timeline = Rect(x: gap, y: y, width: width - 2 * gap, height: Self.timelineHeight)
        }
        guard hasTable else { return }
        let corner = isWide ? Point(gap, panel.maxY + Self.gap) : Point(panel.maxX + Self.gap, panel.y)
        placeTable(at: corner, isBelow: isWide, rows: rows, stages: stages)
    }

    /// Places the table, and what belongs to it: to its right if it is below the stage, else below it.
    private mutating func placeTable(at corner: Point, isBelow: Bool, rows: Int, stages: Int) {
        let listHeight = Self.rowHeight * Double(rows + 1)
        table = Rect(x: corner.x, y: corner.y, width: Self.tableWidth, height: listHeight)
        var next = corner + (isBelow ? Point(Self.tableWidth + 2 * Self.gap, 0) : Point(0, listHeight + 2 * Self.gap))
        if stages > 0 {
            displacements = Rect(
                x: next.x, y: next.y, width: min(Self.tableWidth, size.width - Self.gap - next.x),
                height: Self.displacementsHeight)
            next.y += Self.displacementsHeight + 2 * Self.gap
        }
        guard !isBelow, panel.maxY - next.y > 90 else { return }
        plots = Rect(x: next.x, y: next.y, width: Self.tableWidth, height: panel.maxY - next.y)
    }

    /// Where a point of the stage lies on the picture.
    func place(_ point: Point) -> Point { Point(stage.x, stage.y) + point * scale }
}
