import Core

/// The layout of an annotated frame, in points. Without a fixed aspect ratio, the frame is 480
/// points high and the canvas is scaled to the space between the bands. So the text size does not
/// depend on the size of the canvas.
///
/// If there is no room for a plot beside the canvas, unused parts of the canvas are cropped to make
/// room below it.
package struct AnnotationLayout: Sendable {
    /// The header: the phase at the left, the clock at the right.
    var header: Rect?
    /// The phase table, beside the canvas, or below it if the canvas is wide.
    var table: Rect?
    /// The table of the displacements of all steps, as in the loader's source article; nil without
    /// steps.
    var displacements: Rect?
    /// The plots of the objects' motion with their titles, one for each axis.
    var plots: [Rect] = []
    /// The timeline.
    var timeline: Rect?
    /// The canvas with its margins, where overlays can lie. Has the background of the canvas.
    var panel: Rect
    /// The canvas. Any part beyond the panel is empty.
    var canvas: Rect
    /// Points of the frame per point of the canvas.
    var scale: Double
    /// The size of the frame.
    let size: Size
    /// True if the panel has no room for names and arrows.
    private(set) var isCramped = false
    /// True if the panel may be smaller than the drawing and clips it, as in a close-up.
    var clipsCanvas = false
    /// True if the panel does not fill the frame. It then has a border and its own background, and
    /// the rest of the frame has the surround's colour.
    let hasSurround: Bool
    /// The panel of the same loader at normal speed.
    var referencePanel: Rect?
    /// The rectangles of the speed labels above the reference panel and the panel; empty without
    /// a reference panel.
    var speedLabels: [Rect] = []
    /// The index of the chosen width in `AnnotationContent.tableWidths`.
    var tableChoice = 0
    /// The font sizes of the bands.
    var metrics = AnnotationMetrics.standard

    /// The height of a frame without a fixed aspect ratio.
    static let height = 480.0
    /// The distance between bands.
    static let gap = 12.0
    /// The margin between a canvas and its panel.
    static let inset = 16.0
    /// The height of the band with the phase and the clock, in points.
    private static let headerHeight = 44.0
    /// The height of the timeline in points.
    private static let timelineHeight = 58.0
    /// The width of a table in points.
    private static let tableWidth = 308.0
    /// The height of a row of the phase table.
    static let rowHeight = 21.0
    /// The maximum number of rows of the phase table below its header, one for each object. With
    /// more objects, the last row says how many are left out.
    static let maxTableRows = 9
    /// The maximum number of plots. More would be too small to read.
    static let maxPlots = 3
    /// The maximum number of plots in a frame with a fixed aspect ratio, where they take room from
    /// the canvas.
    static let maxShapedPlots = 2
    /// The minimum height of the canvas. Plots that would make it smaller are left out.
    private static let minCanvasHeight = 100.0
    private static let displacementsHeight = AnnotationMetrics.standard.displacements
    /// The distance between a table and the block below it.
    static let tableGap = 14.0
    /// The minimum height of a plot including its title.
    private static let minPlotHeight = 100.0
    /// The maximum height of a plot including its title.
    private static let maxPlotHeight = 230.0
    /// The distance from the lowest object to the middle of the first label row.
    static let firstLabelRowOffset = 15.0
    /// The distance between label rows.
    static let labelRowHeight = 18.0
    /// The minimum width of a frame with the phase's name and a clock.
    private static let minWidthWithPhases = 640.0
    /// The minimum width of a frame with a clock only.
    private static let minWidthWithBands = 320.0
    /// The maximum width of a frame in points: twice its height.
    private static let maxWidth = 960.0
    /// The ratio of width to height above which a canvas has its table below it. At about this
    /// ratio, a canvas of full height leaves no room for a table beside it within `maxWidth`.
    private static let wideRatio = 1.5

    /// A layout without a fixed aspect ratio.
    init(_ content: AnnotationContent, kinds: Set<AnnotationKind>) {
        let part = content.shownPart
        let whole = content.canvas
        var content = content.closeUp > 1 ? content.cropped(to: part) : content
        let hasTable = kinds.contains(.phases)
        let hasHeader = hasTable || kinds.contains(.clock)
        let hasTimeline = kinds.contains(.timeline)
        hasSurround = hasHeader || hasTimeline
        let isWide = content.canvas.width > Self.wideRatio * content.canvas.height
        let gap = hasSurround ? Self.gap : 0
        let top = hasHeader ? Self.headerHeight : gap
        let tableHeight = Self.tableHeight(content)
        let below = (hasTimeline ? Self.timelineHeight : gap) + (hasTable && isWide ? tableHeight + Self.gap : 0)
        let side = hasTable && !isWide ? Self.tableWidth + Self.gap : 0
        let room = Size(Self.maxWidth - 2 * gap - side, Self.height - top - below)
        // Plots without room beside the canvas take some of its height.
        let beside = isWide ? 0 : Self.plotsBeside(content, height: room.height)
        let plotHeight = Self.minPlotHeight + Self.gap
        if room.height - plotHeight < Self.minCanvasHeight { content.plots = beside }
        let taken = hasTable && beside < content.plots ? plotHeight : 0
        scale = Self.fittingScale(of: content, in: room, taken: taken)
        let natural = content.canvas.width * scale + 2 * Self.sideInset(content) + 2 * gap + side
        let minWidth = hasTable ? Self.minWidthWithPhases : hasSurround ? Self.minWidthWithBands : 0
        // A multiple of four gives even sides, which encoders need, at every common scale.
        let width = (max(natural, minWidth) / 4).rounded(.up) * 4
        size = Size(width, Self.height)
        let edge = max(Self.inset, content.nameRows)
        let needed = (content.used.height * scale + Self.inset + edge + Self.labelRowsHeight(content)).rounded(.up)
        panel = Rect(
            x: gap, y: top, width: width - 2 * gap - side,
            height: taken > 0 ? min(needed, room.height - taken) : room.height)
        canvas = Self.canvasRect(of: content, in: panel, scale: scale, isCropped: taken > 0)
        if part.width < whole.width { showPart(part, of: whole) }
        placeBands(hasHeader: hasHeader, hasTimeline: hasTimeline, gap: gap)
        guard hasTable else { return }
        if isWide {
            placeBelow(content, bottom: top + room.height + Self.gap + tableHeight)
        } else {
            placeBeside(content, count: beside, bottom: top + room.height)
        }
    }

    /// Places the header at the upper edge and the timeline at the lower one.
    private mutating func placeBands(hasHeader: Bool, hasTimeline: Bool, gap: Double) {
        let width = size.width - 2 * gap
        if hasHeader { header = Rect(x: gap, y: 0, width: width, height: Self.headerHeight) }
        if hasTimeline {
            let y = Self.height - Self.timelineHeight
            timeline = Rect(x: gap, y: y, width: width, height: Self.timelineHeight)
        }
    }

    /// Extends the canvas, which is laid out for a part, to the whole beyond the panel.
    private mutating func showPart(_ part: Rect, of whole: Size) {
        canvas = Rect(
            x: canvas.x - part.x * scale, y: canvas.y - part.y * scale, width: whole.width * scale,
            height: whole.height * scale)
        clipsCanvas = true
    }

    /// The layout of a panel in a frame that the caller lays out. It has no header, tables, plots
    /// or timeline. The part of the canvas to show, `content.used`, is in the middle of the panel.
    init(_ content: AnnotationContent, panel: Rect) {
        self.panel = panel
        hasSurround = true
        clipsCanvas = true
        size = Size(panel.maxX, panel.maxY)
        let labelRows = Self.labelRowsHeight(content)
        let canvasScale = Self.canvasScale(content, in: panel, labelRows: labelRows)
        let fittingScale =
            content.hasNames
            ? Self.namedScale(content, in: panel, canvasScale: canvasScale) : Self.plainScale(content.used, in: panel)
        let minScale = Self.minRelativeScale * canvasScale
        isCramped = fittingScale < minScale
        scale = max(fittingScale, minScale, Self.minNotedScale(content, in: panel))
        let middle = content.used.center * scale
        canvas = Rect(
            x: (panel.center.x - middle.x).rounded(), y: (panel.center.y - middle.y).rounded(),
            width: content.canvas.width * scale, height: content.canvas.height * scale)
        let end = canvas.y + content.used.maxY * scale + labelRows
        if end > panel.maxY - Self.gap { canvas.y -= end - (panel.maxY - Self.gap) }
    }

    /// A layout with a fitted canvas and no bands yet.
    init(size: Size, panel: Rect, fit: CanvasFit, hasSurround: Bool, metrics: AnnotationMetrics) {
        self.size = size
        self.panel = panel
        self.hasSurround = hasSurround
        self.metrics = metrics
        scale = fit.scale
        canvas = fit.canvas
    }

    /// Returns the height of the label rows below the objects.
    static func labelRowsHeight(_ content: AnnotationContent) -> Double {
        content.labelRows > 0 ? firstLabelRowOffset + labelRowHeight * Double(content.labelRows) : 0
    }

    /// Returns the margin at each side of the canvas, with room for a column of names.
    static func sideInset(_ content: AnnotationContent) -> Double { max(inset, content.nameColumn) }

    /// Returns the largest scale at which the canvas fits into `room`. If `taken` points of the
    /// height are used otherwise, the used part of the canvas must fit into the rest.
    private static func fittingScale(of content: AnnotationContent, in room: Size, taken: Double) -> Double {
        let edge = max(inset, content.nameRows)
        let canvasScale = min(
            (room.height - 2 * inset) / content.canvas.height,
            (room.width - 2 * sideInset(content)) / content.canvas.width)
        guard taken > 0 || content.nameRows > 0 else { return canvasScale }
        return min(canvasScale, (room.height - taken - inset - edge - labelRowsHeight(content)) / content.used.height)
    }

    /// Returns the rectangle of the canvas, centred in the panel. If its height is cropped, the
    /// used part is at the top.
    private static func canvasRect(
        of content: AnnotationContent, in panel: Rect, scale: Double, isCropped: Bool
    ) -> Rect {
        let y =
            isCropped
            ? panel.y + inset - content.used.y * scale
            : content.nameRows > 0
                ? panel.center.y - (max(inset, content.nameRows) - inset) / 2 - content.used.center.y * scale
                : panel.center.y - content.canvas.height * scale / 2
        return Rect(
            x: (panel.center.x - content.canvas.width * scale / 2).rounded(), y: y.rounded(),
            width: content.canvas.width * scale, height: content.canvas.height * scale)
    }

    private static func tableHeight(_ content: AnnotationContent) -> Double {
        max(rowHeight * Double(content.tableRows + 1), content.steps > 0 ? displacementsHeight : 0)
    }

    /// Returns the number of plots that fit beside the canvas, below the tables.
    private static func plotsBeside(_ content: AnnotationContent, height: Double) -> Int {
        let tables =
            rowHeight * Double(content.tableRows + 1) + tableGap
            + (content.steps > 0 ? displacementsHeight + tableGap : 0)
        return min(content.plots, max(0, Int((height - tables + tableGap) / (minPlotHeight + tableGap))))
    }

    /// Places both tables side by side at the bottom, and the plots between them and the canvas.
    private mutating func placeBelow(_ content: AnnotationContent, bottom: Double) {
        let y = bottom - Self.tableHeight(content)
        let corner = Point(panel.x, y)
        placeTables(content, at: corner, next: corner + Point(Self.tableWidth + 2 * Self.gap, 0))
        let top = panel.maxY + Self.gap
        placePlots(
            content.plots, in: Rect(x: panel.x, y: top, width: panel.width, height: y - Self.gap - top), isRow: true)
    }

    /// Places the tables and plots in a column to the right of the canvas, and plots without room
    /// there below the canvas.
    private mutating func placeBeside(_ content: AnnotationContent, count: Int, bottom: Double) {
        let corner = Point(panel.maxX + Self.gap, panel.y)
        var y = corner.y + Self.rowHeight * Double(content.tableRows + 1) + Self.tableGap
        placeTables(content, at: corner, next: Point(corner.x, y))
        if content.steps > 0 { y += Self.displacementsHeight + Self.tableGap }
        placePlots(
            count, in: Rect(x: corner.x, y: y, width: Self.tableWidth, height: bottom - y), isRow: false)
        let top = panel.maxY + Self.gap
        placePlots(
            content.plots - count, in: Rect(x: panel.x, y: top, width: panel.width, height: bottom - top), isRow: true)
    }

    private mutating func placeTables(_ content: AnnotationContent, at corner: Point, next: Point) {
        let listHeight = Self.rowHeight * Double(content.tableRows + 1)
        table = Rect(x: corner.x, y: corner.y, width: Self.tableWidth, height: listHeight)
        guard content.steps > 0 else { return }
        displacements = Rect(
            x: next.x, y: next.y, width: min(Self.tableWidth, size.width - Self.gap - next.x),
            height: Self.displacementsHeight)
    }

    /// Divides a frame evenly among plots, in a row or a column.
    private mutating func placePlots(_ count: Int, in frame: Rect, isRow: Bool) {
        guard count > 0 else { return }
        let whole = isRow ? frame.width : frame.height
        let part = (whole - Self.tableGap * Double(count - 1)) / Double(count)
        plots += (0..<count).map { index in
            let start = (part + Self.tableGap) * Double(index)
            return isRow
                ? Rect(x: frame.x + start, y: frame.y, width: part, height: frame.height)
                : Rect(
                    x: frame.x, y: frame.y + start, width: frame.width, height: min(part, Self.maxPlotHeight))
        }
    }
}
