import Scene

/// What an annotated picture has to hold.
struct AnnotationContent: Sendable {
    /// The stage's size in points of its own.
    var stage: Size
    /// The part of the stage in which anything is ever drawn.
    var used: Rect
    /// The largest radius that an object ever has, in points of the stage.
    var largestRadius: Double
    /// Whether names are around everything else, so that all of it needs room.
    var hasOutwardNames: Bool
    /// Objects in the table.
    var rows: Int
    /// Entries of the displacements, if there are any.
    var stages: Int
    /// Plots of positions, one for each axis.
    var plots: Int
    /// Lines of text below the lowest objects.
    var lanes: Int
    /// How wide the phase's number, its longest name and what is at the header's right end are, each by itself.
    var header = (number: 0.0, name: 0.0, right: 0.0)
    /// How wide the table has to be, with its directions and without.
    var tableWidths: [Double] = []
    /// Whether there are names over the stage.
    var hasNames = false
}

/// Where everything goes on an annotated picture, in points: unless it is laid out for a shape the picture is 480 points
/// high, and the stage is scaled into what the strips leave, so that letters have one size whatever the stage's.
///
/// A stage has to make room for a plot that has none beside it: what it never draws in is left out then.
package struct AnnotationLayout: Sendable {
    /// Number and name of the phase at the left, the clock at the right.
    var header: Rect?
    /// The phase's table, beside the stage, or below it if the stage is wide.
    var table: Rect?
    /// The article's table of displacements.
    var displacements: Rect?
    /// Room for plots of the objects' positions with their titles, one for each axis.
    var plots: [Rect] = []
    /// All phases with the playhead.
    var timeline: Rect?
    /// The stage's surroundings, where overlays may be; on the stage's own background.
    var panel: Rect
    /// The stage itself. What reaches beyond the panel is empty.
    var stage: Rect
    /// Points of the picture per point of the stage.
    let scale: Double
    /// The whole picture.
    let size: Size
    /// Whether names and arrows have no room in the panel.
    private(set) var isCramped = false
    /// Whether there is anything beside the stage.
    let hasStrips: Bool
    /// Where the same loader is at normal speed.
    var companion: Rect?
    /// Where it is written how fast the companion and the stage are.
    var tags: [Rect] = []
    /// Which of the table's widths it has.
    var tableChoice = 0
    /// Sizes of letters beside the stage.
    var metrics = AnnotationMetrics.standard

    static let height = 480.0
    static let gap = 12.0
    static let inset = 16.0
    private static let headerHeight = 44.0
    private static let timelineHeight = 58.0
    private static let tableWidth = 308.0
    static let rowHeight = 21.0
    private static let displacementsHeight = AnnotationMetrics.standard.displacements
    /// The distance between a table and what is below it.
    static let tableGap = 14.0
    /// The least and the largest height of a plot with its title.
    private static let plotHeight = (least: 100.0, most: 230.0)
    /// How far below the objects their first line of text is, from its middle, and how far apart the lines are.
    static let (firstLane, laneHeight) = (15.0, 18.0)
    /// The narrowest picture on which a phase's name and the clock have room, and the one for the clock alone.
    private static let narrowest = (phases: 640.0, strips: 320.0)
    private static let widest = 960.0

    /// A layout for some annotations.
    init(_ content: AnnotationContent, kinds: Set<AnnotationKind>) {
        let hasTable = kinds.contains(.phases)
        let hasHeader = hasTable || kinds.contains(.clock)
        let hasTimeline = kinds.contains(.timeline)
        hasStrips = hasHeader || hasTimeline
        let isWide = content.stage.width > 1.5 * content.stage.height
        let gap = hasStrips ? Self.gap : 0
        let top = hasHeader ? Self.headerHeight : gap
        let tableHeight = Self.tableHeight(content)
        let below = (hasTimeline ? Self.timelineHeight : gap) + (hasTable && isWide ? tableHeight + Self.gap : 0)
        let side = hasTable && !isWide ? Self.tableWidth + Self.gap : 0
        let room = Size(Self.widest - 2 * gap - side, Self.height - top - below)
        // Plots that have no room beside the stage take some of its height.
        let beside = isWide ? 0 : Self.plotsBeside(content, height: room.height)
        let taken = hasTable && beside < content.plots ? Self.plotHeight.least + Self.gap : 0
        scale = Self.scale(of: content, in: room, taken: taken)
        let natural = content.stage.width * scale + 2 * Self.inset + 2 * gap + side
        let least = hasTable ? Self.narrowest.phases : hasStrips ? Self.narrowest.strips : 0
        // Whole numbers of which four times fit suit encoders at every usual scale.
        let width = (max(natural, least) / 4).rounded(.up) * 4
        size = Size(width, Self.height)
        let needed = (content.used.height * scale + 2 * Self.inset + Self.lanesHeight(content)).rounded(.up)
        panel = Rect(
            x: gap, y: top, width: width - 2 * gap - side,
            height: taken > 0 ? min(needed, room.height - taken) : room.height)
        stage = Self.stageFrame(of: content, in: panel, scale: scale, isCut: taken > 0)
        if hasHeader { header = Rect(x: gap, y: 0, width: width - 2 * gap, height: top) }
        if hasTimeline {
            let y = Self.height - Self.timelineHeight
            timeline = Rect(x: gap, y: y, width: width - 2 * gap, height: Self.timelineHeight)
        }
        guard hasTable else { return }
        if isWide {
            placeBelow(content, bottom: top + room.height + Self.gap + tableHeight)
        } else {
            placeBeside(content, count: beside, bottom: top + room.height)
        }
    }

    /// A panel of a larger picture, without anything beside the stage. What the stage never draws in may be left out.
    init(_ content: AnnotationContent, panel: Rect) {
        (self.panel, hasStrips) = (panel, true)
        size = Size(panel.maxX, panel.maxY)
        let lanes = Self.lanesHeight(content)
        let whole = Self.scale(ofWhole: content, in: panel, lanes: lanes)
        let used = Self.scale(ofUsed: content, in: panel, lanes: lanes)
        // Names have ample room around what is drawn, or where that would make it small, what they need.
        let isAmple = content.hasOutwardNames && used >= whole / 2
        let fitting = isAmple ? used : min(max(whole, used), Self.scale(besideNotesOn: content, in: panel))
        isCramped = fitting < Self.leastShare * whole
        scale = max(fitting, Self.leastShare * whole)
        stage = Self.stageFrame(of: content, in: panel, scale: scale, isCut: false)
        if scale != whole {
            let middle = content.used.center * scale
            stage.x = (panel.center.x - middle.x).rounded()
            stage.y = (panel.center.y - middle.y).rounded()
        }
        let end = stage.y + content.used.maxY * scale + lanes
        if end > panel.maxY - Self.gap { stage.y -= end - (panel.maxY - Self.gap) }
    }

    /// The largest scale at which the whole stage has room in a panel.
    private static func scale(ofWhole content: AnnotationContent, in panel: Rect, lanes: Double) -> Double {
        let room = Size(panel.width - 2 * gap, panel.height - 2 * gap)
        // Where lines of text stand below the objects, they may take what the stage never draws in.
        let below = content.stage.height - content.used.maxY
        let height = lanes > 0 ? content.stage.height - below : content.stage.height
        return min(
            room.width / content.stage.width, (room.height - lanes) / height, room.height / content.stage.height)
    }

    /// Of the scale that a stage without notes has, notes leave at least so much; else they have no room.
    private static let leastShare = 0.3
    /// The least room for names around what is drawn, and for arrows beside signs.
    private static let (closeNames, closeArrows) = (Size(42, 22), 70.0)

    /// The largest scale at which names and arrows have room around what is ever drawn; infinite if there are none.
    private static func scale(besideNotesOn content: AnnotationContent, in panel: Rect) -> Double {
        let room = reserve(for: content)
        guard room.width > 0 else { return .infinity }
        return min((panel.width - room.width) / content.used.width, (panel.height - room.height) / content.used.height)
    }

    /// The room that names and arrows take around what is drawn in a panel, in both directions together; none without them.
    static func reserve(for content: AnnotationContent) -> Size {
        let lanes = lanesHeight(content)
        guard lanes > 0 || content.hasOutwardNames else { return Size(0, 0) }
        return lanes > 0
            ? Size(2 * closeArrows, lanes + 2 * gap) : Size(2 * closeNames.width, 2 * closeNames.height)
    }

    /// Room for names around what is drawn, and the radius of an object that needs not be larger, in points.
    private static let (surroundings, largestDisc) = (Size(64, 50), 32.0)
    /// Room for arrows beside signs.
    private static let arrows = 84.0

    /// The largest scale at which what is ever drawn has room in a panel, with names around it.
    private static func scale(ofUsed content: AnnotationContent, in panel: Rect, lanes: Double) -> Double {
        let (width, height) = (lanes > 0 ? arrows : surroundings.width, surroundings.height)
        return min(
            (panel.width - 2 * width) / content.used.width,
            (panel.height - height - max(height, lanes + gap)) / content.used.height,
            content.largestRadius > 0 ? largestDisc / content.largestRadius : .infinity)
    }

    /// A layout made elsewhere, with nothing beside the stage yet.
    init(size: Size, panel: Rect, fit: StageFit, hasStrips: Bool, metrics: AnnotationMetrics) {
        (self.size, self.panel, self.hasStrips, self.metrics) = (size, panel, hasStrips, metrics)
        (scale, stage) = (fit.scale, fit.stage)
    }

    /// The height of the lines of text below the objects.
    static func lanesHeight(_ content: AnnotationContent) -> Double {
        content.lanes > 0 ? firstLane + laneHeight * Double(content.lanes) : 0
    }

    /// The largest scale at which the stage has room, of whose height something may be taken: what it uses has room then.
    private static func scale(of content: AnnotationContent, in room: Size, taken: Double) -> Double {
        let whole = min(
            (room.height - 2 * inset) / content.stage.height, (room.width - 2 * inset) / content.stage.width)
        guard taken > 0 else { return whole }
        return min(whole, (room.height - taken - 2 * inset - lanesHeight(content)) / content.used.height)
    }

    /// The stage in the panel's middle; if its height is cut, with what it uses at the top.
    private static func stageFrame(
        of content: AnnotationContent, in panel: Rect, scale: Double, isCut: Bool
    ) -> Rect {
        let y =
            isCut ? panel.y + inset - content.used.y * scale : panel.center.y - content.stage.height * scale / 2
        return Rect(
            x: (panel.center.x - content.stage.width * scale / 2).rounded(), y: y.rounded(),
            width: content.stage.width * scale, height: content.stage.height * scale)
    }

    private static func tableHeight(_ content: AnnotationContent) -> Double {
        max(rowHeight * Double(content.rows + 1), content.stages > 0 ? displacementsHeight : 0)
    }

    /// How many plots there is room for beside the stage, below the tables.
    private static func plotsBeside(_ content: AnnotationContent, height: Double) -> Int {
        let tables =
            rowHeight * Double(content.rows + 1) + tableGap
            + (content.stages > 0 ? displacementsHeight + tableGap : 0)
        return min(content.plots, max(0, Int((height - tables + tableGap) / (plotHeight.least + tableGap))))
    }

    /// Places the table and the displacements beside each other at the bottom, and the plots between them and the stage.
    private mutating func placeBelow(_ content: AnnotationContent, bottom: Double) {
        let y = bottom - Self.tableHeight(content)
        let corner = Point(panel.x, y)
        placeTables(content, at: corner, next: corner + Point(Self.tableWidth + 2 * Self.gap, 0))
        let top = panel.maxY + Self.gap
        placePlots(
            content.plots, in: Rect(x: panel.x, y: top, width: panel.width, height: y - Self.gap - top), isRow: true)
    }

    /// Places everything below each other to the right of the stage, and plots that have no room there below the stage.
    private mutating func placeBeside(_ content: AnnotationContent, count: Int, bottom: Double) {
        let corner = Point(panel.maxX + Self.gap, panel.y)
        var y = corner.y + Self.rowHeight * Double(content.rows + 1) + Self.tableGap
        placeTables(content, at: corner, next: Point(corner.x, y))
        if content.stages > 0 { y += Self.displacementsHeight + Self.tableGap }
        placePlots(
            count, in: Rect(x: corner.x, y: y, width: Self.tableWidth, height: bottom - y), isRow: false)
        let top = panel.maxY + Self.gap
        placePlots(
            content.plots - count, in: Rect(x: panel.x, y: top, width: panel.width, height: bottom - top), isRow: true)
    }

    private mutating func placeTables(_ content: AnnotationContent, at corner: Point, next: Point) {
        let listHeight = Self.rowHeight * Double(content.rows + 1)
        table = Rect(x: corner.x, y: corner.y, width: Self.tableWidth, height: listHeight)
        guard content.stages > 0 else { return }
        displacements = Rect(
            x: next.x, y: next.y, width: min(Self.tableWidth, size.width - Self.gap - next.x),
            height: Self.displacementsHeight)
    }

    /// Divides a frame among plots, beside or below each other.
    private mutating func placePlots(_ count: Int, in frame: Rect, isRow: Bool) {
        guard count > 0 else { return }
        let whole = isRow ? frame.width : frame.height
        let part = (whole - Self.tableGap * Double(count - 1)) / Double(count)
        plots += (0..<count).map { index in
            let start = (part + Self.tableGap) * Double(index)
            return isRow
                ? Rect(x: frame.x + start, y: frame.y, width: part, height: frame.height)
                : Rect(
                    x: frame.x, y: frame.y + start, width: frame.width, height: min(part, Self.plotHeight.most))
        }
    }

    /// The stage in another panel of the same size, with nothing beside it.
    func moved(to panel: Rect) -> AnnotationLayout {
        var layout = self
        layout.stage.x += panel.x - self.panel.x
        layout.stage.y += panel.y - self.panel.y
        layout.panel = panel
        return layout
    }

    /// Where a point of the stage lies on the picture.
    func place(_ point: Point) -> Point { Point(stage.x, stage.y) + point * scale }
}
