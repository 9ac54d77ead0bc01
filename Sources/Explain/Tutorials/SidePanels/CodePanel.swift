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

    /// Returns the width of a character of the monospaced font, in points.
    private static func characterWidth(_ style: LessonStyle) -> Double {
        style.width(String(repeating: "m", count: 40), fontSize, family: .monospaced) / 40
    }

    /// Minimum number of visible lines.
    private static let minRows = 6

    func minSize(width: Double, style: LessonStyle) -> Size { size(rows: min(lines.count, Self.minRows), style) }

    func wholeSize(width: Double, style: LessonStyle) -> Size { size(rows: lines.count, style) }

    private func size(rows: Int, _ style: LessonStyle) -> Size {
        let widest = lines.map { style.width($0, Self.fontSize, family: .monospaced) }.max() ?? 0
        return Size(widest + 2 * Self.inset + 2, Double(rows) * Self.lineHeight + 2 * Self.inset)
    }

    func placed(in frame: Rect, style: LessonStyle) throws(DocumentError) -> any PlacedPanel {
        try code(in: frame, style: style)
    }

    /// Lays the panel out in a frame, with a concrete result type for transitions.
    func code(in frame: Rect, style: LessonStyle) throws(DocumentError) -> PlacedCode {
        for (number, line) in lines.enumerated() {
            let width = style.width(line, Self.fontSize, family: .monospaced)
            guard width <= frame.width - 2 * Self.inset else {
                let maxCount = Int((frame.width - 2 * Self.inset) / Self.characterWidth(style))
                throw DocumentError(
                    at: location, "line \(number + 1) of the code is too long for this layout",
                    expected: "at most \(maxCount) characters", found: "\(line.count)")
            }
            try style.checkGlyphs(of: SpannedText(text: line, location: location))
        }
        let rows = min(lines.count, Int((frame.height - 2 * Self.inset) / Self.lineHeight))
        let height = Double(rows) * Self.lineHeight + 2 * Self.inset
        let box = Rect(x: frame.x, y: frame.y + (frame.height - height) / 2, width: frame.width, height: height)
        return PlacedCode(
            panel: self, texts: texts(at: box.x + Self.inset, style), box: box, rows: rows, theme: style.theme)
    }

    /// Returns the coloured tokens of each line, with the line's top at y = 0.
    private func texts(at left: Double, _ style: LessonStyle) -> [[Node]] {
        let colors = CodeColors(style.theme)
        let bar = style.width("|", Self.fontSize, family: .monospaced)
        return CodeLexer.tokens(of: lines, language).map { line in
            var nodes: [Node] = []
            var before = ""
            for token in line {
                // Measures with a bar at the end, since trailing spaces have no width.
                let x = style.width(before + "|", Self.fontSize, family: .monospaced) - bar
                before += token.text
                guard token.text.contains(where: { !$0.isWhitespace }) else { continue }
                nodes.append(
                    style.line(
                        token.text, at: left + x, middle: Self.lineHeight / 2, size: Self.fontSize,
                        color: colors[token.kind], family: .monospaced))
            }
            return nodes
        }
    }
}

/// A listing that is laid out in a frame.
struct PlacedCode: PlacedPanel {
    let panel: CodePanel
    /// The coloured tokens of each line, with the line's top at y = 0.
    let texts: [[Node]]
    let box: Rect
    /// The number of visible lines.
    let rows: Int
    let theme: AnnotationTheme

    /// Returns the visible lines in a phase.
    ///
    /// If not all lines fit, the highlighted lines are visible, or the first ones in phases without
    /// a highlight. If those do not fit either, or nothing is ever highlighted, the view scrolls
    /// from phase to phase.
    func view(inPhase index: Int) -> Range<Int> {
        let shown = panel.highlights[index] ?? (panel.highlights.isEmpty ? 0...max(0, texts.count - 1) : 0...0)
        let scrolled = max(0, shown.count - rows) * index / max(1, panel.loader.phases.count - 1)
        let first = shown.lowerBound - max(0, rows - shown.count) / 2 + scrolled
        let top = max(0, min(first, texts.count - rows))
        return top..<top + rows
    }

    /// Returns the top of a line for a range of visible lines.
    func top(_ line: Int, in view: Range<Int>) -> Double {
        box.y + CodePanel.inset + Double(line - view.lowerBound) * CodePanel.lineHeight
    }

    func background(_ box: Rect) -> Node {
        Draw.box(box, radius: 6, fill: theme.backdrop, stroke: Stroke(theme.hairline, width: 1))
    }

    func nodes(at instant: PanelInstant) -> [Node] {
        let view = view(inPhase: instant.phase.index)
        var nodes = [background(box)]
        if let highlights = panel.highlights[instant.phase.index]?.clamped(toLines: view) {
            let background = Rect(
                x: box.x + 1, y: top(highlights.lowerBound, in: view), width: box.width - 2,
                height: Double(highlights.count) * CodePanel.lineHeight)
            nodes.append(.shape(Shape(.rectangle(background), fill: theme.highlight)))
            let bar = Rect(x: box.x + 1, y: background.y, width: 3, height: background.height)
            nodes.append(.shape(Shape(.rectangle(bar), fill: theme.accent)))
        }
        return nodes
            + view.map { .group(Group(transform: .translation(Point(0, top($0, in: view))), nodes: texts[$0])) }
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
