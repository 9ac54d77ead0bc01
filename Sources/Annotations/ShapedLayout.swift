import Scene

// Layouts for a picture's shape: what is beside the stage goes where the stage remains largest.
extension AnnotationLayout {
    /// The shorter side of such a picture in points.
    package static let shorterSide = 480.0
    /// What stays free at each edge, as a fraction of the side.
    package static let margin = 1.0 / 20
    private static let lineHeight = 27.0
    private static let timeline = 56.0
    private static let tagHeight = 24.0
    private static let least = (panel: Size(130, 96), plot: Size(184, 78))
    private static let mostPlot = 200.0
    /// Between blocks beside each other.
    private static let between = 16.0

    /// The size in points of a picture of a shape.
    package static func size(of shape: PictureShape) -> Size {
        let (width, height) = shape.pixels
        let scale = shorterSide / Double(min(width, height))
        return Size(Double(width) * scale, Double(height) * scale)
    }

    /// What lies within the margins of a picture.
    package static func safeFrame(of size: Size) -> Rect {
        Rect(
            x: size.width * margin, y: size.height * margin, width: size.width * (1 - 2 * margin),
            height: size.height * (1 - 2 * margin))
    }

    /// A layout for a shape; nil if there is no room for all that was asked for.
    init?(_ content: AnnotationContent, kinds: Set<AnnotationKind>, page: AnnotationPage, shape: PictureShape) {
        let (width, height) = shape.pixels
        guard Double(max(width, height)) <= PictureShape.mostElongated * Double(min(width, height)) else { return nil }
        let size = Self.size(of: shape)
        var safe = Self.safeFrame(of: size)
        (safe.y, safe.height) = (safe.y + page.head, safe.height - page.head)
        let isWritten = !page.isCompared && page.speed != nil
        let hasHeader = kinds.contains(.phases) || kinds.contains(.clock) || isWritten || page.corner > 0
        let isTall = content.header.number + content.header.name + content.header.right + 24 > safe.width
        let head = hasHeader ? Self.lineHeight * (isTall ? 2 : 1) + Self.gap : 0
        let foot = kinds.contains(.timeline) ? Self.timeline : 0
        let body = Rect(x: safe.x, y: safe.y + head, width: safe.width, height: safe.height - head - foot)
        guard let best = ShapedBody.best(content, kinds: kinds, in: body, isCompared: page.isCompared) else {
            return nil
        }
        self.init(
            size: size, panel: best.panel, fit: best.fit,
            hasStrips: hasHeader || foot > 0 || page.isCompared || page.theme != nil, metrics: .shaped)
        (companion, tags) = (best.companion, best.tags)
        (table, displacements, plots) = (best.table, best.displacements, best.plots)
        tableChoice = best.tableChoice
        if hasHeader { header = Rect(x: safe.x, y: safe.y, width: safe.width - page.corner, height: head - Self.gap) }
        // The times at its ends may stand out by two points.
        if foot > 0 { timeline = Rect(x: safe.x + 2, y: safe.maxY - foot, width: safe.width - 4, height: foot) }
    }

    /// The body of a picture with everything in its place.
    struct ShapedBody {
        var panel: Rect
        var fit: StageFit
        var companion: Rect?
        var tags: [Rect] = []
        var table: Rect?
        var displacements: Rect?
        var plots: [Rect] = []
        var tableChoice = 0

        private enum Block: Equatable { case table, displacements, plot }

