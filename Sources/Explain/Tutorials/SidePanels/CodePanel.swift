import Render
import Animations
import Core

/// A listing with the lines of the current phase highlighted.
struct CodePanel: SidePanel {
    let lines: [String]
    let language: CodeLanguage
    /// The highlighted lines by phase, counted from 0.
    let highlights: [Int: ClosedRange<Int>]
    let loader: any Loader
    let location: SourceLocation

    private static let fontSize = LessonStyle.small
    static let lineHeight = 17.0
    static let inset = 8.0

    /// Minimum number of visible rows.
    private static let minRows = 6
    /// Minimum number of characters in a row: a shorter one breaks most statements.
    private static let minCharacters = 28

    func sizes(width: Double, style: LessonStyle) -> [Size] {
        let widest = lines.map { self.width($0, style) }.max() ?? 0
        let least = min(widest, self.width(String(repeating: "m", count: Self.minCharacters), style))
        let count = rows(width: max(width, least + 2 * Self.inset + 2), style)?.rows.count ?? lines.count
        func size(_ width: Double, rows: Int) -> Size {
            Size(width + 2 * Self.inset + 2, Double(rows) * Self.lineHeight + 2 * Self.inset)
        }
        // Lines are broken only where no layout has room for them.
        return [
            size(widest, rows: lines.count), size(widest, rows: min(lines.count, Self.minRows)),
            size(least, rows: count), size(least, rows: min(count, Self.minRows)),
        ]
    }

    private func width(_ text: String, _ style: LessonStyle) -> Double {
        style.width(text, Self.fontSize, family: .monospaced)
    }

    /// Breaks the lines for a panel of a width; nil if it is too narrow.
    private func rows(width: Double, _ style: LessonStyle) -> CodeRows? {
        CodeRows(lines) { self.width($0, style) <= width - 2 * Self.inset }
    }

    func placed(in frame: Rect, style: LessonStyle) throws(DocumentError) -> any PlacedPanel {
        try code(in: frame, style: style)
    }

    /// Lays the panel out in a frame, with a concrete result type for transitions.
    func code(in frame: Rect, style: LessonStyle) throws(DocumentError) -> PlacedCode {
        guard let broken = rows(width: frame.width, style) else {
            throw DocumentError(
                at: location, "the code is too wide for layout \(style.layout)",
                expected: "shorter words, or a wider layout", found: "\(Int(frame.width)) points")
        }
        for line in lines { try style.checkGlyphs(of: SpannedText(text: line, location: location)) }
        let rows = min(broken.rows.count, Int((frame.height - 2 * Self.inset) / Self.lineHeight))
        let height = Double(rows) * Self.lineHeight + 2 * Self.inset
        let box = Rect(x: frame.x, y: frame.y + (frame.height - height) / 2, width: frame.width, height: height)
        return PlacedCode(
            panel: self, broken: broken, texts: texts(of: broken, at: box.x + Self.inset, style), box: box, rows: rows,
            theme: style.theme)
    }

    /// Returns the coloured tokens of each row, with the row's top at y = 0.
    private func texts(of broken: CodeRows, at left: Double, _ style: LessonStyle) -> [[Node]] {
        let colors = CodeColors(style.theme)
        let bar = width("|", style)
        let tokens = CodeLexer.tokens(of: lines, language)
        return broken.rows.map { row in
            var nodes: [Node] = []
            var before = String(repeating: " ", count: row.indent)
            var start = 0
            for token in tokens[row.line] {
                let range = (start..<start + token.text.count).clamped(to: row.characters)
                // A token outside the row's characters has an empty range, before or after it.
                let text =
                    range.isEmpty ? "" : String(token.text.dropFirst(range.lowerBound - start).prefix(range.count))
                start += token.text.count
                // Measures with a bar at the end, since trailing spaces have no width.
                let x = width(before + "|", style) - bar
                before += text
                guard text.contains(where: { !$0.isWhitespace }) else { continue }
                nodes.append(
                    style.line(
                        text, at: left + x, middle: Self.lineHeight / 2, size: Self.fontSize,
                        color: colors[token.kind], family: .monospaced))
            }
            return nodes
        }
    }
}

/// A listing that is laid out in a frame.
struct PlacedCode: PlacedPanel {
    let panel: CodePanel
    let broken: CodeRows
    /// The coloured tokens of each row, with the row's top at y = 0.
    let texts: [[Node]]
    let box: Rect
    /// The number of visible rows.
    let rows: Int
    let theme: AnnotationTheme

    /// Returns the visible rows in a phase.
    ///
    /// If not all rows fit, the highlighted lines are visible, or the first ones in phases without
    /// a highlight. If those do not fit either, or nothing is ever highlighted, the view scrolls
    /// from phase to phase.
    func view(inPhase index: Int) -> Range<Int> {
        let shown =
            highlighted(inPhase: index) ?? (panel.highlights.isEmpty ? 0...max(0, texts.count - 1) : 0...0)
        let scrolled = max(0, shown.count - rows) * index / max(1, panel.loader.phases.count - 1)
        let first = shown.lowerBound - max(0, rows - shown.count) / 2 + scrolled
        let top = max(0, min(first, texts.count - rows))
        return top..<top + rows
    }

