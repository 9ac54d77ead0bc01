import Animations
import Core

extension Storyboard {
    /// Returns a contact sheet: thumbnails of every phase at evenly spaced instants, each with the
    /// phase and time below.
    ///
    /// - Parameters:
    ///   - loader: the loader.
    ///   - columns: the number of thumbnails in a row; nil is 4.
    ///   - perPhase: the number of thumbnails per phase; nil is 4, or 8 if there is only one phase.
    ///   - annotations: the annotations of each thumbnail.
    ///   - language: the language of the phases' names.
    ///   - background: the colour behind the canvas; nil is the loader's background.
    ///   - page: the shape and theme of each thumbnail.
    public static func sheet(
        of loader: any Loader, columns: Int? = nil, perPhase: Int? = nil, annotations: Set<AnnotationKind> = [],
        language: Language = .en, background: Color? = nil, page: AnnotationPage = AnnotationPage()
    ) -> Scene {
        ContactSheet(
            loader: loader, columns: columns ?? 4, perPhase: perPhase ?? (loader.phases.count > 1 ? 4 : 8),
            annotations: annotations, language: language, background: background, page: page
        ).scene()
    }
}

/// Thumbnails in rows with captions.
private struct ContactSheet {
    let loader: any Loader
    let columns: Int
    let language: Language
    let theme: AnnotationTheme
    let annotator: Annotator?
    let background: Color
    /// The instants of the thumbnails with their phases.
    let instants: [(phase: Phase, time: Rational)]
    /// The size of a thumbnail in points.
    let thumbnailSize: Size
    /// True if thumbnails have a requested aspect ratio, into which the canvas is fitted.
    let isFitted: Bool
    /// The number of lines in the longest caption.
    let captionLines: Int

    private static let gap = 18.0
    private static let titleHeight = 66.0
    private static let lineHeight = 19.0
    /// The longer side of a thumbnail without annotations, in points.
    private static let plainSide = 220.0
    /// The longer side of an annotated thumbnail, in points.
    private static let annotatedSide = 560.0

    init(
        loader: any Loader, columns: Int, perPhase: Int, annotations: Set<AnnotationKind>, language: Language,
        background: Color?, page: AnnotationPage
    ) {
        self.loader = loader
        self.language = language
        isFitted = page.shape != nil
        let background = background ?? NoteBackground.color(for: loader) ?? loader.background
        self.background = background
        theme = AnnotationTheme(background: page.theme?.background ?? background)
        annotator =
            annotations.isEmpty
            ? nil
            : Annotator(loader: loader, kinds: annotations, language: language, background: background, page: page)
        let shown = annotator?.size ?? page.shape.map { AnnotationLayout.size(of: $0) } ?? loader.canvas
        let scale = (annotator == nil ? Self.plainSide : Self.annotatedSide) / max(shown.width, shown.height)
        let thumbnailSize = Size((shown.width * scale).rounded(), (shown.height * scale).rounded())
        let instants = loader.phases.flatMap { phase in
            (0..<perPhase).map {
                (phase: phase, time: phase.start + phase.duration * Rational(Int128($0), Int128(perPhase)))
            }
        }
        self.thumbnailSize = thumbnailSize
        self.instants = instants
        self.columns = min(columns, instants.count)
        // Captions need some width even below narrow thumbnails.
        let captionWidth = max(thumbnailSize.width, 150)
        captionLines =
            loader.phases.map { phase in
                Self.name(of: phase, in: language, width: captionWidth).count { $0 == "\n" } + 1
            }.max() ?? 1
    }

    private var cell: Size {
        Size(max(thumbnailSize.width, 150), thumbnailSize.height + 8 + Self.lineHeight * Double(captionLines + 1))
    }

    private static func name(of phase: Phase, in language: Language, width: Double) -> String {
        TextExtent.wrapped(phase.name.text(in: language), width: width - numberWidth(of: phase), fontSize: 13)
    }

    private static func numberWidth(of phase: Phase) -> Double {
        TextExtent.width("\(phase.index)", fontSize: 13, bold: true) + 7
    }

    func scene() -> Scene {
        let rows = (instants.count + columns - 1) / columns
        let width = Self.gap + Double(columns) * (cell.width + Self.gap)
        let head = title(width: max(width, 460) - 2 * Self.gap)
        let nodes = instants.enumerated().flatMap { index, instant in
            let (row, column) = index.quotientAndRemainder(dividingBy: columns)
            let corner = Point(
                Self.gap + Double(column) * (cell.width + Self.gap),
                Self.titleHeight + Double(row) * (cell.height + Self.gap))
            return thumbnail(at: instant.time, in: corner) + caption(of: instant, below: corner)
        }
        let height = Self.titleHeight + Double(rows) * (cell.height + Self.gap)
        return Scene(size: Size(max(width, 460), height), background: theme.surface, nodes: head + nodes)
    }

