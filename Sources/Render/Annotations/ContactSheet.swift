import Animations
import Core
import Raster

extension Storyboard {
    /// Returns the number of thumbnails per phase if the caller chooses none: a row of them, or two
    /// rows if there is only one phase.
    package static func defaultPerPhase(of loader: any Loader, _ annotations: Set<AnnotationKind>) -> Int {
        usualColumns(annotations) * (loader.phases.count > 1 ? 1 : 2)
    }

    /// Returns a contact sheet: thumbnails of every phase at evenly spaced instants, each with the
    /// phase and time below.
    ///
    /// - Parameters:
    ///   - loader: the loader.
    ///   - columns: the number of thumbnails in a row; nil is a number with whole phases: about 4,
    ///     or 2 with annotations, or as many as fill the page's shape.
    ///   - perPhase: the number of thumbnails per phase; nil is a row of them, or two rows if there
    ///     is only one phase.
    ///   - annotations: the annotations of each thumbnail.
    ///   - language: the language of the phases' names.
    ///   - background: the colour behind the canvas; nil is the loader's background.
    ///   - page: the shape and theme of the sheet.
    package static func sheet(
        of loader: any Loader, columns: Int? = nil, perPhase: Int? = nil, annotations: Set<AnnotationKind> = [],
        language: Language = .en, background: Color? = nil, page: AnnotationPage = AnnotationPage()
    ) -> Scene {
        ContactSheet(
            loader: loader, columns: columns, perPhase: perPhase ?? defaultPerPhase(of: loader, annotations),
            annotations: annotations, language: language, background: background, page: page
        ).scene()
    }

    /// Returns the number of thumbnails in a row without a shape. Annotated ones are larger, and
    /// show the start and the end of their phase.
    fileprivate static func usualColumns(_ annotations: Set<AnnotationKind>) -> Int { annotations.isEmpty ? 4 : 2 }
}

/// Thumbnails in rows with captions.
private struct ContactSheet {
    let loader: any Loader
    private(set) var columns: Int
    let language: Language
    let theme: AnnotationTheme
    let annotator: Annotator?
    let background: Color
    /// The instants of the thumbnails with their phases.
    let instants: [(phase: Phase, time: Rational)]
    /// The size of a thumbnail in points.
    let thumbnailSize: Size
    /// The width of the sheet relative to its height; nil for the width of its content.
    let aspect: Double?
    /// The number of thumbnails in a row without a shape.
    private let usualColumns: Int
    /// The number of lines in the longest caption.
    private(set) var captionLines = 1
    /// The size of texts relative to that on a sheet without a shape.
    private(set) var textScale = 1.0

    /// The distance between thumbnails, and to the edges of the sheet, in points.
    private static let gap = 18.0
    /// The height of the title with the line below it, in points.
    private static let titleHeight = 66.0
    /// The height of a line of a caption in points: that of 13 points with space between lines.
    private static let lineHeight = 19.0
    /// The minimum width of a sheet in points, with room for its title.
    private static let minWidth = 460.0
    /// The minimum width of a caption in points, also below a narrow thumbnail.
    private static let minCellWidth = 150.0
    /// The longer side of a thumbnail without annotations, in points.
    private static let plainSide = 220.0
    /// The minimum scale of annotated thumbnails. The smallest text of 10 points then has 12 pixels
    /// on a sheet with 2 pixels per point.
    private static let minAnnotatedScale = 0.6
    /// The width of annotated thumbnails whose scale is not below the minimum, in points. Two of
    /// them are as wide as four without annotations.
    private static let annotatedWidth = 2 * plainSide + gap

    init(
        loader: any Loader, columns: Int?, perPhase: Int, annotations: Set<AnnotationKind>, language: Language,
        background: Color?, page: AnnotationPage
    ) {
        self.loader = loader
        self.language = language
        aspect = page.shape.map { Double($0.pixels.width) / Double($0.pixels.height) }
        var page = page
        page.shape = nil
        let background = background ?? AnnotationBackground.color(for: loader) ?? loader.background
        self.background = background
        theme = AnnotationTheme(background: page.theme?.background ?? background)
        annotator =
            annotations.isEmpty
            ? nil
            : Annotator(loader: loader, kinds: annotations, language: language, background: background, page: page)
        let shown = annotator?.size ?? loader.canvas
        let scale =
            annotator == nil
            ? Self.plainSide / max(shown.width, shown.height)
            : max(Self.minAnnotatedScale, Self.annotatedWidth / shown.width)
        let thumbnailSize = Size((shown.width * scale).rounded(), (shown.height * scale).rounded())
        let instants = loader.phases.flatMap { phase in
            (0..<perPhase).map {
                (phase: phase, time: phase.start + phase.duration * Rational(Int128($0), Int128(perPhase)))
            }
        }
        self.thumbnailSize = thumbnailSize
        self.instants = instants
        usualColumns = Storyboard.usualColumns(annotations)
        self.columns = 1
        for _ in 0..<Self.maxTextSteps {
            captionLines = loader.phases.map { name(of: $0).count { $0 == "\n" } + 1 }.max() ?? 1
            self.columns = min(columns ?? bestColumns(perPhase: perPhase), instants.count)
            let needed = neededTextScale
            guard needed > textScale else { break }
            textScale = needed
        }
    }

    /// The number of times that texts are enlarged. Larger texts make the sheet larger, which makes
    /// them smaller in an image of fixed size.
    private static let maxTextSteps = 4
    /// The largest size of texts relative to that on a sheet without a shape. Larger ones would
    /// fill the sheet instead of the thumbnails.
    private static let maxTextScale = 4.0
    /// The font size of captions in points.
    private static let captionSize = 13.0
    /// The minimum font size of captions on a sheet with a shape, as a share of the shorter side:
    /// 17 pixels of 1080. Smaller texts are not legible when the sheet is seen as a whole.
    private static let minCaptionShare = 1.0 / 64

