import Animations
import Core
import Raster
import Render

/// The header of a frame: the title of the chapter and the speed, or the title card.
struct LessonHeader {
    let layout: LessonLayout
    let style: LessonStyle

    /// The heights of title cards of one and two lines below the header, in points.
    private static let cardHeights = [46.0, 72]

    /// True if the speed is below a logo.
    private var isBelowMark: Bool { layout.mark.width > 0 && layout.mark.maxX <= layout.header.maxX }

    /// Returns the nodes of the chapter's title and the speed. Throws `DocumentError` if the title
    /// does not fit.
    func placed(chapter: SpannedText?, playback: Shot.Playback) throws(DocumentError) -> PlacedHeader {
        let badge = badge(LessonHeader.speed(of: playback, style))
        guard let chapter else { return PlacedHeader(text: "", title: [], badge: badge) }
        let maxWidth = layout.header.width - max(badge.box.width, isBelowMark ? layout.mark.width : 0) - 10
        let lines = try lines(
            of: chapter, width: maxWidth, size: LessonStyle.heading, atMost: layout.header.height > 30 ? 2 : 1)
        let height = LessonStyle.lineHeight(LessonStyle.heading) - 2
        let top = layout.header.center.y - height * Double(lines.count) / 2
        let texts = lines.enumerated().map { row, line in
            style.line(
                line, at: layout.header.x, middle: top + height * (Double(row) + 0.5), size: LessonStyle.heading,
                color: style.theme.ink, bold: true)
        }
        return PlacedHeader(text: chapter.text, title: texts, badge: badge)
    }

    /// Returns the speed of a shot as players show it, such as `1/4×`.
    private static func speed(of playback: Shot.Playback, _ style: LessonStyle) -> String {
        switch playback {
        case .still: return style.word(LocalizedText("paused", zh: "暂停"))
        case .moving(_, let slowmo): return SpeedText.text(slowmo: slowmo)
        }
    }

    private func badge(_ text: String) -> SpeedBadge {
        let width = style.width(text, LessonStyle.heading, bold: true) + 16
        let y = isBelowMark ? layout.header.maxY - 19 : layout.header.center.y - 9.5
        let box = Rect(x: layout.header.maxX - width, y: y, width: width, height: 19)
        let label = style.line(
            text, at: box.center.x, middle: box.center.y, size: LessonStyle.heading, color: style.theme.ink,
            alignment: .center, bold: true)
        return SpeedBadge(text: text, box: box, label: label, fill: style.theme.band)
    }

    /// Returns the nodes of the lesson's title above the loader. Throws `DocumentError` if it does
    /// not fit.
    func card(_ title: SpannedText) throws(DocumentError) -> PlacedHeader {
        let size = LessonStyle.title
        let lines = try cardLines(title)
        let height = (size * 1.3).rounded()
        // The card is below a logo.
        let start = max(layout.header.y, layout.mark.height > 0 ? layout.mark.maxY : 0)
        let available = layout.header.maxY + Self.cardHeights[lines.count - 1] - start
        let top = start + (available - height * Double(lines.count)) / 2
        let texts = lines.enumerated().map { row, line in
            style.line(
                line, at: layout.size.width / 2, middle: top + height * (Double(row) + 0.5), size: size,
                color: style.theme.ink, alignment: .center, bold: true)
        }
        return PlacedHeader(text: "", title: texts, badge: nil)
    }

    /// Returns the lines of the lesson's title on its card. Throws `DocumentError` if it does not
    /// fit.
    func cardLines(_ title: SpannedText) throws(DocumentError) -> [String] {
        try lines(of: title, width: layout.size.width * 0.9, size: LessonStyle.title, atMost: 2)
    }

