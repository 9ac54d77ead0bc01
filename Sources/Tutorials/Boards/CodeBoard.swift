import Annotations
import Documents
import Loaders
import Motion
import Scene

/// Lines of code, of which those that act are lit.
struct CodeBoard: Board {
    let lines: [String]
    let language: CodeLanguage
    /// The lit lines by phase, counted from 0.
    let lit: [Int: ClosedRange<Int>]
    let loader: any Loader
    let location: SourceLocation

    private static let fontSize = LessonStyle.small
    static let lineHeight = 17.0
    static let inset = 8.0

    /// The width of a letter: in fonts for code all are alike.
    private static func letter(_ style: LessonStyle) -> Double {
        style.width(String(repeating: "m", count: 40), fontSize, family: .monospaced) / 40
    }

    func leastSize(width: Double, style: LessonStyle) -> Size {
        let longest = lines.map { style.width($0, Self.fontSize, family: .monospaced) }.max() ?? 0
        return Size(longest + 2 * Self.inset + 2, Double(min(lines.count, 6)) * Self.lineHeight + 2 * Self.inset)
    }

    func placed(in frame: Rect, style: LessonStyle) throws(DocumentError) -> any PlacedBoard {
        try code(in: frame, style: style)
    }

    /// The board in a frame, as what it is.
    func code(in frame: Rect, style: LessonStyle) throws(DocumentError) -> PlacedCode {
        for (number, line) in lines.enumerated() {
            let width = style.width(line, Self.fontSize, family: .monospaced)
            guard width <= frame.width - 2 * Self.inset else {
                let most = Int((frame.width - 2 * Self.inset) / Self.letter(style))
                throw DocumentError(
                    at: location, "line \(number + 1) of the code is too long for this layout",
                    expected: "at most \(most) letters", found: "\(line.count)")
            }
            try style.checkLetters(of: Located(text: line, location: location))
        }
        let rows = min(lines.count, Int((frame.height - 2 * Self.inset) / Self.lineHeight))
        let height = Double(rows) * Self.lineHeight + 2 * Self.inset
        let box = Rect(x: frame.x, y: frame.y + (frame.height - height) / 2, width: frame.width, height: height)
        return PlacedCode(
            board: self, texts: texts(at: box.x + Self.inset, style), box: box, rows: rows, theme: style.theme)
    }

    /// The pieces of each line in their colours, from the height 0 on.
    private func texts(at left: Double, _ style: LessonStyle) -> [[Node]] {
        let colors = CodeColors(style.theme)
        let bar = style.width("|", Self.fontSize, family: .monospaced)
        return CodeLexer.tokens(of: lines, language).map { line in
            var (nodes, before) = ([Node](), "")
            for token in line {
                // Spaces at a text's end have no width of their own.
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

/// Code in its frame.
struct PlacedCode: PlacedBoard {
    let board: CodeBoard
    /// The pieces of each line, from the height 0 on.
    let texts: [[Node]]
    let box: Rect
    /// How many lines have room.
    let rows: Int
    let theme: AnnotationTheme

    /// The lines that are in view in a phase: where not all have room, those that are lit.
    func view(inPhase index: Int) -> Range<Int> {
        let first = board.lit[index].map { lit in
            max(0, min((lit.lowerBound + lit.upperBound) / 2 - rows / 2, texts.count - rows))
        }
        return (first ?? 0)..<(first ?? 0) + rows
    }

    /// The upper edge of a line while some are in view.
    func top(_ line: Int, in view: Range<Int>) -> Double {
        box.y + CodeBoard.inset + Double(line - view.lowerBound) * CodeBoard.lineHeight
    }

    /// What lies behind the lines.
    func ground(_ box: Rect) -> Node {
        Draw.box(box, radius: 6, fill: theme.backdrop, stroke: Stroke(theme.hairline, width: 1))
    }

    func nodes(at moment: BoardMoment) -> [Node] {
        let view = view(inPhase: moment.phase.index)
        var nodes = [ground(box)]
        if let lit = board.lit[moment.phase.index]?.clamped(toLines: view) {
            let ground = Rect(
                x: box.x + 1, y: top(lit.lowerBound, in: view), width: box.width - 2,
                height: Double(lit.count) * CodeBoard.lineHeight)
            nodes.append(.shape(Shape(.rectangle(ground), fill: theme.lit)))
            let bar = Rect(x: box.x + 1, y: ground.y, width: 3, height: ground.height)
            nodes.append(.shape(Shape(.rectangle(bar), fill: theme.accent)))
        }
        return nodes
            + view.map { .group(Group(transform: .translation(Point(0, top($0, in: view))), nodes: texts[$0])) }
    }
}

extension ClosedRange<Int> {
    /// The part of it within other lines, or nil.
    fileprivate func clamped(toLines lines: Range<Int>) -> ClosedRange<Int>? {
        let (low, high) = (Swift.max(lowerBound, lines.lowerBound), Swift.min(upperBound, lines.upperBound - 1))
        return low <= high ? low...high : nil
    }
}

/// The colours of code, readable on the ground of boards whether a line is lit or not.
struct CodeColors {
    private let colors: [CodeToken.Kind: Color]

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
        colors = own.mapValues { $0.contrasting(with: theme.lit, atLeast: 4.6) }
    }

    subscript(kind: CodeToken.Kind) -> Color { colors[kind] ?? .black }
}

extension AnnotationTheme {
    /// Behind lines that are lit.
    var lit: Color { backdrop.mixed(with: accent, 0.14) }
}