        /// The arrangement in which the stage is largest.
        static func best(
            _ content: AnnotationContent, kinds: Set<AnnotationKind>, in body: Rect, isCompared: Bool
        ) -> ShapedBody? {
            guard kinds.contains(.phases) else {
                return ShapedBody(content, in: body, column: [], below: [], choice: 0, isCompared: isCompared)
            }
            let tables: [Block] = content.stages > 0 ? [.table, .displacements] : [.table]
            let plots = Array(repeating: Block.plot, count: content.plots)
            var found: [ShapedBody] = []
            let divisions = [tables, [], Array(tables.prefix(1)), Array(tables.dropFirst())]
            for beside in tables.count > 1 ? divisions : Array(divisions.prefix(2)) {
                for plotCount in 0...plots.count {
                    let column = beside + plots.prefix(plotCount)
                    let below = tables.filter { !beside.contains($0) } + plots.dropFirst(plotCount)
                    for choice in content.tableWidths.indices.prefix(content.stages > 0 ? 2 : 1) {
                        let made = ShapedBody(
                            content, in: body, column: column, below: below, choice: choice,
                            isCompared: isCompared)
                        if let made { found.append(made) }
                    }
                }
            }
            // Of nearly the same scale the one with larger plots is better.
            func quality(_ one: ShapedBody) -> Double {
                let room = one.plots.reduce(0) { $0 + $1.width * $1.height } / (body.width * body.height)
                return one.fit.scale * (1 + 0.6 * room) * (one.tableChoice == 0 ? 1 : 0.85)
            }
            return found.max { quality($0) < quality($1) }
        }

        private init?(
            _ content: AnnotationContent, in body: Rect, column: [Block], below: [Block], choice: Int,
            isCompared: Bool
        ) {
            tableChoice = choice
            func least(_ block: Block) -> Size {
                switch block {
                case .table:
                    Size(content.tableWidths[choice], AnnotationLayout.rowHeight * Double(content.rows + 1))
                case .displacements:
                    Size(28 * Double(content.stages) + 1, AnnotationMetrics.shaped.displacements)
                case .plot: AnnotationLayout.least.plot
                }
            }
            let gap = AnnotationLayout.gap
            func height(_ blocks: [Block]) -> Double {
                blocks.reduce(0) { $0 + least($1).height } + AnnotationLayout.tableGap
                    * Double(max(0, blocks.count - 1))
            }
            let rows = Self.rows(of: below, width: body.width, least)
            let rowsHeight = rows.reduce(0) { $0 + ($1.map { least($0).height }.max() ?? 0) + gap }
            var side = column.map { least($0).width }.max() ?? 0
            var room = Rect(
                x: body.x, y: body.y, width: body.width - (column.isEmpty ? 0 : side + 2 * gap),
                height: body.height - rowsHeight)
            guard side <= body.width, rows.joined().allSatisfy({ least($0).width <= body.width }),
                height(column) <= room.height,
                var stages = Self.stages(content, in: room, isCompared: isCompared)
            else { return nil }
            // What the stage does not need is the plots'.
            if column.contains(.plot) {
                let spare = max(0, min(room.width - stages.needed.width, 1.4 * side - side, 60))
                (side, room.width) = (side + spare, room.width - spare)
            }
            let plotRows = rows.filter { $0.contains(.plot) }.count
            let most = AnnotationLayout.mostPlot - AnnotationLayout.least.plot.height
            let spare = max(
                0, min(room.height - max(stages.needed.height, height(column)), most * Double(plotRows)))
            room.height -= spare
            guard let again = Self.stages(content, in: room, isCompared: isCompared) else { return nil }
            stages = again
            (panel, fit) = (stages.panel, stages.fit)
            (companion, tags) = (stages.companion, stages.tags)
            placeColumn(column, in: Rect(x: body.maxX - side, y: room.y, width: side, height: room.height), least)
            let extra = plotRows > 0 ? spare / Double(plotRows) : 0
            place(rows, in: Rect(x: body.x, y: room.maxY + gap, width: body.width, height: 0), extra: extra, least)
        }

        /// Blocks beside each other as far as they have room.
        private static func rows(of blocks: [Block], width: Double, _ least: (Block) -> Size) -> [[Block]] {
            blocks.reduce(into: []) { rows, block in
                let last = rows.last ?? []
                let taken = last.reduce(0) { $0 + least($1).width + AnnotationLayout.between }
                let mixes = last.contains(.plot) != (block == .plot)
                if last.isEmpty || mixes || taken + least(block).width > width {
                    rows.append([block])
                } else {
                    rows[rows.count - 1].append(block)
                }
            }
        }

