import Annotations
import Documents
import Loaders
import Motion
import Pipeline
import Platform
import Scene

/// The titles of chapters and of the lesson, and how fast what is seen runs.
struct LessonHeader {
    let layout: LessonLayout
    let style: LessonStyle

    /// The room of a title card above the stage, in points.
    static let cardHeight = 72.0

    /// Whether the speed is below a mark.
    private var isBelowMark: Bool { layout.mark.width > 0 && layout.mark.maxX <= layout.header.maxX }

    /// The chapter's title and the speed.
    func nodes(chapter: Located?, course: Shot.Course) throws(DocumentError) -> [Node] {
        let badge = badge(LessonHeader.speed(of: course, style))
        guard let chapter else { return badge.nodes }
        let room = layout.header.width - max(badge.width, isBelowMark ? layout.mark.width : 0) - 10
        let lines = try lines(
            of: chapter, width: room, size: LessonStyle.heading, atMost: layout.header.height > 30 ? 2 : 1)
        let height = LessonStyle.lineHeight(LessonStyle.heading) - 2
        let top = layout.header.center.y - height * Double(lines.count) / 2
        let texts = lines.enumerated().map { row, line in
            style.line(
                line, at: layout.header.x, middle: top + height * (Double(row) + 0.5), size: LessonStyle.heading,
                color: style.theme.ink, bold: true)
        }
        return texts + badge.nodes
    }

    /// How fast a shot runs, as players write it.
    private static func speed(of course: Shot.Course, _ style: LessonStyle) -> String {
        switch course {
        case .still: return style.word(LocalizedText("paused", zh: "静止"))
        case .moving(_, let slowmo): return SpeedText.text(slowmo: slowmo)
        }
    }

    private func badge(_ text: String) -> (nodes: [Node], width: Double) {
        let width = style.width(text, LessonStyle.heading, bold: true) + 16
        let y = isBelowMark ? layout.header.maxY - 19 : layout.header.center.y - 9.5
        let box = Rect(x: layout.header.maxX - width, y: y, width: width, height: 19)
        let letters = style.line(
            text, at: box.center.x, middle: box.center.y, size: LessonStyle.heading, color: style.theme.ink,
            alignment: .center, bold: true)
        return ([Draw.box(box, radius: 9.5, fill: style.theme.band), letters], width)
    }

    /// The lesson's title above the stage.
    func card(_ title: Located) throws(DocumentError) -> [Node] {
        let size = LessonStyle.title
        let lines = try lines(of: title, width: layout.size.width * 0.9, size: size, atMost: 2)
        let height = (size * 1.3).rounded()
        // Below a mark.
        let start = max(layout.header.y, layout.mark.height > 0 ? layout.mark.maxY : 0)
        let room = layout.header.maxY + Self.cardHeight - start
        let top = start + (room - height * Double(lines.count)) / 2
        return lines.enumerated().map { row, line in
            style.line(
                line, at: layout.size.width / 2, middle: top + height * (Double(row) + 0.5), size: size,
                color: style.theme.ink, alignment: .center, bold: true)
        }
    }

    /// A title in as few lines of nearly the same length as have room.
    func lines(of title: Located, width: Double, size: Double, atMost: Int) throws(DocumentError) -> [String] {
        if style.width(title.text, size, bold: true) <= width { return [title.text] }
        let words = CaptionText.words(of: title.text)
        var best: (lines: [String], width: Double)?
        for split in words.indices.dropFirst() where atMost > 1 {
            let lines = [words[..<split], words[split...]].map { $0.joined().spaceless }
            let widest = lines.map { style.width($0, size, bold: true) }.max() ?? 0
            if widest <= width, best.map({ widest < $0.width }) ?? true { best = (lines, widest) }
        }
        guard let best else {
            throw DocumentError(
                at: title.location, "a title is too long for this layout", expected: "a shorter one, or a wider layout",
                found: quoted(title.text))
        }
        return best.lines
    }
}

extension String {
    /// Without spaces at its beginning.
    fileprivate var spaceless: String { String(drop { $0 == " " }) }
}
