import Loaders
import Motion
import Scene
import Timing

extension Storyboard {
    /// A contact sheet: every phase at equally spaced instants from its beginning on, each with the phase and the time below.
    ///
    /// - Parameters:
    ///   - loader: What is shown.
    ///   - columns: Pictures in a row; nil takes four.
    ///   - perPhase: Pictures of each phase; nil takes four, or eight if there is but one phase.
    ///   - annotations: What is added to each picture.
    ///   - language: The language of the phases' names.
    ///   - background: Colour behind the stages; nil takes the loader's.
    ///   - page: The shape of each picture, and what is around the stages.
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

/// Pictures in rows with captions.
private struct ContactSheet {
    let loader: any Loader
    let columns: Int
    let language: Language
    let theme: AnnotationTheme
    let annotator: Annotator?
    let background: Color
    /// What is shown: instants in the phases they belong to.
    let instants: [(phase: Phase, time: Rational)]
    /// Size of a picture in points.
    let picture: Size
    /// Whether pictures have a shape of their own.
    let isFitted: Bool
    /// Lines in the longest caption.
    let captionLines: Int

    private static let gap = 18.0
    private static let titleHeight = 66.0
    private static let lineHeight = 19.0
    /// The largest sides of pictures, bare and annotated.
    private static let (bare, annotated) = (220.0, 560.0)

    init(
        loader: any Loader, columns: Int, perPhase: Int, annotations: Set<AnnotationKind>, language: Language,
        background: Color?, page: AnnotationPage
    ) {
        (self.loader, self.language) = (loader, language)
        isFitted = page.shape != nil
        self.background = background ?? loader.background
        theme = AnnotationTheme(stage: page.theme?.ground ?? self.background)
        annotator =
            annotations.isEmpty
            ? nil
            : Annotator(loader: loader, kinds: annotations, language: language, background: background, page: page)
        let shown = annotator?.size ?? page.shape.map { AnnotationLayout.size(of: $0) } ?? loader.canvas
        let scale = (annotator == nil ? Self.bare : Self.annotated) / max(shown.width, shown.height)
        // Captions want some width even below narrow pictures.
        let picture = Size((shown.width * scale).rounded(), (shown.height * scale).rounded())
        let instants = loader.phases.flatMap { phase in
            (0..<perPhase).map {
                (phase: phase, time: phase.start + phase.duration * Rational(Int128($0), Int128(perPhase)))
            }
        }
        (self.picture, self.instants) = (picture, instants)
        self.columns = min(columns, instants.count)
        let widest = max(picture.width, 150)
        captionLines =
            loader.phases.map { phase in
                Self.name(of: phase, in: language, width: widest).count { $0 == "\n" } + 1
            }.max() ?? 1
    }

    private var cell: Size {
        Size(max(picture.width, 150), picture.height + 8 + Self.lineHeight * Double(captionLines + 1))
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
            return picture(at: instant.time, in: corner) + caption(of: instant, below: corner)
        }
        let height = Self.titleHeight + Double(rows) * (cell.height + Self.gap)
        return Scene(size: Size(max(width, 460), height), background: theme.canvas, nodes: head + nodes)
    }

    private func title(width: Double) -> [Node] {
        let (count, period) = (loader.phases.count, Annotator.seconds(loader.period))
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

    private func picture(at time: Rational, in corner: Point) -> [Node] {
        var scene = annotator?.scene(at: time) ?? loader.scene(at: time)
        if annotator == nil { scene.background = background }
        let frame = Rect(x: corner.x, y: corner.y, width: picture.width, height: picture.height)
        let scale = min(frame.width / scene.size.width, frame.height / scene.size.height)
        // In a picture of another shape the canvas is in the middle.
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
        let (phase, y) = (instant.phase, corner.y + picture.height + 6)
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
    /// A text with line breaks at spaces and beside Chinese letters, so that its lines are at most `width` points if its
    /// words are. Latin words, numbers and units stay whole, and no line begins with a mark that ends something.
    static func wrapped(_ string: String, width limit: Double, fontSize: Double) -> String {
        lines(of: string) { width($0, fontSize: fontSize) <= limit }.joined(separator: "\n")
    }

    /// The lines of a text that is broken in this way where more would not fit, whoever measures them.
    package static func lines(of string: String, fits: (String) -> Bool) -> [String] {
        pieces(of: string).reduce(into: []) { lines, piece in
            guard let last = lines.last, fits(last + piece) else {
                return lines.append(String(piece.drop { $0 == " " }))
            }
            lines[lines.count - 1] = last + piece
        }
    }

    /// The parts between which a line may break, each with the space before it.
    package static func pieces(of string: String) -> [String] {
        func isChinese(_ letter: Character) -> Bool { letter.unicodeScalars.contains { $0.value >= 0x2E80 } }
        return string.reduce(into: [String]()) { pieces, letter in
            guard let previous = pieces.last?.last, letter != " ",
                previous == " " || "（《".contains(previous) || "，。、：；！？）》".contains(letter)
                    || !isChinese(previous) && !isChinese(letter)
            else { return pieces.append(String(letter)) }
            pieces[pieces.count - 1].append(letter)
        }
    }
}