    private func title(width: Double) -> [Node] {
        let count = loader.phases.count
        let period = Annotator.seconds(loader.period)
        let details =
            language == .zh
            ? "\(loader.id)　\(count) 个阶段　周期 \(period) s"
            : "\(loader.id), \(count) \(count == 1 ? "phase" : "phases"), period \(period) s"
        return [
            Draw.text(
                loader.title.text(in: language), at: Point(Self.gap, 10), width: width, size: 19,
                color: theme.ink, bold: true),
            Draw.text(details, at: Point(Self.gap, 37), width: width, size: 13, color: theme.faint),
        ]
    }

    private func thumbnail(at time: Rational, in corner: Point) -> [Node] {
        var scene = annotator?.scene(at: time) ?? loader.scene(at: time)
        if annotator == nil { scene.background = background }
        let frame = Rect(x: corner.x, y: corner.y, width: thumbnailSize.width, height: thumbnailSize.height)
        let scale = min(frame.width / scene.size.width, frame.height / scene.size.height)
        // A canvas with another aspect ratio is centred.
        let inset = Point((frame.width - scene.size.width * scale) / 2, (frame.height - scene.size.height * scale) / 2)
        let canvas = Group(
            transform: AffineTransform.scale(scale).then(.translation(isFitted ? corner + inset : corner)),
            clip: .rectangle(Rect(size: scene.size)), nodes: scene.nodes)
        let line = Stroke(theme.hairline, width: 1)
        return [
            .shape(Shape(.rectangle(frame), fill: scene.background)), .group(canvas),
            .shape(Shape(.rectangle(frame.expanded(by: 0.5)), stroke: line)),
        ]
    }

    private func caption(of instant: (phase: Phase, time: Rational), below corner: Point) -> [Node] {
        let phase = instant.phase
        let y = corner.y + thumbnailSize.height + 6
        let numberWidth = Self.numberWidth(of: phase)
        let name = Self.name(of: phase, in: language, width: cell.width)
        let lines = Double(captionLines)
        return [
            Draw.text(
                "\(phase.index)", at: Point(corner.x, y), width: numberWidth, size: 13, color: theme.accent, bold: true),
            Draw.text(
                name, at: Point(corner.x + numberWidth, y), width: cell.width - numberWidth, size: 13, color: theme.ink),
            Draw.text(
                NumberText.fixed(instant.time.double, places: 3) + " s",
                at: Point(corner.x + numberWidth, y + Self.lineHeight * lines - (lines > 1 ? 2 : 0)),
                width: cell.width - numberWidth, size: 12, color: theme.faint),
        ]
    }
}

extension TextExtent {
    /// Returns a text with line breaks at spaces and between Chinese characters, so that lines are
    /// at most `limit` points wide unless a single word is wider. Latin words, numbers and units
    /// stay whole, and no line begins with closing punctuation.
    static func wrapped(_ string: String, width limit: Double, fontSize: Double) -> String {
        lines(of: string) { width($0, fontSize: fontSize) <= limit }.joined(separator: "\n")
    }

    /// Returns the lines of a text with the same line breaking rules. A single Chinese character is
    /// not left on the last line. `fits` decides if a line fits.
    package static func lines(of string: String, fits: (String) -> Bool) -> [String] {
        var lines: [[String]] = []
        for piece in pieces(of: string) {
            if let last = lines.last, fits(last.joined() + piece) {
                lines[lines.count - 1].append(piece)
            } else {
                lines.append([String(piece.drop { $0 == " " })])
            }
        }
        if let last = lines.last, last.count == 1, isSingleCharacter(last[0]), lines.count > 1 {
            let before = lines.count - 2
            if lines[before].count > 2 { lines[before + 1].insert(lines[before].removeLast(), at: 0) }
        }
        return lines.map { line in String(line.joined().drop { $0 == " " }) }
    }

    /// Returns true if a piece is one Chinese character, perhaps with closing punctuation.
    private static func isSingleCharacter(_ piece: String) -> Bool {
        piece.count <= 2 && piece.unicodeScalars.allSatisfy { $0.value >= 0x2E80 }
    }

    /// Returns the parts of a text between which a line can break, each with its leading space.
    package static func pieces(of string: String) -> [String] {
        // CJK scripts start at U+2E80 (CJK Radicals Supplement).
        func isChinese(_ character: Character) -> Bool { character.unicodeScalars.contains { $0.value >= 0x2E80 } }
        return string.reduce(into: [String]()) { pieces, character in
            guard let previous = pieces.last?.last, character != " ",
                previous == " " || "（《".contains(previous) || "，。、：；！？）》".contains(character)
                    || !isChinese(previous) && !isChinese(character)
            else { return pieces.append(String(character)) }
            pieces[pieces.count - 1].append(character)
        }
    }
}