    private func highlighted(inPhase index: Int) -> ClosedRange<Int>? {
        panel.highlights[index].map { broken.rows(of: $0) }
    }

    /// Returns the top of a row for a range of visible rows.
    func top(_ line: Int, in view: Range<Int>) -> Double {
        box.y + CodePanel.inset + Double(line - view.lowerBound) * CodePanel.lineHeight
    }

    func background(_ box: Rect) -> Node {
        Draw.box(box, radius: 6, fill: theme.backdrop, stroke: Stroke(theme.hairline, width: 1))
    }

    func nodes(at instant: PanelInstant) -> [Node] {
        let top = instant.moved { Double(view(inPhase: $0.index).lowerBound) }
        var nodes = [background(box)]
        let highlight = highlight(at: instant)
        if let highlight, highlight.share > 0 {
            let y = box.y + CodePanel.inset + (highlight.start - top) * CodePanel.lineHeight
            let height = (highlight.end - highlight.start) * CodePanel.lineHeight
            let mark = Rect(x: box.x + 1, y: y, width: box.width - 2, height: height)
            let bar = Rect(x: mark.x, y: mark.y, width: 3, height: height)
            nodes += clipped(
                [
                    .shape(Shape(.rectangle(mark), fill: theme.highlight)),
                    .shape(Shape(.rectangle(bar), fill: theme.accent)),
                ].faded(highlight.share), isMoving: instant.move < 1)
        }
        let visible = Int(top.rounded(.down))..<Int(top.rounded(.up)) + rows
        let lines = visible.map { line in
            let y = box.y + CodePanel.inset + (Double(line) - top) * CodePanel.lineHeight
            return Node.group(Group(transform: .translation(Point(0, y)), nodes: texts[line]))
        }
        return nodes + clipped(lines, isMoving: top != top.rounded())
    }

    /// Returns nodes clipped to the box while lines scroll through it.
    private func clipped(_ nodes: [Node], isMoving: Bool) -> [Node] {
        isMoving && !nodes.isEmpty ? [.group(Group(clip: .rectangle(box.expanded(by: -1)), nodes: nodes))] : nodes
    }

    /// Returns the highlighted rows, counted from the first one, and their opacity; nil if no row
    /// is highlighted.
    private func highlight(at instant: PanelInstant) -> (start: Double, end: Double, share: Double)? {
        func lines(_ phase: Phase) -> (start: Double, end: Double)? {
            highlighted(inPhase: phase.index)?.clamped(toLines: view(inPhase: phase.index)).map {
                (Double($0.lowerBound), Double($0.upperBound + 1))
            }
        }
        let old = instant.move < 1 ? lines(instant.previous) : lines(instant.phase)
        guard let new = lines(instant.phase) else { return old.map { ($0.start, $0.end, 1 - instant.move) } }
        guard let old else { return (new.start, new.end, instant.move) }
        return (lerp(old.start, new.start, instant.move), lerp(old.end, new.end, instant.move), 1)
    }
}

extension ClosedRange<Int> {
    /// Returns the intersection with a range of lines; nil if it is empty.
    fileprivate func clamped(toLines lines: Range<Int>) -> ClosedRange<Int>? {
        let low = Swift.max(lowerBound, lines.lowerBound)
        let high = Swift.min(upperBound, lines.upperBound - 1)
        return low <= high ? low...high : nil
    }
}

/// The colours of code, readable on the panel's background with and without a highlight.
///
/// The colours are those of Xcode's default light and dark themes, adjusted for contrast.
struct CodeColors {
    private let colors: [CodeToken.Kind: Color]

    /// Minimum contrast with the highlight. WCAG 2 (AA) requires 4.5; the margin is for rounding.
    private static let minContrast = 4.6

    init(_ theme: AnnotationTheme) {
        let own: [CodeToken.Kind: Color] =
            theme.isBright
            ? [
                .plain: theme.ink, .keyword: Color(155, 35, 147), .type: Color(11, 79, 121),
                .string: Color(180, 25, 20),
                .number: Color(28, 0, 207), .comment: Color(84, 96, 108), .directive: Color(100, 56, 32),
            ]
            : [
                .plain: theme.ink, .keyword: Color(252, 95, 163), .type: Color(93, 216, 255),
                .string: Color(252, 106, 93),
                .number: Color(208, 191, 105), .comment: Color(150, 160, 170), .directive: Color(253, 143, 63),
            ]
        colors = own.mapValues { $0.contrasting(with: theme.highlight, atLeast: Self.minContrast) }
    }

    subscript(kind: CodeToken.Kind) -> Color { colors[kind] ?? .black }
}

extension AnnotationTheme {
    /// The background of highlighted lines.
    var highlight: Color { backdrop.mixed(with: accent, 0.14) }
}
