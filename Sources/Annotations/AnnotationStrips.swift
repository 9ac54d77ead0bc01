import Loaders
import Motion
import Platform
import Scene
import Timing

/// What is beside a canvas, kept as long as it stays the same: most of it all the time, much of it during a phase.
///
/// Sendable, and without influence on what is shown: whoever finds nothing makes it anew.
final class StripCache: Sendable {
    /// What tells the strips of one instant from another's.
    struct Key: Hashable {
        let phase: Int
        let steps: [Int?]
    }

    /// How many phases are kept.
    private static let most = 16
    private let kept = Locked(Kept())

    private struct Kept {
        var fixed: [Node]?
        var phases: [Key: [Node]] = [:]
        var ghosts: [Int: [Node]] = [:]
    }

    /// What is always the same.
    func fixed(_ make: () -> [Node]) -> [Node] {
        if let known = kept.withLock({ $0.fixed }) { return known }
        let made = make()
        kept.withLock { $0.fixed = made }
        return made
    }

    /// The ghosts of a phase.
    func ghosts(ofPhase phase: Int, _ make: () -> [Node]) -> [Node] { shelved(\.ghosts, phase, make) }

    /// What is the same during a phase.
    func phase(_ key: Key, _ make: () -> [Node]) -> [Node] { shelved(\.phases, key, make) }

    private func shelved<Name: Hashable>(
        _ shelf: WritableKeyPath<Kept, [Name: [Node]]>, _ name: Name, _ make: () -> [Node]
    ) -> [Node] {
        if let known = kept.withLock({ $0[keyPath: shelf][name] }) { return known }
        let made = make()
        kept.withLock { kept in
            if kept[keyPath: shelf].count >= Self.most { kept[keyPath: shelf] = [:] }
            kept[keyPath: shelf][name] = made
        }
        return made
    }
}

/// The notes beside and below the canvas.
extension Annotator {
    /// What stays the same for a phase at least.
    func lastingStrips(at moment: AnnotatedMoment) -> [Node] {
        let fixed = strips.fixed {
            var nodes = speeds
            if let frame = layout.table { nodes += tableHead(in: frame) }
            if let frame = layout.displacements { nodes += displacementsHead(in: frame) }
            for plot in fixedPlots { nodes += plot }
            if let frame = layout.timeline { nodes += ticks(in: frame) }
            return nodes
        }
        let key = StripCache.Key(phase: moment.phase.index, steps: moment.objects.map(\.step))
        let phase = strips.phase(key) {
            var nodes: [Node] = []
            if let frame = layout.header { nodes += header(in: frame, at: moment) }
            if let frame = layout.table { nodes += rows(in: frame, at: moment) }
            if let frame = layout.displacements { nodes += entries(in: frame, at: moment) }
            if let frame = layout.timeline { nodes += segments(in: frame, at: moment) }
            return nodes
        }
        return fixed + phase
    }

    /// What changes from picture to picture.
    func passingStrips(at moment: AnnotatedMoment) -> [Node] {
        (layout.header.map { clock(in: $0, at: moment) } ?? []) + presents(at: moment)
            + (layout.timeline.map { playhead(in: $0, at: moment) } ?? [])
    }

    func word(_ english: String) -> String { Glossary.phrase(english, in: language) }

    // MARK: The phase's table

    private func cell(
        _ string: String, _ x: Double, to end: Double, in frame: Rect, row: Int, _ color: Color, _ size: Double = 13
    ) -> Node {
        let y = frame.y + Double(row) * AnnotationLayout.rowHeight + (size < 13 ? 2 : 1)
        return Draw.text(string, at: Point(frame.x + x, y), width: end - x, size: size, color: color)
    }