    /// The size of texts at which captions on a sheet with a shape are legible.
    private var neededTextScale: Double {
        guard let aspect else { return 1 }
        let content = contentSize(columns: columns)
        let width = max(content.width, content.height * aspect)
        return min(Self.maxTextScale, Self.minCaptionShare * min(width, width / aspect) / Self.captionSize)
    }

    /// Returns the number of columns, in whole phases, with which the sheet comes closest to its
    /// shape.
    private func bestColumns(perPhase: Int) -> Int {
        guard loader.phases.count > 1 else { return usualColumns }
        let usual = max(1, usualColumns / perPhase) * perPhase
        guard let aspect else { return usual }
        func distance(_ columns: Int) -> Double {
            let size = contentSize(columns: columns)
            return abs(log(size.width / size.height / aspect))
        }
        return (1...loader.phases.count).map { $0 * perPhase }.min { distance($0) < distance($1) } ?? usual
    }

    /// Returns the size of the title and the thumbnails with a margin, in points.
    private func contentSize(columns: Int) -> Size {
        let rows = (instants.count + columns - 1) / columns
        let width = Self.gap + Double(columns) * (cell.width + Self.gap)
        return Size(max(width, Self.minWidth * textScale), titleHeight + Double(rows) * (cell.height + Self.gap))
    }

    private var cell: Size {
        Size(cellWidth, thumbnailSize.height + 8 + lineHeight * Double(captionLines + 1))
    }

    /// The width of a thumbnail with its caption, which needs some width even if it is narrow.
    private var cellWidth: Double { max(thumbnailSize.width, Self.minCellWidth * textScale) }
    private var titleHeight: Double { Self.titleHeight * textScale }
    private var lineHeight: Double { Self.lineHeight * textScale }
    private var captionSize: Double { Self.captionSize * textScale }

    /// Returns the name of a phase in lines that fit below a thumbnail.
    private func name(of phase: Phase) -> String {
        TextExtent.wrapped(
            phase.name.text(in: language), width: cellWidth - numberWidth(of: phase), fontSize: captionSize)
    }

    private func numberWidth(of phase: Phase) -> Double {
        TextExtent.width("\(phase.number)", fontSize: captionSize, bold: true) + 7
    }

    func scene() -> Scene {
        let content = contentSize(columns: columns)
        let head = title(width: content.width - 2 * Self.gap)
        let nodes = instants.enumerated().flatMap { index, instant in
            let (row, column) = index.quotientAndRemainder(dividingBy: columns)
            let corner = Point(
                Self.gap + Double(column) * (cell.width + Self.gap),
                titleHeight + Double(row) * (cell.height + Self.gap))
            return thumbnail(at: instant.time, in: corner) + caption(of: instant, below: corner)
        }
        guard let aspect else { return Scene(size: content, background: theme.surface, nodes: head + nodes) }
        // The content is in the middle of a sheet with the requested shape.
        let width = max(content.width, content.height * aspect)
        let size = Size(width, width / aspect)
        let offset = Point((size.width - content.width) / 2, (size.height - content.height) / 2)
        let placed = Group(transform: .translation(offset), nodes: head + nodes)
        return Scene(size: size, background: theme.surface, nodes: [.group(placed)])
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
                loader.title.text(in: language), at: Point(Self.gap, 10 * textScale), width: width,
                size: 19 * textScale,
                color: theme.ink, bold: true),
            Draw.text(
                details, at: Point(Self.gap, 37 * textScale), width: width, size: captionSize, color: theme.faint),
        ]
    }

    private func thumbnail(at time: Rational, in corner: Point) -> [Node] {
        var scene = annotator?.scene(at: time) ?? loader.scene(at: time)
        if annotator == nil { scene.background = background }
        let frame = Rect(x: corner.x, y: corner.y, width: thumbnailSize.width, height: thumbnailSize.height)
        let scale = min(frame.width / scene.size.width, frame.height / scene.size.height)
        let canvas = Group(
            transform: AffineTransform.scale(scale).then(.translation(corner)),
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
        let numberWidth = numberWidth(of: phase)
        let name = name(of: phase)
        let lines = Double(captionLines)
        return [
            Draw.text(
                "\(phase.number)", at: Point(corner.x, y), width: numberWidth, size: captionSize, color: theme.accent,
                bold: true),
            Draw.text(
                name, at: Point(corner.x + numberWidth, y), width: cell.width - numberWidth, size: captionSize,
                color: theme.ink),
            Draw.text(
                NumberText.fixed(instant.time.double, places: 3) + " s",
                at: Point(corner.x + numberWidth, y + lineHeight * lines - (lines > 1 ? 2 : 0)),
                width: cell.width - numberWidth, size: 12 * textScale, color: theme.faint, isNumber: true),
        ]
    }
}

extension TextExtent {
    /// Returns a text with line breaks at spaces and between Chinese words, so that lines are
    /// at most `limit` points wide unless a single word is wider. Latin words, numbers and units
    /// stay whole, and no line begins with closing punctuation.
    static func wrapped(_ string: String, width limit: Double, fontSize: Double) -> String {
        lines(of: string) { width($0, fontSize: fontSize) <= limit }.joined(separator: "\n")
    }

    /// Returns the lines of a text with the same line breaking rules. A single Chinese character is
    /// not left on the last line. `fits` decides if a line fits.
    package static func lines(of string: String, fits: (String) -> Bool) -> [String] {
        var lines: [[String]] = []
        for piece in WordBreaks.pieces(of: string) {
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
        piece.count <= 2 && piece.allSatisfy(\.isWide)
    }
}
