import Loaders
import Motion
import Scene
import Timing

/// The notes beside and below the canvas.
extension Annotator {
    func strips(at moment: AnnotatedMoment) -> [Node] {
        let header = layout.header.map { self.header(in: $0, at: moment) } ?? []
        let table = layout.table.map { self.table(in: $0, at: moment) } ?? []
        let displacements = layout.displacements.map { self.displacements(in: $0, at: moment) } ?? []
        let timeline = layout.timeline.map { self.timeline(in: $0, at: moment) } ?? []
        return header + table + displacements + plots(at: moment) + timeline
    }

    func word(_ english: String) -> String { Glossary.phrase(english, in: language) }

    // MARK: Phase and clock

    private func header(in frame: Rect, at moment: AnnotatedMoment) -> [Node] {
        var nodes: [Node] = []
        let clockWidth = 150.0
        if kinds.contains(.phases) {
            let number = "\(word("Phase")) \(moment.phase.index)"
            let width = TextExtent.width(number, fontSize: 17, bold: true) + 10
            nodes.append(
                Draw.text(
                    number, at: Point(frame.x, frame.y + 10), width: width, size: 17, color: theme.accent, bold: true))
            let x = frame.x + width
            nodes.append(
                Draw.text(
                    moment.phase.name.text(in: language), at: Point(x, frame.y + 11),
                    width: frame.maxX - clockWidth - x,
                    size: 16, color: theme.ink))
        }
        if kinds.contains(.clock) {
            nodes.append(
                Draw.text(
                    NumberText.fixed(moment.time.double, places: 3) + " s",
                    at: Point(frame.maxX - clockWidth, frame.y + 10), width: clockWidth, size: 17, color: theme.ink,
                    alignment: .right))
        }
        return nodes
    }

    // MARK: The phase's table

    /// Where the columns begin, and where the last one ends.
    private var columns: (name: Double, stage: Double, direction: Double, way: Double) {
        table.displacements == nil ? (20, 0, 0, 80) : (20, 76, 118, 176)
    }

    private func table(in frame: Rect, at moment: AnnotatedMoment) -> [Node] {
        func cell(
            _ string: String, _ x: Double, to end: Double, row: Int, _ color: Color, _ size: Double = 13,
            _ alignment: Text.Alignment = .left
        ) -> Node {
            let y = frame.y + Double(row) * AnnotationLayout.rowHeight + (size < 13 ? 2 : 1)
            return Draw.text(
                string, at: Point(frame.x + x, y), width: end - x, size: size, color: color, alignment: alignment)
        }
        let (columns, hasStages) = (columns, table.displacements != nil)
        var nodes = [
            cell(word("object"), 0, to: hasStages ? columns.stage : columns.way, row: 0, theme.faint, 11),
            cell(word("from → to (pt)"), columns.way, to: frame.width, row: 0, theme.faint, 11),
        ]
        if hasStages {
            nodes.append(cell(word("stage"), columns.stage, to: columns.direction, row: 0, theme.faint, 11))
            nodes.append(cell(word("direction"), columns.direction, to: columns.way, row: 0, theme.faint, 11))
        }
        for (index, course) in table.rows[moment.phase.index].courses.enumerated() {
            let (row, object) = (index + 1, moment.objects[index])
            let y = frame.y + Double(row) * AnnotationLayout.rowHeight + 9.5
            nodes += swatch(ofObject: index, at: Point(frame.x + 7, y))
            let nameEnd = hasStages ? columns.stage : columns.way
            nodes.append(cell(object.title.text(in: language), columns.name, to: nameEnd, row: row, theme.ink))
            if let stage = course.step, let direction = course.direction {
                nodes.append(cell("\(stage)", columns.stage, to: columns.direction - 6, row: row, theme.ink))
                let sign = NumberText.signed(Double(direction), places: 0)
                nodes.append(cell(sign, columns.direction, to: columns.way, row: row, theme.ink))
            }
            let way = table.way(ofObject: index, inPhase: moment.phase.index)
            nodes.append(cell(way, columns.way, to: frame.width, row: row, theme.ink))
        }
        let rule = frame.y + AnnotationLayout.rowHeight - 1.5
        return nodes + [Draw.line(Point(frame.x, rule), Point(frame.maxX, rule), theme.hairline)]
    }

    // MARK: The displacements

    /// The article's table with the stages' numbers, and a dot below the entry that each object is at.
    private func displacements(in frame: Rect, at moment: AnnotatedMoment) -> [Node] {
        guard let entries = table.displacements else { return [] }
        let pitch = min(42, frame.width / Double(entries.count))
        let title = word("displacement by stage (the next in each phase)")
        var nodes = [
            Draw.text(title, at: Point(frame.x, frame.y), width: frame.width, size: 11, color: theme.faint)
        ]
        for (stage, entry) in entries.enumerated() {
            let box = Rect(x: frame.x + Double(stage) * pitch + 0.5, y: frame.y + 32.5, width: pitch, height: 24)
            let isCurrent = moment.objects.contains { $0.step == stage }
            let stroke = Stroke(theme.hairline, width: 1)
            nodes.append(.shape(Shape(.rectangle(box), fill: isCurrent ? theme.backdrop : nil, stroke: stroke)))
            nodes.append(
                Draw.text(
                    "\(stage)", at: Point(box.x, box.y - 15.5), width: pitch, size: 10, color: theme.faint,
                    alignment: .center))
            nodes.append(
                Draw.text(
                    NumberText.signed(Double(entry), places: 0), at: Point(box.x, box.y + 2), width: pitch, size: 14,
                    color: isCurrent ? theme.readable(theme.ink) : theme.faint, alignment: .center, bold: isCurrent))
            let present = moment.objects.indices.filter { moment.objects[$0].step == stage }
            for (place, index) in present.enumerated() {
                let x = box.center.x + (Double(place) - Double(present.count - 1) / 2) * 12
                nodes += swatch(ofObject: index, at: Point(x, box.maxY + 10))
            }
        }
        return nodes
    }
}
