import Animations
import Core
import Render

/// A listing with the lines of the current phase highlighted.
struct CodePanel: SidePanel {
    let lines: [String]
    let language: CodeLanguage
    /// The highlighted lines by phase, counted from 0.
    let highlights: [Int: ClosedRange<Int>]
    let loader: any Loader
    let location: SourceLocation

    private static let fontSize = LessonStyle.small
    /// The usual height of a row in points.
    private static let lineHeight = 17.0
    /// The height of rows that do not fit otherwise: that of DejaVu Sans Mono's glyphs and half
    /// a point. The type has the smallest legible size already.
    private static let minLineHeight = 14.5
    static let inset = 8.0
    /// The space above and below rows of the minimum height.
    private static let minInset = 5.0

    /// Minimum number of visible rows.
    private static let minRows = 6
    /// Minimum number of characters in a row: a shorter one breaks most statements.
    private static let minCharacters = 28

    func sizes(width: Double, style: LessonStyle) -> [Size] {
        let widest = lines.map { self.width($0, style) }.max() ?? 0
        let narrowest = min(widest, self.width(String(repeating: "m", count: Self.minCharacters), style))
        let count = rows(width: max(width, narrowest + 2 * Self.inset + 2), style)?.rows.count ?? lines.count
        func size(_ width: Double, rows: Int) -> Size {
            Size(width + 2 * Self.inset + 2, Double(rows) * Self.lineHeight + 2 * Self.inset)
        }
        func tight(_ width: Double, rows: Int) -> Size {
            Size(width + 2 * Self.inset + 2, Double(rows) * Self.minLineHeight + 2 * Self.minInset)
        }
        // Lines are broken only where no layout has room for them and for a large loader. Code that
        // scrolls has tight rows, so that the loader above it stays large in square frames.
        return [
            size(widest, rows: lines.count), tight(widest, rows: lines.count),
            tight(widest, rows: min(lines.count, Self.minRows)),
            size(narrowest, rows: count), tight(narrowest, rows: count),
            tight(narrowest, rows: min(count, Self.minRows)),
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
                remedy: "use shorter words, or a wider layout")
        }
        for line in lines { try style.checkGlyphs(of: SpannedText(text: line, location: location)) }
        let count = broken.rows.count
        let isTight = Double(count) * Self.lineHeight + 2 * Self.inset > frame.height
        let inset = isTight ? Self.minInset : Self.inset
        let room = frame.height - 2 * inset
        let rows = isTight ? min(count, Int(room / Self.minLineHeight)) : count
        let lineHeight = isTight ? min(Self.lineHeight, room / Double(rows)) : Self.lineHeight
        let height = Double(rows) * lineHeight + 2 * inset
        let box = Rect(x: frame.x, y: frame.y + (frame.height - height) / 2, width: frame.width, height: height)
        let texts = texts(of: broken, at: box.x + Self.inset, lineHeight: lineHeight, style)
        let scroll = CodeScroll(
            rows: count, visible: rows, highlights: highlights.mapValues { broken.rows(of: $0) },
            phases: loader.phases)
        return PlacedCode(
            panel: self, broken: broken, texts: texts, box: box, inset: inset, lineHeight: lineHeight, scroll: scroll,
            theme: style.theme)
    }

    /// Returns the coloured tokens of each row, with the row's top at y = 0.
    private func texts(
        of broken: CodeRows, at left: Double, lineHeight: Double, _ style: LessonStyle
    ) -> [[Node]] {
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
                        text, at: left + x, middle: lineHeight / 2, size: Self.fontSize,
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
    /// The space above and below the visible rows.
    let inset: Double
    let lineHeight: Double
    let scroll: CodeScroll
    let theme: AnnotationTheme

    /// The area of the visible rows.
    private var area: Rect {
        Rect(x: box.x + 1, y: box.y + inset, width: box.width - 2, height: box.height - 2 * inset)
    }

    /// Returns the visible rows at an instant, each with its top and opacity. While rows scroll,
    /// those at the edges fade before they would be cut.
    func visible(at instant: PanelInstant) -> [(row: Int, top: Double, opacity: Double)] {
        let first = scroll.first(at: instant)
        return (Int(first.rounded(.down))..<Int(first.rounded(.up)) + scroll.visible).map { row in
            let top = area.y + (Double(row) - first) * lineHeight
            let outside = max(area.y - top, top + lineHeight - area.maxY, 0)
            return (row, top, max(0, 1 - outside / inset))
        }
    }

    func background(_ box: Rect) -> Node {
        Draw.box(box, radius: 6, fill: theme.backdrop, stroke: Stroke(theme.hairline, width: 1))
    }

    func nodes(at instant: PanelInstant) -> [Node] {
        let lines = visible(at: instant).flatMap { row, top, opacity -> [Node] in
            guard opacity > 0 else { return [] }
            return [.group(Group(transform: .translation(Point(0, top)), opacity: opacity, nodes: texts[row]))]
        }
        return [background(box)] + highlight(at: instant) + lines + continuations(at: instant)
    }

    /// Returns three dots at each edge beyond which the listing continues. They fade with the rows
    /// that scroll over the edge.
    func continuations(at instant: PanelInstant) -> [Node] {
        let first = scroll.first(at: instant)
        let below = Double(texts.count - scroll.visible) - first
        func dots(_ y: Double) -> [Node] {
            [-1, 0, 1].map { step in
                Draw.dot(
                    Point(box.center.x + Self.dotPitch * step, y), radius: Self.dotRadius, fill: theme.faint)
            }
        }
        return dots(box.y + inset / 2).faded(min(1, max(0, first)))
            + dots(box.maxY - inset / 2).faded(min(1, max(0, below)))
    }

    /// The radius of the dots of a listing that continues, and the distance between two of them, in
    /// points. They fit into the smallest inset.
    private static let dotRadius = 1.5
    private static let dotPitch = 7.0

    /// Returns the background of the highlighted rows, which moves from those of one phase to those
    /// of the next one.
    private func highlight(at instant: PanelInstant) -> [Node] {
        func rows(_ phase: Phase) -> (start: Double, end: Double)? {
            panel.highlights[phase.index].map { broken.rows(of: $0) }
                .map { (Double($0.lowerBound), Double($0.upperBound + 1)) }
        }
        let old = instant.move < 1 ? rows(instant.previous) : rows(instant.phase)
        let new = rows(instant.phase)
        guard let start = old ?? new, let end = new ?? old else { return [] }
        let share = old == nil ? instant.move : new == nil ? 1 - instant.move : 1
        let first = scroll.first(at: instant)
        let low = lerp(start.start, end.start, instant.move)
        let high = lerp(start.end, end.end, instant.move)
        let all = Rect(
            x: area.x, y: area.y + (low - first) * lineHeight, width: area.width, height: (high - low) * lineHeight)
        guard let mark = all.intersection(area) else { return [] }
        let bar = Rect(x: mark.x, y: mark.y, width: 3, height: mark.height)
        return [
            Node.shape(Shape(.rectangle(mark), fill: theme.highlight)),
            .shape(Shape(.rectangle(bar), fill: theme.accent)),
        ].faded(share)
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