    /// Returns the area of each loader, below a title card or the title of a compared loader, and
    /// the nodes of that title. Compared loaders have areas of equal height, so that they have the
    /// same scale.
    func boards(
        of views: [LoaderView], in frames: [Rect], card: SpannedText?
    ) throws(DocumentError) -> [(area: Rect, title: [Node])] {
        let size = LessonStyle.heading
        let height = LessonStyle.lineHeight(size)
        var titles: [[String]] = []
        for (view, frame) in zip(views, frames) {
            titles.append(
                try view.title.map { (title) throws(DocumentError) in
                    try lines(of: title, width: frame.width, size: size, atMost: 2)
                } ?? [])
        }
        let titleHeight = height * Double(titles.map(\.count).max() ?? 0)
        var boards: [(area: Rect, title: [Node])] = []
        for (lines, frame) in zip(titles, frames) {
            let below = Rect(
                x: frame.x, y: frame.y + titleHeight, width: frame.width, height: frame.height - titleHeight)
            let nodes = lines.enumerated().map { row, line in
                style.line(
                    line, at: frame.center.x, middle: below.y - height * (Double(lines.count - row) - 0.5), size: size,
                    color: style.theme.ink, alignment: .center, bold: true)
            }
            boards.append((try card.map { (card) throws(DocumentError) in try belowCard(card, below) } ?? below, nodes))
        }
        return boards
    }

    /// Returns the part of a board that the title card leaves.
    private func belowCard(_ title: SpannedText, _ board: Rect) throws(DocumentError) -> Rect {
        layout.below(cardHeight: Self.cardHeights[try cardLines(title).count - 1], board)
    }

    /// Breaks a title into one line, or into two of similar width. A generated title is shortened
    /// until it fits; throws `DocumentError` if another one does not fit.
    func lines(of title: SpannedText, width: Double, size: Double, atMost: Int) throws(DocumentError) -> [String] {
        if style.width(title.text, size, bold: true) <= width { return [title.text] }
        let words = WordBreaks.pieces(of: title.text)
        var best: (lines: [String], width: Double)?
        for split in words.indices.dropFirst() where atMost > 1 {
            let lines = [words[..<split], words[split...]].map { $0.joined().withoutLeadingSpaces }
            let widest = lines.map { style.width($0, size, bold: true) }.max() ?? 0
            if widest <= width, best.map({ widest < $0.width }) ?? true { best = (lines, widest) }
        }
        guard let best else {
            if title.isGenerated, let shorter = title.shortened {
                return try lines(of: shorter, width: width, size: size, atMost: atMost)
            }
            throw DocumentError(
                at: title.location, "a title is too long for layout \(style.layout)",
                remedy: "shorten it, or use a wider layout",
                found: quoted(title.text))
        }
        return best.lines
    }
}

/// The title and the speed of a shot.
struct PlacedHeader: Sendable {
    /// The title of the chapter; empty on a title card, whose text is in `title`.
    let text: String
    let title: [Node]
    let badge: SpeedBadge?

    var nodes: [Node] { title + (badge?.nodes ?? []) }

    /// Returns the header during the transition from another one.
    func nodes(from old: PlacedHeader, _ transition: Transition) -> [Node] {
        let isSame = text == old.text && (badge == nil) == (old.badge == nil)
        let titles = isSame ? title : old.title.faded(transition.leaving) + title.faded(transition.entering)
        guard let badge, let before = old.badge else {
            return titles + (old.badge?.nodes ?? []).faded(transition.leaving)
                + (badge?.nodes ?? []).faded(transition.entering)
        }
        return titles + badge.nodes(from: before, transition)
    }
}

/// The speed of a shot in a box with round ends.
struct SpeedBadge: Sendable {
    let text: String
    let box: Rect
    let label: Node
    let fill: Color

    var nodes: [Node] { [Draw.box(box, radius: box.height / 2, fill: fill), label] }

    /// Returns the badge during the transition from another one.
    func nodes(from old: SpeedBadge, _ transition: Transition) -> [Node] {
        if text == old.text { return nodes }
        let box = old.box.mixed(with: box, transition.easedBox)
        return [Draw.box(box, radius: box.height / 2, fill: fill)] + [old.label].faded(transition.leaving)
            + [label].faded(transition.entering)
    }
}

extension String {
    fileprivate var withoutLeadingSpaces: String { String(drop { $0 == " " }) }
}