    private func tableHead(in frame: Rect) -> [Node] {
        func head(_ text: String, _ x: Double, to end: Double) -> Node {
            cell(word(text), x, to: end, in: frame, row: 0, surround.faint, layout.metrics.small)
        }
        var nodes = [head("object", 0, to: columns.nameEnd), head("from → to (pt)", columns.way, to: frame.width)]
        if columns.hasStages {
            nodes.append(head("stage", columns.stage, to: columns.direction))
        }
        if columns.hasDirections {
            nodes.append(head("direction", columns.direction, to: columns.way))
        }
        let rule = frame.y + AnnotationLayout.rowHeight - 1.5
        return nodes + [Draw.line(Point(frame.x, rule), Point(frame.maxX, rule), surround.hairline)]
    }

    private func rows(in frame: Rect, at moment: AnnotatedMoment) -> [Node] {
        var nodes: [Node] = []
        for (index, course) in table.rows[moment.phase.index].courses.enumerated() {
            let (row, object) = (index + 1, moment.objects[index])
            func add(_ text: String, _ x: Double, to end: Double) {
                nodes.append(cell(text, x, to: end, in: frame, row: row, surround.ink))
            }
            let y = frame.y + Double(row) * AnnotationLayout.rowHeight + 9.5
            nodes += swatch(ofObject: index, at: Point(frame.x + 7, y))
            add(object.title.text(in: language), columns.name, to: columns.nameEnd)
            if columns.hasStages, let stage = course.step, let direction = course.direction {
                add("\(stage)", columns.stage, to: columns.direction - 6)
                if columns.hasDirections {
                    add(NumberText.signed(Double(direction), places: 0), columns.direction, to: columns.way)
                }
            }
            add(table.way(ofObject: index, inPhase: moment.phase.index), columns.way, to: frame.width)
        }
        return nodes
    }

    // MARK: The displacements

    private func pitch(in frame: Rect) -> Double { min(42, frame.width / Double(table.displacements?.count ?? 1)) }

    private func box(ofStage stage: Int, in frame: Rect) -> Rect {
        let pitch = pitch(in: frame)
        return Rect(
            x: frame.x + Double(stage) * pitch + 0.5, y: frame.y + layout.metrics.entries, width: pitch, height: 24)
    }

    /// The title of the article's table, and the stages' numbers.
    private func displacementsHead(in frame: Rect) -> [Node] {
        guard let entries = table.displacements else { return [] }
        let (small, tiny) = (layout.metrics.small, layout.metrics.tiny)
        let titles = ["displacement by stage (the next in each phase)", "displacement by stage"].map(word)
        let title = titles.first { TextExtent.width($0, fontSize: small) <= frame.width } ?? titles[1]
        // Of usual pictures it is as it always was.
        let shown = isShaped ? title : titles[0]
        let numbers = entries.indices.map { stage in
            let box = box(ofStage: stage, in: frame)
            return Draw.text(
                "\(stage)", at: Point(box.x, box.y - 5.5 - tiny), width: box.width, size: tiny, color: surround.faint,
                alignment: .center)
        }
        return [Draw.text(shown, at: Point(frame.x, frame.y), width: frame.width, size: small, color: surround.faint)]
            + numbers
    }

    /// The entries, with a dot below the one that each object is at.
    private func entries(in frame: Rect, at moment: AnnotatedMoment) -> [Node] {
        guard let entries = table.displacements else { return [] }
        return entries.enumerated().flatMap { stage, entry in
            let box = box(ofStage: stage, in: frame)
            let present = moment.objects.indices.filter { moment.objects[$0].step == stage }
            let (isCurrent, stroke) = (!present.isEmpty, Stroke(surround.hairline, width: 1))
            let text = Draw.text(
                NumberText.signed(Double(entry), places: 0), at: Point(box.x, box.y + 2), width: box.width, size: 14,
                color: isCurrent ? surround.readable(surround.ink) : surround.faint, alignment: .center, bold: isCurrent
            )
            let dots = present.enumerated().flatMap { place, index in
                let x = box.center.x + (Double(place) - Double(present.count - 1) / 2) * 12
                return swatch(ofObject: index, at: Point(x, box.maxY + 10))
            }
            return [.shape(Shape(.rectangle(box), fill: isCurrent ? surround.backdrop : nil, stroke: stroke)), text]
                + dots
        }
    }
}
