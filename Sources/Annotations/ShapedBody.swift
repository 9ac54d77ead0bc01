import Scene

/// What is between header and phases of a picture that is laid out for a shape, with everything in its place.
struct ShapedBody {
    private(set) var panel: Rect
    private(set) var fit: StageFit
    private(set) var companion: Rect?
    private(set) var tags: [Rect] = []
    private(set) var table: Rect?
    private(set) var displacements: Rect?
    private(set) var plots: [Rect] = []
    /// Which of the table's widths it has.
    let tableChoice: Int

    private static let plot = (least: Size(184, 78), most: 200.0)
    /// Between blocks beside each other, and between blocks below each other.
    private static let (between, gap) = (16.0, AnnotationLayout.tableGap)

    private enum Block: Equatable { case table, displacements, plot }

    /// The least sizes of blocks.
    private struct Sizes {
        let content: AnnotationContent
        let choice: Int

        func least(_ block: Block) -> Size {
            switch block {
            case .table: Size(content.tableWidths[choice], AnnotationLayout.rowHeight * Double(content.rows + 1))
            case .displacements: Size(28 * Double(content.stages) + 1, AnnotationMetrics.shaped.displacements)
            case .plot: ShapedBody.plot.least
            }
        }

        /// The height of blocks below each other, and of one beside others.
        func column(_ blocks: [Block]) -> Double {
            blocks.reduce(0) { $0 + least($1).height } + ShapedBody.gap * Double(max(0, blocks.count - 1))
        }
        func row(_ blocks: [Block]) -> Double { blocks.map { least($0).height }.max() ?? 0 }

        /// Blocks beside each other as far as they have room.
        func rows(of blocks: [Block], width: Double) -> [[Block]] {
            blocks.reduce(into: []) { rows, block in
                let last = rows.last ?? []
                let taken = last.reduce(0) { $0 + least($1).width + ShapedBody.between }
                let mixes = last.contains(.plot) != (block == .plot)
                if last.isEmpty || mixes || taken + least(block).width > width {
                    rows.append([block])
                } else {
                    rows[rows.count - 1].append(block)
                }
            }
        }
    }

    /// The arrangement in which the stage is largest; nil if there is no room for all.
    static func best(
        _ content: AnnotationContent, kinds: Set<AnnotationKind>, in body: Rect, isCompared: Bool
    ) -> ShapedBody? {
        guard kinds.contains(.phases) else {
            return ShapedBody(content, in: body, column: [], below: [], choice: 0, isCompared: isCompared)
        }
        let tables: [Block] = content.stages > 0 ? [.table, .displacements] : [.table]
        let plots = Array(repeating: Block.plot, count: content.plots)
        let divisions = tables.count > 1 ? [tables, [], [tables[0]], [tables[1]]] : [tables, []]
        let found = divisions.flatMap { beside in
            (0...plots.count).flatMap { plotCount in
                content.tableWidths.indices.prefix(tables.count).compactMap { choice in
                    ShapedBody(
                        content, in: body, column: beside + plots.prefix(plotCount),
                        below: tables.filter { !beside.contains($0) } + plots.dropFirst(plotCount), choice: choice,
                        isCompared: isCompared)
                }
            }
        }
        // Of nearly the same scale the one with larger plots is better, and one with the whole table.
        func quality(_ one: ShapedBody) -> Double {
            let room = one.plots.reduce(0) { $0 + $1.width * $1.height } / (body.width * body.height)
            return one.fit.scale * (1 + 0.6 * room) * (one.tableChoice == 0 ? 1 : 0.85)
        }
        return found.max { quality($0) < quality($1) }
    }

    private init?(
        _ content: AnnotationContent, in body: Rect, column: [Block], below: [Block], choice: Int, isCompared: Bool
    ) {
        let (sizes, gap) = (Sizes(content: content, choice: choice), AnnotationLayout.gap)
        tableChoice = choice
        let rows = sizes.rows(of: below, width: body.width)
        var side = column.map { sizes.least($0).width }.max() ?? 0
        var room = Rect(
            x: body.x, y: body.y, width: body.width - (column.isEmpty ? 0 : side + 2 * gap),
            height: body.height - rows.reduce(0) { $0 + sizes.row($1) + gap })
        guard side <= body.width, below.allSatisfy({ sizes.least($0).width <= body.width }),
            sizes.column(column) <= room.height,
            let first = ShapedStages(content, in: room, isCompared: isCompared)
        else { return nil }
        // What the stage does not need is the plots'.
        if column.contains(.plot) {
            let spare = max(0, min(room.width - first.needed.width, 0.4 * side, 60))
            (side, room.width) = (side + spare, room.width - spare)
        }
        let plotRows = Double(rows.filter { $0.contains(.plot) }.count)
        let spare = max(
            0,
            min(
                room.height - max(first.needed.height, sizes.column(column)),
                (Self.plot.most - Self.plot.least.height) * plotRows))
        room.height -= spare
        guard let stages = ShapedStages(content, in: room, isCompared: isCompared) else { return nil }
        (panel, fit, companion, tags) = (stages.panel, stages.fit, stages.companion, stages.tags)
        place(column, in: Rect(x: body.maxX - side, y: room.y, width: side, height: room.height), sizes)
        place(
            rows, from: Point(body.x, room.maxY + gap), width: body.width, extra: spare / max(1, plotRows), sizes)
    }

