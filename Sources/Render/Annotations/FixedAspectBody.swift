import Core

/// The layout between the header and the timeline of a frame with a fixed aspect ratio.
struct FixedAspectBody {
    private(set) var panel: Rect
    private(set) var fit: CanvasFit
    private(set) var referencePanel: Rect?
    private(set) var speedLabels: [Rect] = []
    private(set) var table: Rect?
    private(set) var displacements: Rect?
    private(set) var plots: [Rect] = []
    /// The index of the chosen width in `AnnotationContent.tableWidths`.
    let tableChoice: Int

    /// The minimum size of a plot in points.
    private static let minPlotSize = Size(184, 78)
    /// The height in points above which spare room in a row of plots is not used.
    private static let maxPlotHeight = 200.0
    /// The horizontal distance between blocks in points.
    private static let columnGap = 16.0
    /// The vertical distance between blocks in points.
    private static let rowGap = AnnotationLayout.tableGap

    private enum Block: Equatable { case table, displacements, plot }

    /// The minimum sizes of blocks.
    private struct Sizes {
        let content: AnnotationContent
        let choice: Int

        func minSize(of block: Block) -> Size {
            switch block {
            case .table: Size(content.tableWidths[choice], AnnotationLayout.rowHeight * Double(content.tableRows + 1))
            case .displacements: Size(28 * Double(content.steps) + 1, AnnotationMetrics.fixedAspect.displacements)
            case .plot: FixedAspectBody.minPlotSize
            }
        }

        /// Returns the minimum height of a column of blocks.
        func columnHeight(of blocks: [Block]) -> Double {
            blocks.reduce(0) { $0 + minSize(of: $1).height }
                + FixedAspectBody.rowGap * Double(max(0, blocks.count - 1))
        }
        /// Returns the minimum height of a row of blocks.
        func rowHeight(of blocks: [Block]) -> Double { blocks.map { minSize(of: $0).height }.max() ?? 0 }

        /// Returns the blocks in rows that fit the width. Tables and plots do not share a row.
        func rows(of blocks: [Block], width: Double) -> [[Block]] {
            blocks.reduce(into: []) { rows, block in
                let last = rows.last ?? []
                let taken = last.reduce(0) { $0 + minSize(of: $1).width + FixedAspectBody.columnGap }
                let mixes = last.contains(.plot) != (block == .plot)
                if last.isEmpty || mixes || taken + minSize(of: block).width > width {
                    rows.append([block])
                } else {
                    rows[rows.count - 1].append(block)
                }
            }
        }
    }

    /// Returns the best arrangement: the one with the largest canvas, unless another one has larger
    /// plots or a table with directions. Nil if there is not enough room.
    static func best(
        _ content: AnnotationContent, kinds: Set<AnnotationKind>, in body: Rect, isCompared: Bool
    ) -> FixedAspectBody? {
        guard kinds.contains(.phases) else {
            return FixedAspectBody(content, in: body, column: [], below: [], choice: 0, isCompared: isCompared)
        }
        let tables: [Block] = content.steps > 0 ? [.table, .displacements] : [.table]
        let plots = Array(repeating: Block.plot, count: content.plots)
        let divisions = tables.count > 1 ? [tables, [], [tables[0]], [tables[1]]] : [tables, []]
        let found = divisions.flatMap { beside in
            (0...plots.count).flatMap { plotCount in
                content.tableWidths.indices.prefix(tables.count).compactMap { choice in
                    FixedAspectBody(
                        content, in: body, column: beside + plots.prefix(plotCount),
                        below: tables.filter { !beside.contains($0) } + plots.dropFirst(plotCount), choice: choice,
                        isCompared: isCompared)
                }
            }
        }
        // At similar scales, larger plots and a table with directions are better.
        func quality(_ one: FixedAspectBody) -> Double {
            let room = one.plots.reduce(0) { $0 + $1.width * $1.height } / (body.width * body.height)
            return one.fit.scale * (1 + 0.6 * room) * (one.tableChoice == 0 ? 1 : 0.85)
        }
        return found.max { quality($0) < quality($1) }
    }

    private init?(
        _ content: AnnotationContent, in body: Rect, column: [Block], below: [Block], choice: Int, isCompared: Bool
    ) {
        let sizes = Sizes(content: content, choice: choice)
        let gap = AnnotationLayout.gap
        tableChoice = choice
        let rows = sizes.rows(of: below, width: body.width)
        var side = column.map { sizes.minSize(of: $0).width }.max() ?? 0
        var room = Rect(
            x: body.x, y: body.y, width: body.width - (column.isEmpty ? 0 : side + 2 * gap),
            height: body.height - rows.reduce(0) { $0 + sizes.rowHeight(of: $1) + gap })
        guard side <= body.width, below.allSatisfy({ sizes.minSize(of: $0).width <= body.width }),
            sizes.columnHeight(of: column) <= room.height,
            let first = FixedAspectCanvases(content, in: room, isCompared: isCompared)
        else { return nil }
        // Plots get the room that the canvas does not need.
        if column.contains(.plot) {
            let spare = max(0, min(room.width - first.needed.width, 0.4 * side, 60))
            side += spare
            room.width -= spare
        }
        let plotRows = Double(rows.filter { $0.contains(.plot) }.count)
        let spare = max(
            0,
            min(
                room.height - max(first.needed.height, sizes.columnHeight(of: column)),
                (Self.maxPlotHeight - Self.minPlotSize.height) * plotRows))
        room.height -= spare
        guard let canvases = FixedAspectCanvases(content, in: room, isCompared: isCompared) else { return nil }
        panel = canvases.panel
        fit = canvases.fit
        referencePanel = canvases.referencePanel
        speedLabels = canvases.speedLabels
        place(column, in: Rect(x: body.maxX - side, y: room.y, width: side, height: room.height), sizes)
        place(
            rows, from: Point(body.x, room.maxY + gap), width: body.width, extra: spare / max(1, plotRows), sizes)
    }

