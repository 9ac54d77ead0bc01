import Animations
import Core
import Render

/// A transition between two listings: common lines move, the others fade out and in.
struct CodeTransition: SidePanel {
    let from: CodePanel
    let to: CodePanel

    /// The duration in seconds.
    static let duration = Rational(4, 5)

    // The sizes are those of the new code, so that the layout does not change after the transition.
    func sizes(width: Double, style: LessonStyle) -> [Size] { to.sizes(width: width, style: style) }

    func placed(in frame: Rect, style: LessonStyle) throws(DocumentError) -> any PlacedPanel {
        let after = try to.code(in: frame, style: style)
        // If the old code does not fit in this frame, the transition is a cut.
        guard let before = try? from.code(in: frame, style: style) else { return after }
        return Placed(from: before, to: after, keptRows: CodeTransition.keptRows(before, after))
    }

    /// Returns the common lines of two listings: their old indices by new index.
    static func keptLines(_ before: [String], _ after: [String]) -> [Int: Int] {
        let difference = after.difference(from: before)
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        let oldIndices = before.indices.filter { !removed.contains($0) }
        let newIndices = after.indices.filter { !inserted.contains($0) }
        return Dictionary(uniqueKeysWithValues: zip(newIndices, oldIndices))
    }

    /// Returns the common rows of two listings: their old indices by new index.
    private static func keptRows(_ before: PlacedCode, _ after: PlacedCode) -> [Int: Int] {
        let kept = keptLines(before.panel.lines, after.panel.lines).flatMap { new, old in
            Array(zip(after.broken.rows(of: new...new), before.broken.rows(of: old...old)))
        }
        return Dictionary(uniqueKeysWithValues: kept)
    }

    private struct Placed: PlacedPanel {
        let from: PlacedCode
        let to: PlacedCode
        let keptRows: [Int: Int]

        func nodes(at instant: PanelInstant) -> [Node] {
            let progress = min(1, (instant.elapsed / CodeTransition.duration).double)
            // Old lines fade out in the first quarter, common lines move in the middle half, and
            // new lines fade in in the last quarter.
            let eased = TimingFunction.easeInEaseOut(min(1, max(0, 2 * progress - 0.5)))
            let old = from.visible(at: instant)
            let new = to.visible(at: instant)
            let oldTops = Dictionary(uniqueKeysWithValues: old.map { ($0.row, $0.top) })
            let box = Rect(
                x: to.box.x, y: lerp(from.box.y, to.box.y, eased), width: to.box.width,
                height: lerp(from.box.height, to.box.height, eased))
            func line(_ nodes: [Node], top: Double, opacity: Double = 1) -> Node? {
                guard opacity > 0 else { return nil }
                return .group(Group(transform: .translation(Point(0, top)), opacity: opacity, nodes: nodes))
            }
            let removed = old.filter { !keptRows.values.contains($0.row) }.compactMap {
                line(from.texts[$0.row], top: $0.top, opacity: max(0, 1 - 4 * progress))
            }
            let inserted = new.compactMap { row, top, _ -> Node? in
                // A common line that was not visible enters like a new one.
                guard let before = keptRows[row].flatMap({ oldTops[$0] }) else {
                    return line(to.texts[row], top: top, opacity: max(0, 4 * progress - 3))
                }
                return line(to.texts[row], top: lerp(before, top, eased))
            }
            let clip = Path.rectangle(box)
            // The dots at the edges of a listing that continues leave and enter with its lines.
            let dots =
                from.continuations(at: instant).faded(max(0, 1 - 4 * progress))
                + to.continuations(at: instant).faded(max(0, 4 * progress - 3))
            return [to.background(box), .group(Group(clip: clip, nodes: removed + inserted))] + dots
        }
    }
}