    /// Places blocks below each other.
    private mutating func place(_ blocks: [Block], in frame: Rect, _ sizes: Sizes) {
        let fixed = blocks.filter { $0 != .plot }.reduce(0) { $0 + sizes.least($1).height + Self.gap }
        let plotCount = Double(blocks.count { $0 == .plot })
        let plotHeight = min((frame.height - fixed - Self.gap * (plotCount - 1)) / max(1, plotCount), 230)
        var y = frame.y
        for block in blocks {
            let height = block == .plot ? plotHeight : sizes.least(block).height
            put(block, Rect(x: frame.x, y: y, width: frame.width, height: height))
            y += height + Self.gap
        }
    }

    /// Places rows of blocks below each other; those of plots are so much higher than they must be.
    private mutating func place(
        _ rows: [[Block]], from corner: Point, width: Double, extra: Double, _ sizes: Sizes
    ) {
        var y = corner.y
        for row in rows {
            let isPlots = row.contains(.plot)
            let height = sizes.row(row) + (isPlots ? extra : 0)
            let each = (width - Self.between * Double(row.count - 1)) / Double(row.count)
            var x = corner.x
            for (index, block) in row.enumerated() {
                // Tables take what they need, and the last of a row what is left.
                let left = corner.x + width - x
                let after = row.dropFirst(index + 1).reduce(0) { $0 + Self.between + sizes.least($1).width }
                let wanted = isPlots ? each : max(sizes.least(block).width, each * 0.9)
                let own = index == row.count - 1 ? left : min(wanted, left - after)
                put(block, Rect(x: x, y: y, width: own, height: height))
                x += own + Self.between
            }
            y += height + AnnotationLayout.gap
        }
    }

    private mutating func put(_ block: Block, _ frame: Rect) {
        switch block {
        case .table: table = frame
        case .displacements: displacements = frame
        case .plot: plots.append(frame)
        }
    }
}

/// The stage's panel, and another for normal speed beside or above it, whichever makes them larger.
private struct ShapedStages {
    var panel: Rect
    var fit: StageFit
    var companion: Rect?
    var tags: [Rect] = []
    /// The room that would do.
    var needed: Size

    private static let least = Size(130, 96)
    private static let tagHeight = 24.0

    /// Nil if there is no room.
    init?(_ content: AnnotationContent, in room: Rect, isCompared: Bool) {
        guard isCompared else {
            guard Self.isLarge(room), let fit = StageFit(content, in: room) else { return nil }
            (panel, self.fit, needed) = (room, fit, Size(fit.neededWidth, fit.neededHeight))
            return
        }
        let gap = AnnotationLayout.gap
        let half = Size((room.width - gap) / 2, (room.height - gap) / 2)
        let row = ShapedStages(
            content, Rect(x: room.x, y: room.y, width: half.width, height: room.height),
            Rect(x: room.maxX - half.width, y: room.y, width: half.width, height: room.height), isRow: true)
        let column = ShapedStages(
            content, Rect(x: room.x, y: room.y, width: room.width, height: half.height),
            Rect(x: room.x, y: room.maxY - half.height, width: room.width, height: half.height), isRow: false)
        guard let best = [row, column].compactMap(\.self).max(by: { $0.fit.scale < $1.fit.scale }) else { return nil }
        self = best
    }

    /// Two panels, with room for a speed above each.
    private init?(_ content: AnnotationContent, _ first: Rect, _ second: Rect, isRow: Bool) {
        let tag = Self.tagHeight
        func panel(_ frame: Rect) -> Rect {
            Rect(x: frame.x, y: frame.y + tag, width: frame.width, height: frame.height - tag)
        }
        guard Self.isLarge(panel(first)), let fit = StageFit(content, in: panel(second)) else { return nil }
        (self.panel, self.fit, companion) = (panel(second), fit, panel(first))
        tags = [first, second].map { Rect(x: $0.x, y: $0.y, width: $0.width, height: tag) }
        let gap = AnnotationLayout.gap
        needed =
            isRow
            ? Size(2 * fit.neededWidth + gap, fit.neededHeight + tag)
            : Size(fit.neededWidth, 2 * (fit.neededHeight + tag) + gap)
    }

    private static func isLarge(_ panel: Rect) -> Bool { panel.width >= least.width && panel.height >= least.height }
}
