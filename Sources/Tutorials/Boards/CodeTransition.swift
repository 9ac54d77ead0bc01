import Annotations
import Documents
import Loaders
import Motion
import Scene

/// Code that becomes other code: lines that both have move to their new places, the others go and come.
struct CodeTransition: Board {
    let from: CodeBoard
    let to: CodeBoard

    /// How long it takes, in seconds.
    static let duration = Rational(4, 5)

    func leastSize(width: Double, style: LessonStyle) -> Size {
        // As the code that stays, so that nothing else moves when it is there.
        to.leastSize(width: width, style: style)
    }

    func wholeSize(width: Double, style: LessonStyle) -> Size { to.wholeSize(width: width, style: style) }

    func placed(in frame: Rect, style: LessonStyle) throws(DocumentError) -> any PlacedBoard {
        let after = try to.code(in: frame, style: style)
        // The code before may have had more room: then there is a cut.
        guard let before = try? from.code(in: frame, style: style) else { return after }
        return Placed(from: before, to: after, kept: CodeTransition.kept(from.lines, to.lines))
    }

    /// The lines that stay: their numbers before by those after.
    static func kept(_ before: [String], _ after: [String]) -> [Int: Int] {
        let difference = after.difference(from: before)
        var removed: Set<Int> = []
        var inserted: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        let olds = before.indices.filter { !removed.contains($0) }
        let news = after.indices.filter { !inserted.contains($0) }
        return Dictionary(uniqueKeysWithValues: zip(news, olds))
    }

    private struct Placed: PlacedBoard {
        let from: PlacedCode
        let to: PlacedCode
        let kept: [Int: Int]

        func nodes(at moment: BoardMoment) -> [Node] {
            let share = min(1, (moment.elapsed / CodeTransition.duration).double)
            // What goes is gone before the rest moves, and what comes is there after that.
            let eased = TimingFunction.easeInEaseOut(min(1, max(0, 2 * share - 0.5)))
            let (old, new) = (from.view(inPhase: moment.phase.index), to.view(inPhase: moment.phase.index))
            func mix(_ a: Double, _ b: Double) -> Double { a + (b - a) * eased }
            let box = Rect(
                x: to.box.x, y: mix(from.box.y, to.box.y), width: to.box.width,
                height: mix(from.box.height, to.box.height))
            func line(_ nodes: [Node], top: Double, opacity: Double = 1) -> Node? {
                guard opacity > 0 else { return nil }
                return .group(Group(transform: .translation(Point(0, top)), opacity: opacity, nodes: nodes))
            }
            let gone = old.filter { !kept.values.contains($0) }.compactMap {
                line(from.texts[$0], top: from.top($0, in: old), opacity: max(0, 1 - 4 * share))
            }
            let come = new.compactMap { index -> Node? in
                guard let before = kept[index] else {
                    return line(to.texts[index], top: to.top(index, in: new), opacity: max(0, 4 * share - 3))
                }
                return line(to.texts[index], top: mix(from.top(before, in: old), to.top(index, in: new)))
            }
            let clip = Path.rectangle(box)
            return [to.ground(box), .group(Group(clip: clip, nodes: gone + come))]
        }
    }
}