    /// Places blocks in a column.
    private mutating func place(_ blocks: [Block], in frame: Rect, _ sizes: Sizes) {
        let fixed = blocks.filter { $0 != .plot }.reduce(0) { $0 + sizes.minSize(of: $1).height + Self.rowGap }
        let plotCount = Double(blocks.count { $0 == .plot })
        let plotHeight = min((frame.height - fixed - Self.rowGap * (plotCount - 1)) / max(1, plotCount), 230)
        var y = frame.y
        for block in blocks {
            let height = block == .plot ? plotHeight : sizes.minSize(of: block).height
            setFrame(Rect(x: frame.x, y: y, width: frame.width, height: height), of: block)
            y += height + Self.rowGap
        }
    }

    /// Places rows of blocks below each other. `extra` is added to the minimum height of each row
    /// of plots.
    private mutating func place(
        _ rows: [[Block]], from corner: Point, width: Double, extra: Double, _ sizes: Sizes
    ) {
        var y = corner.y
        for row in rows {
            let isPlots = row.contains(.plot)
            let height = sizes.rowHeight(of: row) + (isPlots ? extra : 0)
            let each = (width - Self.columnGap * Double(row.count - 1)) / Double(row.count)
            var x = corner.x
            for (index, block) in row.enumerated() {
                // Tables get the width they need, and the last block of a row gets the rest.
                let remaining = corner.x + width - x
                let reserved = row.dropFirst(index + 1).reduce(0) { $0 + Self.columnGap + sizes.minSize(of: $1).width }
                let wanted = isPlots ? each : max(sizes.minSize(of: block).width, each * 0.9)
                let blockWidth = index == row.count - 1 ? remaining : min(wanted, remaining - reserved)
                setFrame(Rect(x: x, y: y, width: blockWidth, height: height), of: block)
                x += blockWidth + Self.columnGap
            }
            y += height + AnnotationLayout.gap
        }
    }

    private mutating func setFrame(_ frame: Rect, of block: Block) {
        switch block {
        case .table: table = frame
        case .displacements: displacements = frame
        case .plot: plots.append(frame)
        }
    }
}

/// The panel of the canvas, and optionally a reference panel beside or above it, whichever makes
/// both larger.
private struct FixedAspectCanvases {
    var panel: Rect
    var fit: CanvasFit
    var referencePanel: Rect?
    var speedLabels: [Rect] = []
    /// The size that the panels need at this scale.
    var needed: Size

    /// The minimum size of a panel in points.
    private static let minPanelSize = Size(130, 96)
    /// The height of the speed above a panel in points.
    private static let speedLabelHeight = 24.0

    /// The panels in `room`; nil if there is not enough room.
    init?(_ content: AnnotationContent, in room: Rect, isCompared: Bool) {
        guard isCompared else {
            guard Self.isLargeEnough(room), let fit = CanvasFit(content, in: room) else { return nil }
            panel = room
            self.fit = fit
            needed = Size(fit.neededWidth, fit.neededHeight)
            return
        }
        let gap = AnnotationLayout.gap
        let half = Size((room.width - gap) / 2, (room.height - gap) / 2)
        let row = FixedAspectCanvases(
            content, Rect(x: room.x, y: room.y, width: half.width, height: room.height),
            Rect(x: room.maxX - half.width, y: room.y, width: half.width, height: room.height), isRow: true)
        let column = FixedAspectCanvases(
            content, Rect(x: room.x, y: room.y, width: room.width, height: half.height),
            Rect(x: room.x, y: room.maxY - half.height, width: room.width, height: half.height), isRow: false)
        guard let best = [row, column].compactMap(\.self).max(by: { $0.fit.scale < $1.fit.scale }) else { return nil }
        self = best
    }

    /// Two panels with room for a speed above each.
    private init?(_ content: AnnotationContent, _ first: Rect, _ second: Rect, isRow: Bool) {
        let labelHeight = Self.speedLabelHeight
        func panel(_ frame: Rect) -> Rect {
            Rect(x: frame.x, y: frame.y + labelHeight, width: frame.width, height: frame.height - labelHeight)
        }
        guard Self.isLargeEnough(panel(first)), let fit = CanvasFit(content, in: panel(second)) else { return nil }
        self.panel = panel(second)
        self.fit = fit
        referencePanel = panel(first)
        speedLabels = [first, second].map { Rect(x: $0.x, y: $0.y, width: $0.width, height: labelHeight) }
        let gap = AnnotationLayout.gap
        needed =
            isRow
            ? Size(2 * fit.neededWidth + gap, fit.neededHeight + labelHeight)
            : Size(fit.neededWidth, 2 * (fit.neededHeight + labelHeight) + gap)
    }

    private static func isLargeEnough(_ panel: Rect) -> Bool {
        panel.width >= minPanelSize.width && panel.height >= minPanelSize.height
    }
}