        private mutating func placeColumn(_ blocks: [Block], in frame: Rect, _ least: (Block) -> Size) {
            let gap = AnnotationLayout.tableGap
            let fixed = blocks.filter { $0 != .plot }.reduce(0) { $0 + least($1).height + gap }
            let plotCount = Double(blocks.count { $0 == .plot })
            let plotHeight = min((frame.height - fixed - gap * (plotCount - 1)) / max(1, plotCount), 230)
            var y = frame.y
            for block in blocks {
                let height = block == .plot ? plotHeight : least(block).height
                put(block, Rect(x: frame.x, y: y, width: frame.width, height: height))
                y += height + gap
            }
        }

        private mutating func place(_ rows: [[Block]], in frame: Rect, extra: Double, _ least: (Block) -> Size) {
            var y = frame.y
            for row in rows {
                let isPlots = row.contains(.plot)
                let height = (row.map { least($0).height }.max() ?? 0) + (isPlots ? extra : 0)
                let between = AnnotationLayout.between
                let each = (frame.width - between * Double(row.count - 1)) / Double(row.count)
                var x = frame.x
                for (index, block) in row.enumerated() {
                    // Tables take what they need, and the last of a row what is left.
                    let isLast = index == row.count - 1
                    let width = isLast ? frame.maxX - x : isPlots ? each : max(least(block).width, each * 0.9)
                    let fitting =
                        isPlots || isLast ? width : min(width, frame.width - between - least(row[index + 1]).width)
                    put(block, Rect(x: x, y: y, width: fitting, height: height))
                    x += fitting + between
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

        private typealias Stages = (panel: Rect, fit: StageFit, companion: Rect?, tags: [Rect], needed: Size)

        /// The stage's panel, and another for normal speed beside or above it, whichever makes them larger.
        private static func stages(_ content: AnnotationContent, in room: Rect, isCompared: Bool) -> Stages? {
            func isLarge(_ panel: Rect) -> Bool {
                panel.width >= AnnotationLayout.least.panel.width && panel.height >= AnnotationLayout.least.panel.height
            }
            guard isCompared else {
                guard isLarge(room), let fit = StageFit(content, in: room) else { return nil }
                return (room, fit, nil, [], Size(fit.neededWidth, fit.neededHeight))
            }
            let (gap, tag) = (AnnotationLayout.gap, AnnotationLayout.tagHeight)
            func pair(_ first: Rect, _ second: Rect, isRow: Bool) -> Stages? {
                func panel(_ frame: Rect) -> Rect {
                    Rect(x: frame.x, y: frame.y + tag, width: frame.width, height: frame.height - tag)
                }
                func tagged(_ frame: Rect) -> Rect {
                    Rect(x: frame.x, y: frame.y, width: frame.width, height: tag)
                }
                guard isLarge(panel(first)), let fit = StageFit(content, in: panel(second)) else { return nil }
                let needed =
                    isRow
                    ? Size(2 * fit.neededWidth + gap, fit.neededHeight + tag)
                    : Size(fit.neededWidth, 2 * (fit.neededHeight + tag) + gap)
                return (panel(second), fit, panel(first), [tagged(first), tagged(second)], needed)
            }
            let half = Size((room.width - gap) / 2, (room.height - gap) / 2)
            let row = pair(
                Rect(x: room.x, y: room.y, width: half.width, height: room.height),
                Rect(x: room.maxX - half.width, y: room.y, width: half.width, height: room.height), isRow: true)
            let column = pair(
                Rect(x: room.x, y: room.y, width: room.width, height: half.height),
                Rect(x: room.x, y: room.maxY - half.height, width: room.width, height: half.height), isRow: false)
            return [row, column].compactMap(\.self).max { $0.fit.scale < $1.fit.scale }
        }
    }
}
