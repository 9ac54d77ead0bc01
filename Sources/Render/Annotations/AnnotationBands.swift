import Animations
import Core

/// The bands around the canvas.
extension Annotator {
    /// Returns the nodes that stay the same for at least a phase.
    func stableBands(at moment: AnnotatedMoment) -> [Node] {
        let fixed = bandCache.fixed {
            var nodes = speeds
            if let frame = layout.table { nodes += tableHead(in: frame) }
            if let frame = layout.displacements { nodes += displacementsHead(in: frame) }
            for plot in fixedPlots { nodes += plot }
            if let frame = layout.timeline { nodes += ticks(in: frame) }
            return nodes
        }
        let key = BandCache.Key(phase: moment.phase.index, steps: moment.objects.map(\.step))
        let phase = bandCache.phase(key) {
            var nodes: [Node] = []
            if let frame = layout.header { nodes += header(in: frame, at: moment) }
            if let frame = layout.table { nodes += rows(in: frame, at: moment) }
            if let frame = layout.displacements { nodes += entries(in: frame, at: moment) }
            if let frame = layout.timeline { nodes += segments(in: frame, at: moment) }
            return nodes
        }
        return fixed + phase
    }

    /// Returns the nodes that change from frame to frame.
    func changingBands(at moment: AnnotatedMoment) -> [Node] {
        (layout.header.map { clock(in: $0, at: moment) } ?? []) + plotPlayheads(at: moment)
            + (layout.timeline.map { playhead(in: $0, at: moment) } ?? [])
    }

    func word(_ english: String) -> String { Glossary.phrase(english, in: language) }

    // MARK: The phase's table

    private func cell(
        _ string: String, _ x: Double, to end: Double, in frame: Rect, row: Int, _ color: Color,
        _ size: Double = TableColumns.fontSize
    ) -> Node {
        let y = frame.y + Double(row) * AnnotationLayout.rowHeight + (size < 13 ? 2 : 1)
        return Draw.text(string, at: Point(frame.x + x, y), width: end - x, size: size, color: color, isNumber: true)
    }

    private func tableHead(in frame: Rect) -> [Node] {
        func head(_ text: String, _ x: Double, to end: Double) -> Node {
            cell(word(text), x, to: end, in: frame, row: 0, surround.faint, layout.metrics.small)
        }
        var nodes = [head("object", 0, to: columns.nameEnd), head("from → to (pt)", columns.fromTo, to: frame.width)]
        if columns.hasSteps {
            nodes.append(head("step", columns.step, to: columns.direction))
        }
        if columns.hasDirections {
            nodes.append(head("direction", columns.direction, to: columns.fromTo))
        }
        let rule = frame.y + AnnotationLayout.rowHeight - 1.5
        return nodes + [Draw.line(Point(frame.x, rule), Point(frame.maxX, rule), surround.hairline)]
    }

    private func rows(in frame: Rect, at moment: AnnotatedMoment) -> [Node] {
        var nodes: [Node] = []
        let motions = table.rows[moment.phase.index].motions
        let isCut = motions.count > AnnotationLayout.maxTableRows
        let names = ShortName.fitting(
            Array(ObjectTitles.texts(of: motions.map(\.title), in: language).prefix(AnnotationLayout.maxTableRows)),
            width: columns.maxNameWidth, fontSize: TableColumns.fontSize)
        for (index, motion) in motions.prefix(AnnotationLayout.maxTableRows - (isCut ? 1 : 0)).enumerated() {
            let row = index + 1
            func add(_ text: String, _ x: Double, to end: Double) {
                nodes.append(cell(text, x, to: end, in: frame, row: row, surround.ink))
            }
            let y = frame.y + Double(row) * AnnotationLayout.rowHeight + 9.5
            nodes += swatch(ofObject: index, at: Point(frame.x + 7, y))
            add(names[index], columns.name, to: columns.nameEnd)
            if columns.hasSteps, let step = motion.step, let direction = motion.direction {
                add("\(step)", columns.step, to: columns.direction - 6)
                if columns.hasDirections {
                    add(NumberText.signed(Double(direction), places: 0), columns.direction, to: columns.fromTo)
                }
            }
            let displacement = table.displacement(ofObject: index, inPhase: moment.phase.index, language: language)
            add(displacement, columns.fromTo, to: frame.width)
        }
        if isCut {
            let rest = motions.count - AnnotationLayout.maxTableRows + 1
            let text = language == .zh ? "另有 \(rest) 个对象" : "and \(rest) more objects"
            let row = AnnotationLayout.maxTableRows
            nodes.append(cell(text, columns.name, to: frame.width, in: frame, row: row, surround.faint))
        }
        return nodes
    }

    // MARK: The displacements

    private func pitch(in frame: Rect) -> Double { min(42, frame.width / Double(table.displacements?.count ?? 1)) }

    private func box(ofStep step: Int, in frame: Rect) -> Rect {
        let pitch = pitch(in: frame)
        return Rect(
            x: frame.x + Double(step) * pitch + 0.5, y: frame.y + layout.metrics.entries, width: pitch, height: 24)
    }

    /// Returns the title of the article's table and the indices of the steps.
    private func displacementsHead(in frame: Rect) -> [Node] {
        guard let entries = table.displacements else { return [] }
        let small = layout.metrics.small
        let tiny = layout.metrics.tiny
        let titles = ["displacement by step (the next in each phase)", "displacement by step"].map(word)
        let title = titles.first { TextExtent.width($0, fontSize: small) <= frame.width } ?? titles[1]
        // Frames without a fixed aspect ratio always have room for the long title.
        let shown = hasFixedAspect ? title : titles[0]
        let numbers = entries.indices.map { step in
            let box = box(ofStep: step, in: frame)
            return Draw.text(
                "\(step)", at: Point(box.x, box.y - 5.5 - tiny), width: box.width, size: tiny, color: surround.faint,
                alignment: .center)
        }
        return [Draw.text(shown, at: Point(frame.x, frame.y), width: frame.width, size: small, color: surround.faint)]
            + numbers
    }

    /// Returns the entries of the article's table, with a swatch of each object below its current
    /// entry.
    private func entries(in frame: Rect, at moment: AnnotatedMoment) -> [Node] {
        guard let entries = table.displacements else { return [] }
        return entries.enumerated().flatMap { step, entry in
            let box = box(ofStep: step, in: frame)
            let present = moment.objects.indices.filter { moment.objects[$0].step == step }
            let isCurrent = !present.isEmpty
            let stroke = Stroke(surround.hairline, width: 1)
            let text = Draw.text(
                NumberText.signed(Double(entry), places: 0), at: Point(box.x, box.y + 2), width: box.width, size: 14,
                color: isCurrent ? surround.readable(surround.ink) : surround.faint, alignment: .center, bold: isCurrent
            )
            let dots = present.enumerated().flatMap { offset, index in
                let x = box.center.x + (Double(offset) - Double(present.count - 1) / 2) * 12
                return swatch(ofObject: index, at: Point(x, box.maxY + 10))
            }
            return [.shape(Shape(.rectangle(box), fill: isCurrent ? surround.backdrop : nil, stroke: stroke)), text]
                + dots
        }
    }
}
